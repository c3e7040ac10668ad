"""The answers that can be picked with the arrow keys: what would be typed, and what it does.

Law: the inverse of the questions. A way is a line that its own question understands, so that
picking and typing are the same thing; no rule is decided here, all come from the decision's own
list of legal answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cli.ask.choice import CopyQuestion, TileQuestion
from cli.ask.damage import SwapQuestion
from cli.ask.dialogue import Asking
from cli.ask.dice import RollQuestion
from cli.ask.question import Confirm, Question
from cli.ask.resolve import HeartsQuestion, OrderQuestion
from cli.ask.shop import BuyQuestion, OpportunistQuestion, SellQuestion
from cli.text import names
from cli.text.events_cards import LETTERS
from cli.text.i18n import _
from referee.model.answers import (
    Again,
    Answer,
    Buy,
    BuyTop,
    Copy,
    Deposit,
    Done,
    Face,
    Hearts,
    Item,
    Keep,
    Order,
    Pass,
    Peek,
    Reroll,
    Sell,
    Stay,
    Stop,
    Swap,
    Sweep,
    Take,
    Use,
    Yield,
)
from referee.model.card_decisions import OpportunistDecision
from referee.model.dice_decisions import RollDecision

MOST = 800
"""Longer lists are cut; the orders of all six groups are 720."""


@dataclass(frozen=True, slots=True)
class Way:
    line: str
    """What would be typed."""
    label: str
    """What it does; empty where the line says it."""


def ways(asking: Asking) -> list[Way]:
    """In the order of the arrow keys; Enter alone, which does the safe thing, is not among them."""
    if isinstance(asking.waiting, Confirm):
        return [Way("y", _("do it"))]
    question = asking.question
    found: dict[str, Way] = {}
    for answer in _answers(question):
        line = typed(question, answer)
        if line not in found:
            found[line] = Way(line, label(question, answer))
        if len(found) == MOST:
            break
    return list(found.values())


def _answers(question: Question[Any]) -> Iterator[Answer]:
    decision = question.decision
    if isinstance(decision, RollDecision):
        # Which dice to keep is picked die by die.
        if decision.rolls_left:
            yield Reroll(tuple(range(len(decision.dice))))
        yield Stop()
        for usable in decision.uses:
            yield from usable.legal_answers()
        return
    yield from decision.legal_answers()
    top = question.view.top
    if isinstance(question, BuyQuestion) and top is not None and decision.is_legal(BuyTop(top)):
        yield BuyTop(top)


def letter(face: Face) -> str:
    return "123hec"[face]


SHORT: dict[type[Answer], str] = {
    Stop: "d", Done: "n", Pass: "n", Keep: "n", Again: "y", Yield: "y", Stay: "s", Sweep: "r",
    Peek: "l", BuyTop: "t",
}  # fmt: skip
"""Answers that have one letter."""


def typed(question: Question[Any], answer: Answer) -> str:
    """The line that gives this answer."""
    match answer:
        case Reroll(dice=dice):
            faces = [f for n, f in enumerate(question.decision.dice) if n not in dice]
            return "".join(letter(face) for face in sorted(faces)) or "0"
        case Use():
            return _use(question, answer)
        case Deposit(energy=energy):
            return str(energy)
        case Order(groups=groups):
            return "".join(letter(face) for face in groups)
        case Hearts():
            return _hearts(question, answer)
        case Buy() | Swap() | Copy() | Take() | Sell():
            return _numbers(question, answer)
        case _:
            return SHORT[type(answer)]


def _numbers(question: Question[Any], answer: Buy | Swap | Copy | Take | Sell) -> str:
    match answer:
        case Buy(card=card):
            return _shelf(question, card)
        case Swap(card=card):
            return str(question.decision.cards.index(card) + 1)
        case Copy(card=card):
            return str(question.decision.targets.index(card) + 1)
        case Take(tile=tile):
            return str(question.decision.tiles.index(tile) + 1)
        case Sell(cards=cards):
            return " ".join(str(question.decision.cards.index(card) + 1) for card in cards)


def _shelf(question: Question[Any], card: Item) -> str:
    if isinstance(question, BuyQuestion):
        offered = question.lettered()
    else:
        assert isinstance(question.decision, OpportunistDecision)
        offered = dict(zip(LETTERS, question.decision.offers, strict=False))
    return next(line for line, offer in offered.items() if offer.card == card)


def _use(question: Question[Any], use: Use) -> str:
    usable = next(u for u in question.decision.uses if u.item == use.item)
    words = [question.use_word(usable)]
    if use.die is not None:
        words.append(letter(question.dice()[use.die]))
    if use.face is not None and len(usable.faces) > 1:
        words.append(letter(use.face))
    return " ".join(words)


def _hearts(question: Question[Any], answer: Hearts) -> str:
    given = dict(answer.give)
    spent = [("h", answer.heal), ("p", answer.poison), ("s", answer.shrink)]
    for sign, (seat, _most) in zip("abcdef", question.decision.patients, strict=False):
        spent.append((sign, given.get(seat, 0)))
    return " ".join(f"{sign}{n}" for sign, n in spent if n) or "h0"


def label(question: Question[Any], answer: Answer) -> str:
    if isinstance(answer, Use):
        return question.use_in_words(answer)
    match question:
        case RollQuestion() | HeartsQuestion():
            return question.in_words(answer)
        case OrderQuestion() if isinstance(answer, Order):
            return ", ".join(names.face(face) for face in answer.groups)
        case BuyQuestion() | OpportunistQuestion():
            return _bought(question, answer)
        case SellQuestion() if isinstance(answer, Sell):
            return ", ".join(question.view.game.card(card).name for card in answer.cards)
        case CopyQuestion() | SwapQuestion() | TileQuestion():
            return _picked(question, answer)
        case _:
            return _word(answer)


def _bought(question: Question[Any], answer: Answer) -> str:
    match answer:
        case Buy(card=card) | BuyTop(card=card):
            return _("buy {card}", card=names.item_name(question.view.game, card))
        case Sweep():
            return _("three new cards")
        case Peek():
            return _("look at the top card")
        case _:
            return _("buy nothing")


def _picked(question: Question[Any], answer: Answer) -> str:
    match answer:
        case Copy(card=item) | Swap(card=item) | Take(tile=item):
            return names.item_name(question.view.game, item)
        case _:
            return _("leave it as it is")


def _word(answer: Answer) -> str:
    match answer:
        case Stay():
            return _("stay in Tokyo")
        case Yield():
            return _("leave Tokyo")
        case Again():
            return _("take the extra turn")
        case Deposit(energy=energy):
            return names.energy(energy)
        case _:
            return _("no")
