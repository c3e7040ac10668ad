"""Decisions about damage: before it lands, and after it has hit a monster in Tokyo (RULES 3.7).

Scope: questions to a monster that is about to be hurt or has been hurt, by a monster or a card.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from kotp2p.referee.model.answers import Answer, Item, Pass, Reason, Seat, Stay, Swap, Yield
from kotp2p.referee.model.decision_base import DecisionBase
from kotp2p.referee.model.kinds import DamageKind


@dataclass(slots=True)
class ResponseDecision(DecisionBase):
    """RESPONSE (RULES 3.7.4): damage is about to land."""

    kind: ClassVar[str] = "response"
    damage: DamageKind
    amount: int
    """Hearts about to be lost; for LOSS, energy about to be lost."""
    dealer: Seat | None
    takes_all: bool = False
    """Whether hearts gained before it lands are lost with the rest (A-95)."""
    default: ClassVar[Answer] = Pass()

    def _own_answers(self) -> Iterator[Answer]:
        yield Pass()


@dataclass(slots=True)
class YieldDecision(DecisionBase):
    """YIELD (RULES 3.7.6): leave Tokyo or stay. City is asked first, then Bay (A-19)."""

    kind: ClassVar[str] = "yield"
    attacker: Seat
    pending: int = 0
    """Damage put aside by Jets: yielding cancels it, staying lets it land."""
    default: ClassVar[Answer] = Stay()

    def _own_answers(self) -> Iterator[Answer]:
        yield Stay()
        yield Yield()

    def _why_own_illegal(self, answer: Answer) -> Reason | None:
        return None if isinstance(answer, (Stay, Yield)) else Reason.WRONG_KIND


@dataclass(slots=True)
class SwapDecision(DecisionBase):
    """Unstable DNA: take one of the attacker's Keep cards for it."""

    kind: ClassVar[str] = "swap"
    attacker: Seat
    cards: tuple[Item, ...]
    default: ClassVar[Answer] = Pass()

    def _own_answers(self) -> Iterator[Answer]:
        yield Pass()
        for card in self.cards:
            yield Swap(card)
