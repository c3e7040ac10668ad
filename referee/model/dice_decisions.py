"""Decisions about dice: rolling, changing, and what to do with the faces (RULES 3.3 to 3.6).

Scope: questions to a seat while dice lie on the table.

Not here: what follows from claws (`damage_decisions`) or from cards (`card_decisions`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import ClassVar

from kotp2p.referee.model.answers import (
    CLAW,
    Answer,
    Done,
    Face,
    Hearts,
    Order,
    Pass,
    Reason,
    Reroll,
    Seat,
    Stop,
)
from kotp2p.referee.model.decision_base import DecisionBase


@dataclass(slots=True)
class RollDecision(DecisionBase):
    """ROLL (RULES 3.3): reroll some dice, use a card, or stop."""

    kind: ClassVar[str] = "roll"
    dice: tuple[Face, ...]
    rolls_left: int
    default: ClassVar[Answer] = Stop()

    def _own_answers(self) -> Iterator[Answer]:
        yield Stop()
        if self.rolls_left:
            for size in range(1, len(self.dice) + 1):
                for chosen in combinations(range(len(self.dice)), size):
                    yield Reroll(chosen)

    def _why_own_illegal(self, answer: Answer) -> Reason | None:
        if isinstance(answer, Stop):
            return None
        if not isinstance(answer, Reroll):
            return Reason.WRONG_KIND
        if not self.rolls_left:
            return Reason.NO_ROLL_LEFT
        last = -1
        for position in answer.dice:
            if position <= last:
                return Reason.NO_SUCH_DIE
            last = position
        return None if 0 <= last < len(self.dice) else Reason.NO_SUCH_DIE


@dataclass(slots=True)
class ProbeDecision(DecisionBase):
    """PROBE_WINDOW (RULES 3.4): `seat` may make `target` reroll one die."""

    kind: ClassVar[str] = "probe"
    target: Seat
    dice: tuple[Face, ...]
    default: ClassVar[Answer] = Pass()

    def _own_answers(self) -> Iterator[Answer]:
        yield Pass()


@dataclass(slots=True)
class ChangeDecision(DecisionBase):
    """CHANGE_DICE (RULES 3.5)."""

    kind: ClassVar[str] = "change"
    dice: tuple[Face, ...]
    default: ClassVar[Answer] = Done()

    def _own_answers(self) -> Iterator[Answer]:
        yield Done()


@dataclass(slots=True)
class OrderDecision(DecisionBase):
    """In which order the groups of dice are resolved (RULES 3.6, A-105)."""

    kind: ClassVar[str] = "order"
    groups: tuple[Face, ...]
    """The groups that can be ordered, in the order of the faces."""
    optional_claws: bool = False
    """Whether the claws come from cards alone: an order that leaves them out has them last."""

    @property
    def default(self) -> Answer:
        return Order(self.groups)

    def _own_answers(self) -> Iterator[Answer]:
        for order in permutations(self.groups):
            yield Order(order)
        if self.optional_claws:
            for order in permutations(self._groups_with_dice()):
                yield Order(order)

    def _why_own_illegal(self, answer: Answer) -> Reason | None:
        if not isinstance(answer, Order):
            return Reason.WRONG_KIND
        named = sorted(answer.groups)
        if named == list(self.groups):
            return None
        if self.optional_claws and named == self._groups_with_dice():
            return None
        return Reason.NOT_THE_GROUPS

    def _groups_with_dice(self) -> list[Face]:
        return [face for face in self.groups if face is not CLAW or not self.optional_claws]


@dataclass(slots=True)
class HeartsDecision(DecisionBase):
    """How the heart dice are split (3.6).

    It is asked whenever a heart die can do anything, since hearts may also be wasted. The front
    answers by itself where there is nothing but healing to do.
    """

    kind: ClassVar[str] = "hearts"
    hearts: int
    heal: int
    """The most hearts that may heal the seat itself: all, or 0 where hearts do not heal."""
    poison: int
    shrink: int
    """The most tokens that may be removed."""
    patients: tuple[tuple[Seat, int], ...] = ()
    """Healing Ray: (seat, the most hearts that it can take), by seat."""

    @property
    def default(self) -> Answer:
        return Hearts(heal=self.heal)

    def _own_answers(self) -> Iterator[Answer]:
        all_gifts = self._list_gifts()
        for heal in range(self.heal, -1, -1):
            for poison in range(self.poison + 1):
                for shrink in range(self.shrink + 1):
                    left = self.hearts - heal - poison - shrink
                    for gifts, given in all_gifts:
                        if given <= left:
                            yield Hearts(heal, poison, shrink, gifts)

    def _list_gifts(self) -> list[tuple[tuple[tuple[Seat, int], ...], int]]:
        """What may be given to the patients, each time with the hearts given in all."""
        if not self.patients:
            return [((), 0)]
        seats = [seat for seat, _ in self.patients]
        found = []
        for amounts in product(*[range(most + 1) for _, most in self.patients]):
            gifts = [(seat, n) for seat, n in zip(seats, amounts, strict=True) if n]
            found.append((tuple(gifts), sum(amounts)))
        return found

    def _why_own_illegal(self, answer: Answer) -> Reason | None:
        if not isinstance(answer, Hearts):
            return Reason.WRONG_KIND
        spent = answer.heal + answer.poison + answer.shrink
        if answer.give:
            if (reason := self._why_gifts_illegal(answer.give)) is not None:
                return reason
            spent += sum([n for _, n in answer.give])
        if not (
            0 <= answer.heal <= self.heal
            and 0 <= answer.poison <= self.poison
            and 0 <= answer.shrink <= self.shrink
        ):
            return Reason.TOO_MANY
        return Reason.TOO_MANY if spent > self.hearts else None

    def _why_gifts_illegal(self, gifts: tuple[tuple[Seat, int], ...]) -> Reason | None:
        given = [seat for seat, _ in gifts]
        most = dict(self.patients)
        if given != sorted(set(given)) or not most.keys() >= set(given):
            return Reason.NOT_A_TARGET
        return Reason.TOO_MANY if any(n < 1 or n > most[seat] for seat, n in gifts) else None
