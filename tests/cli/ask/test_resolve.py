"""The order of the groups, and the hearts."""

from typing import Any

import pytest

from kotp2p.cli.ask.question import Give, Propose, Question, Refuse
from kotp2p.referee.model.answers import Face, Hearts, Order
from kotp2p.referee.model.decisions import HeartsDecision, OrderDecision
from tests.support.laid_decisions import ask, heal, table

GROUPS = (Face.ONE, Face.HEART, Face.CLAW)


@pytest.mark.parametrize(
    ("typed", "order"),
    [
        ("1hc", GROUPS),
        ("c", (Face.CLAW, Face.ONE, Face.HEART)),
        ("hc", (Face.HEART, Face.CLAW, Face.ONE)),
        ("c h 1", (Face.CLAW, Face.HEART, Face.ONE)),
    ],
)
def test_groups_that_are_typed_go_first(typed: str, order: tuple[Face, ...]) -> None:
    assert ask(table(), OrderDecision(0, GROUPS)).reply(typed) == Give(Order(order))


@pytest.mark.parametrize("typed", ["cc", "2", "e", "x", "c x", "first"])
def test_groups_that_are_not_there_are_refused(typed: str) -> None:
    assert isinstance(ask(table(), OrderDecision(0, GROUPS)).reply(typed), Refuse)


def hearts() -> Question[Any, Any]:
    view = table()
    view.game.state.monsters[0].poison = 2
    view.game.state.monsters[0].hearts = 6
    decision = HeartsDecision(0, 3, 3, 2, 0, ((1, 1), (2, 2)), uses=(heal(view),))
    return ask(view, decision)


def test_hearts_are_split_by_letters() -> None:
    question = hearts()
    assert question.facts() == ["Your dice show 3 hearts; you have 6 hearts and 2 poison tokens."]
    assert question.reply("h2 p") == Give(Hearts(heal=2, poison=1))
    assert question.reply("hhp") == Give(Hearts(heal=2, poison=1))
    assert question.reply("h 1, p 1, a") == Give(Hearts(1, 1, 0, ((1, 1),)))
    assert question.reply("b2") == Give(Hearts(give=((2, 2),)))
    assert question.reply("h0") == Give(Hearts())


@pytest.mark.parametrize("typed", ["h4", "p3", "s", "a2", "c", "hh pp", "h-1", "x", "h99999", "2"])
def test_more_than_there_is_is_refused(typed: str) -> None:
    assert isinstance(hearts().reply(typed), Refuse)


def test_heal_is_the_card_and_not_the_dice() -> None:
    question = hearts()
    used = question.reply("heal")
    assert isinstance(used, Give)
    assert used.answer == next(question.decision.uses[0].legal_answers())


def test_enter_proposes_a_split() -> None:
    view = table()
    wanted = Hearts(1, 1, 0, ((1, 1),))
    decision = HeartsDecision(0, 3, 3, 1, 0, ((1, 1),))
    question = ask(view, decision, lambda v, d: wanted)
    assert question.reply("") == Propose(
        "Advice: 1 heart for yourself, 1 poison token removed and 1 heart for Rex.", wanted
    )
