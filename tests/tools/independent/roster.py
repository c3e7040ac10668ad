"""Who plays: what the plans of line-ups make of the genesis. Section 9.2."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from tests.tools.independent.bodies import ABSENT, BACK, CHEATED, LEFT, Change, LineUp
from tests.tools.independent.genesis import Genesis, Seat
from tests.tools.independent.wire import need


@dataclass(frozen=True)
class Roster:
    id: bytes
    """Of the line-up."""
    attempt: int
    keepers: tuple[int | None, ...]
    """By seat."""
    members: frozenset[int]
    out: dict[int, int]
    """By keeper that is out: the reason."""
    instances: dict[int, bytes]
    """By keeper: the last process that was named."""

    @staticmethod
    def first(genesis: Genesis) -> Roster:
        keepers = tuple(seat.keeper for seat in genesis.seats)
        return Roster(genesis.game, 0, keepers, frozenset(genesis.keepers), {}, {})

    def makers(self, living: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted({k for s in living if (k := self.keepers[s]) is not None}))

    def check(self, plan: Iterable[Change], living: Collection[int]) -> None:
        """B4. Malformed if it does not hold."""
        for change in plan:
            keeper = change.keeper
            need((keeper in self.members) == (change.reason != BACK), "not one that plays")
            if change.reason == BACK:
                need(self.out.get(keeper) == ABSENT and keeper in living, "nothing to come back to")
            if change.instance is not None:
                need(change.instance > self.instances.get(keeper, b""), "an earlier process")

    def members_after(self, plan: Iterable[Change]) -> frozenset[int]:
        gone = {change.keeper for change in plan if change.reason <= ABSENT}
        come = {change.keeper for change in plan if change.reason == BACK}
        return self.members - gone | come

    def has_most(self, members: frozenset[int], plans: Iterable[Change]) -> bool:
        """More than half of the members here, less those that one of the plans names so?"""
        counted = self.members - {c.keeper for c in plans if c.reason in (CHEATED, LEFT)}
        return 2 * len(counted & members) > len(counted)

    def after(self, up: LineUp, seats: list[Seat]) -> Roster:
        members = self.members_after(up.plan)
        out = {k: reason for k, reason in self.out.items() if k not in up.named(BACK)}
        out |= {change.keeper: change.reason for change in up.plan if change.reason <= ABSENT}
        named = {c.keeper: c.instance for c in up.plan if c.instance is not None}
        keepers = tuple(self._keeper(seat, up, members, seats) for seat in range(len(seats)))
        return Roster(up.id, up.attempt, keepers, members, out, self.instances | named)

    def _keeper(
        self, seat: int, up: LineUp, members: frozenset[int], seats: list[Seat]
    ) -> int | None:
        if seat in up.named(CHEATED, LEFT):
            return None
        if seat in up.named(BACK):
            return seat
        keeper = self.keepers[seat]
        if keeper is None or keeper in members:
            return keeper
        clockwise = [(seat + n) % len(seats) for n in range(1, len(seats) + 1)]
        there = [other for other in clockwise if other in members]
        persons = [other for other in there if not seats[other].automatic]
        return next(iter(persons or there), None)
