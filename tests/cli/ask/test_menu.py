"""Picking is typing: every way that is offered is understood as the answer that it stands for."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from cli.ask.dialogue import Asking, Memory
from cli.ask.menu import typed, ways
from cli.ask.question import Confirm, Give, Question
from kotp2p.seat_view import SeatView
from referee.box.rulesets import RULE_SETS
from referee.game import Game
from referee.model.answers import Answer, Answered, Looked, Reroll, Use
from referee.model.decisions import Chance, ChanceKind, Decision, Over
from referee.model.dice_decisions import RollDecision
from tests.support.laid_decisions import ask, dice, table
from tests.support.local_game import draw, new_view


def same(question: Question[Any], one: Answer, other: Answer) -> bool:
    """Equal, or the same but for which of equal dice is meant."""
    if isinstance(one, Reroll) and isinstance(other, Reroll):
        faces = question.decision.dice
        return Counter(faces[n] for n in one.dice) == Counter(faces[n] for n in other.dice)
    if isinstance(one, Use) and isinstance(other, Use) and one.die is not None:
        rolled = question.dice()
        alike = other.die is not None and rolled[one.die] == rolled[other.die]
        return alike and (one.item, one.face) == (other.item, other.face)
    return one == other


def check(view: SeatView, decision: Decision) -> None:
    question = ask(view, decision)
    for answer in decision.legal_answers():
        reply = question.reply(typed(question, answer))
        assert isinstance(reply, Give | Confirm), (decision, answer, reply)
        assert same(question, reply.answer, answer), (decision, answer, reply)
    lines = [way.line for way in ways(Asking(question, Memory()))]
    assert len(lines) == len(set(lines))
    for line in lines:
        assert isinstance(question.reply(line), Give | Confirm), (decision, line)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_answer_can_be_picked(rules: str) -> None:
    """UX check 7: every option offered is legal. Random play in games rich in cards."""
    for seed in range(6):
        chooser = Random(seed)
        view = new_view(3, RULE_SETS[rules])
        game: Game = view.game
        for monster in game.state.monsters:
            monster.energy = 30
        seen = 0
        while seen < 150 and not isinstance(game.pending, Over):
            pending = game.pending
            if isinstance(pending, Chance):
                if pending.kind is ChanceKind.LOOK:
                    assert pending.seat is not None
                    game.submit(Looked(0, pending.seat))
                else:
                    game.submit(draw(pending, chooser))
                continue
            seen += 1
            check(SeatView(pending.seat, view.players, game, ""), pending)
            game.submit(Answered(pending.seat, chooser.choice(list(pending.legal_answers()))))


def test_a_costly_answer_that_waits_for_its_word_offers_it() -> None:
    view = table(rolled="33CHB1")
    asking = Asking(ask(view, RollDecision(0, dice("33CHB1"), 2)), Memory())
    asking.take("d")
    assert [way.line for way in ways(asking)] == ["y"]
