"""Picking is typing: a question reads the line of each answer as that answer."""

from collections import Counter
from random import Random
from typing import Any, get_args

import pytest

from kotp2p.cli.ask.dialogue import Explained, QuestionDialogue, list_answers
from kotp2p.cli.ask.foresight import NOTHING_AT_STAKE
from kotp2p.cli.ask.question import Confirm, Give, Question, Refuse
from kotp2p.referee.box.rulesets import RULE_SETS
from kotp2p.referee.game import Game
from kotp2p.referee.model import decisions
from kotp2p.referee.model.answers import Answer, Answered, BuyTop, Face, Looked, Order, Reroll, Use
from kotp2p.seams.notices import SeatView
from tests.support.laid_decisions import ask, dice, item, one_of_each_decision, table
from tests.support.local_game import draw, new_view


def same(question: Question[Any, Any], one: Answer, other: Answer) -> bool:
    """Equal, or the same but for which of equal dice is meant. Claws of cards that an order leaves
    out come last (A-105)."""
    if isinstance(one, Order) and isinstance(other, Order) and Face.CLAW not in other.groups:
        return one in (other, Order((*other.groups, Face.CLAW)))
    if isinstance(one, Reroll) and isinstance(other, Reroll):
        faces = question.decision.dice
        return Counter(faces[n] for n in one.dice) == Counter(faces[n] for n in other.dice)
    if isinstance(one, Use) and isinstance(other, Use) and one.die is not None:
        rolled = question.dice()
        alike = other.die is not None and rolled[one.die] == rolled[other.die]
        return alike and (one.item, one.face) == (other.item, other.face)
    return one == other


def check(view: SeatView, decision: decisions.Decision) -> None:
    question = ask(view, decision)
    for answer in decision.legal_answers():
        reply = question.reply(question.line_for(answer))
        if isinstance(answer, Use) and question.uses.is_idle(answer):
            assert isinstance(reply, Refuse), (decision, answer, reply)
            continue
        assert isinstance(reply, Give | Confirm), (decision, answer, reply)
        assert same(question, reply.answer, answer), (decision, answer, reply)
        assert question.label(answer)
    lines = [way.line for way in list_answers(QuestionDialogue(question, Explained()))]
    assert len(lines) == len(set(lines))
    for line in lines:
        assert isinstance(question.reply(line), Give | Confirm), (decision, line)


def test_each_kind_of_question_reads_its_own_lines() -> None:
    seen = set()
    for view, decision in one_of_each_decision():
        check(view, decision)
        seen.add(type(decision))
    assert seen == set(get_args(decisions.Decision))


def test_a_known_top_card_can_be_picked() -> None:
    view = table()
    wings = item(view, "wings")
    view.top = wings
    question = ask(
        view, decisions.BuyDecision(0, (), False, False, True, (decisions.Offer(wings, 6),))
    )
    assert question.reply(question.line_for(BuyTop(wings))) == Give(BuyTop(wings))
    assert "t" in [way.line for way in list_answers(QuestionDialogue(question, Explained()))]


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_answer_can_be_picked(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """UX check 7: every option offered is legal. Random play in games rich in cards."""
    for seed in range(3):
        if seed == 1:  # one game shows that everything can be weighed; that takes long
            monkeypatch.setattr(
                "kotp2p.cli.ask.foresight.find_stakes",
                lambda view, decision, answer: NOTHING_AT_STAKE,
            )
        chooser = Random(seed)
        view = new_view(3, RULE_SETS[rules])
        game = view.game
        assert isinstance(game, Game)
        for monster in game.state.monsters:
            monster.energy = 30
        seen = 0
        while seen < 150 and not isinstance(game.pending, decisions.Over):
            pending = game.pending
            if isinstance(pending, decisions.Chance):
                if pending.kind is decisions.ChanceKind.LOOK:
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
    asking = QuestionDialogue(
        ask(view, decisions.RollDecision(0, dice("33CHB1"), 2), lambda _view, _asked: Reroll((0,))),
        Explained(),
    )
    asking.read_line("d")
    assert [way.line for way in list_answers(asking)] == ["y"]
