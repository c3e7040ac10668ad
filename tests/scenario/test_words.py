"""The words of the format are complete: every decision and every answer can be scripted."""

from typing import get_args

from kotp2p.referee.box.rulesets import RULE_SETS
from kotp2p.referee.model.answers import Answer
from kotp2p.referee.model.decisions import Decision
from tests.scenario.lines import _READERS
from tests.scenario.translate import _WORDS_OF_KIND
from tests.scenario.words import DECISION_KINDS, RULE_SET_NAMES


def test_every_kind_of_decision_has_its_words() -> None:
    kinds = sorted(decision.kind for decision in get_args(Decision))
    assert sorted(DECISION_KINDS) == kinds
    assert sorted(_WORDS_OF_KIND) == kinds


def test_every_answer_has_its_word() -> None:
    """`buy` with `from = "deck"` is the answer BuyTop."""
    words = {answer.__name__.lower() for answer in get_args(Answer)} - {"buytop"}
    assert set(_READERS) == words
    assert set().union(*_WORDS_OF_KIND.values()) == words


def test_every_rule_set_can_be_named() -> None:
    assert set(RULE_SET_NAMES) == set(RULE_SETS)
