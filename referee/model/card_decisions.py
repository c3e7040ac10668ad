"""Decisions about cards and tiles: buying, selling, copying, taking (RULES 3.10 and the cards).

Scope: questions by which a card or tile comes, goes or does its work.

Not here: cards that are used on dice or against damage (`dice_decisions`, `damage_decisions`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from kotp2p.referee.model.answers import (
    Again,
    Answer,
    Buy,
    BuyTop,
    Copy,
    Deposit,
    Done,
    Item,
    Keep,
    Pass,
    Peek,
    Reason,
    Seat,
    Sell,
    Sweep,
    Take,
)
from kotp2p.referee.model.decision_base import DecisionBase


@dataclass(frozen=True, slots=True)
class Offer:
    """A card that the asked seat can pay for."""

    card: Item
    price: int
    owner: Seat | None = None
    """The monster that the card lies in front of (Parasitic Tentacles); None: the market."""


@dataclass(slots=True)
class BuyDecision(DecisionBase):
    """BUY (RULES 3.10): the offers that can be paid, a sweep, a look, or done."""

    kind: ClassVar[str] = "buy"
    offers: tuple[Offer, ...]
    sweep: bool
    """Whether the seat can pay for a sweep and there are cards to sweep."""
    peek: bool
    """Whether the seat may look at the top card (Made in a Lab) and has not seen it."""
    top: bool
    """Whether the seat has seen the top card. Only the seat knows if it can pay for the card."""
    tops: tuple[Offer, ...] = ()
    """With `top`: the undrawn cards that this seat could pay for."""
    default: ClassVar[Answer] = Done()

    def _own_answers(self) -> Iterator[Answer]:
        """Without `BuyTop`, since only the seat knows the card."""
        yield Done()
        for offer in self.offers:
            yield Buy(offer.card)
        if self.sweep:
            yield Sweep()
        if self.peek:
            yield Peek()

    def _why_own_illegal(self, answer: Answer) -> Reason | None:
        match answer:
            case Done():
                return None
            case Buy(card=card):
                known = card in [offer.card for offer in self.offers]
                return None if known else Reason.NOT_FOR_SALE
            case BuyTop(card=card):
                if not self.top:
                    return Reason.NOT_SEEN
                known = any(offer.card == card for offer in self.tops)
                return None if known else Reason.CANNOT_PAY
            case Sweep():
                return None if self.sweep else Reason.CANNOT_PAY
            case Peek():
                return None if self.peek else Reason.ALREADY_SEEN if self.top else Reason.NOT_USABLE
            case _:  # all other answers, of whatever kind
                return Reason.WRONG_KIND


@dataclass(slots=True)
class OpportunistDecision(DecisionBase):
    """Cards were just turned up; `seat` may buy one before all others (K30)."""

    kind: ClassVar[str] = "opportunist"
    offers: tuple[Offer, ...]
    default: ClassVar[Answer] = Pass()

    def _own_answers(self) -> Iterator[Answer]:
        yield Pass()
        for offer in self.offers:
            yield Buy(offer.card)

    def _why_own_illegal(self, answer: Answer) -> Reason | None:
        if answer == Pass():
            return None
        if not isinstance(answer, Buy):
            return Reason.WRONG_KIND
        known = any(offer.card == answer.card for offer in self.offers)
        return None if known else Reason.NOT_FOR_SALE


@dataclass(slots=True)
class DepositDecision(DecisionBase):
    """Monster Batteries, 2011: how much energy the seat puts on the card."""

    kind: ClassVar[str] = "deposit"
    max_energy: int
    default: ClassVar[Answer] = Deposit(0)

    def _own_answers(self) -> Iterator[Answer]:
        for energy in range(self.max_energy + 1):
            yield Deposit(energy)


@dataclass(slots=True)
class CopyDecision(DecisionBase):
    """Mimic, Fluxling: which Keep card in play to copy."""

    kind: ClassVar[str] = "copy"
    item: Item
    targets: tuple[Item, ...]
    """By owner clockwise from the deciding seat, then by acquisition."""
    keep: bool
    """Whether the seat may leave the link as it is: at the start of a turn, not when the card
    comes into play."""
    cost: int = 0

    @property
    def default(self) -> Answer:
        return Keep() if self.keep else Copy(self.targets[0])

    def _own_answers(self) -> Iterator[Answer]:
        if self.keep:
            yield Keep()
        for card in self.targets:
            yield Copy(card)

    def _why_own_illegal(self, answer: Answer) -> Reason | None:
        match answer:
            case Keep():
                return None if self.keep else Reason.WRONG_KIND
            case Copy(card=card):
                return None if card in self.targets else Reason.NOT_A_TARGET
            case _:  # all other answers, of whatever kind
                return Reason.WRONG_KIND


@dataclass(slots=True)
class TileDecision(DecisionBase):
    """Which wickedness tile of the step that was reached."""

    kind: ClassVar[str] = "tile"
    step: int
    tiles: tuple[Item, ...]

    @property
    def default(self) -> Answer:
        return Take(self.tiles[0])

    def _own_answers(self) -> Iterator[Answer]:
        for tile in self.tiles:
            yield Take(tile)


@dataclass(slots=True)
class SellDecision(DecisionBase):
    """SELL (Metamorph): own Keep cards for their printed cost."""

    kind: ClassVar[str] = "sell"
    cards: tuple[Item, ...]
    default: ClassVar[Answer] = Done()

    def _own_answers(self) -> Iterator[Answer]:
        yield Done()
        for size in range(1, len(self.cards) + 1):
            for sold in combinations(sorted(self.cards), size):
                yield Sell(sold)

    def _why_own_illegal(self, answer: Answer) -> Reason | None:
        if answer == Done():
            return None
        if not isinstance(answer, Sell):
            return Reason.WRONG_KIND
        sold = list(answer.cards)
        legal = sold and sold == sorted(set(sold)) and set(sold) <= set(self.cards)
        return None if legal else Reason.NOT_A_TARGET


@dataclass(slots=True)
class AgainDecision(DecisionBase):
    """Freeze Time: take the extra turn, or not (A-31)."""

    kind: ClassVar[str] = "again"
    default: ClassVar[Answer] = Again()

    def _own_answers(self) -> Iterator[Answer]:
        yield Again()
        yield Pass()
