"""After a restart: who is back, and when this seat may decide again (PROTOCOL.md 10.6)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from referee.answers import Seat

PATIENCE = 3.0
"""Seconds before it is said who has not come back: who is on his way is not missing yet."""


@dataclass(slots=True)
class Comeback:
    missing: set[Seat] = field(default_factory=set)
    """Seats that the game needs and that have not been there since the restart."""
    due: float = math.inf
    """When it may be said who is missing."""
    _told: tuple[Seat, ...] | None = None
    _unheard: set[Seat] = field(default_factory=set)
    """Seats that have not told yet how far they are. No decision is signed before, as an older
    copy of the log might lack one that was signed already."""
    _furthest: int = 0
    """The greatest height told."""

    def begin(self, needed: Iterable[Seat], now: float) -> None:
        self.missing = set(needed)
        self._unheard = set(self.missing)
        self.due = now + PATIENCE if self.missing else math.inf

    def hear(self, seat: Seat, height: int) -> None:
        """`seat` has told how far it is."""
        self._unheard.discard(seat)
        self._furthest = max(self._furthest, height)

    def may_decide(self, height: int) -> bool:
        return not self._unheard and height >= self._furthest

    def gather(self, there: Iterable[Seat], now: float) -> tuple[Seat, ...] | None:
        """Who is still missing, if that is news; empty once all are back."""
        self.missing -= set(there)
        still = tuple(sorted(self.missing))
        if still == self._told or (self._told is None and still and now < self.due):
            return None
        self._told, self.due = still, math.inf
        return still
