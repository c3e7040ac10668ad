"""A new kind of decision is noticed: each place that must know all kinds is walked here.

Where a `match` ends in `assert_never`, mypy notices by itself. These tests hold the rest: what
names kinds by their text, and what only shows when it runs.
"""

from typing import get_args

import pytest

from kotp2p.cli.ask.dialogue import Explained, QuestionDialogue, describe_waiting
from kotp2p.cli.ask.standing_orders import Orders, answer_by_orders
from kotp2p.referee.model.decisions import ChanceKind, Decision
from kotp2p.referee.model.position import PENDING_KINDS
from kotp2p.seams.notices import SeatView
from tests.scenario.translate import _WORDS_OF_KIND
from tests.scenario.words import DECISION_KINDS
from tests.support.laid_decisions import ask, one_of_each_decision

KINDS = [decision.kind for decision in get_args(Decision)]


def test_each_kind_has_a_name_of_its_own() -> None:
    assert len(set(KINDS)) == len(KINDS)


def test_the_digest_numbers_each_kind() -> None:
    assert set(PENDING_KINDS) == {"over", *ChanceKind, *KINDS}


def test_scenario_files_can_ask_each_kind() -> None:
    assert set(DECISION_KINDS) == set(KINDS)
    assert set(_WORDS_OF_KIND) == set(KINDS)


def test_one_of_each_decision_is_laid_out() -> None:
    assert {decision.kind for _view, decision in one_of_each_decision()} == set(KINDS)


@pytest.mark.parametrize(
    ("view", "decision"), one_of_each_decision(), ids=lambda value: getattr(value, "kind", "")
)
def test_each_kind_is_asked_followed_and_waited_for(view: SeatView, decision: Decision) -> None:
    asking = QuestionDialogue(ask(view, decision), Explained())
    assert asking.first_lines()[-1] == asking.question.prompt()
    assert len(asking.help_lines()) >= 2
    assert decision.is_legal(decision.default)
    assert asking.question.heading()
    assert "Rex" in describe_waiting(decision, "Rex")
    assert answer_by_orders(view, decision, Orders()) is None
