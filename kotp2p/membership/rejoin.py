"""After a restart: who is back, and when this seat may decide again (PROTOCOL.md 10.6)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from referee.model.answers import Seat

REPORT_MISSING_AFTER_SECONDS = 3.0
"""Seconds before it is said who has not come back: who is on his way is not missing yet."""

WAIT_FOR_HEADS_SECONDS = 30.0
"""Seconds after which those that have not told how far they are are not waited for."""

BELIEVE_CLAIM_SECONDS = 60.0
"""Seconds within which somebody must show what he has told to have: more is not waited for, as
anybody may say anything."""


@dataclass(slots=True)
class Rejoin:
    missing: set[Seat] = field(default_factory=set)
    """Seats that the game needs and that have not been there since the restart."""
    _due: float = math.inf
    """When it may be said who is missing."""
    _told: tuple[Seat, ...] | None = None
    _unheard: set[Seat] = field(default_factory=set)
    """Seats that have not told yet how far they are. No decision is signed before, as an older
    copy of the log might lack one that was signed already."""
    _told_places: dict[Seat, tuple[int, int]] = field(default_factory=dict)
    """The greatest view and height that each has told."""
    _believed: dict[Seat, float] = field(default_factory=dict)
    """Until when each is waited for."""
    _foreign: set[Seat] = field(default_factory=set)
    """Emptied as soon as one of them has told."""
    _begun: float = -math.inf

    def begin(self, needed: Iterable[Seat], foreign: Iterable[Seat], now: float) -> None:
        """`foreign`: those of them that another process plays."""
        self.missing = set(needed)
        self._unheard = set(self.missing)
        self._foreign = set(foreign)
        self._begun = now
        self._due = now + REPORT_MISSING_AFTER_SECONDS if self.missing else math.inf

    def note_head(self, seat: Seat, place: tuple[int, int], now: float) -> None:
        """`seat` has told how far it is; nothing if this process has played from the start on."""
        if self._begun == -math.inf:
            return
        self._unheard.discard(seat)
        if seat in self._foreign:
            self._foreign.clear()
        self._told_places[seat] = max(self._told_places.get(seat, place), place)
        self._believed.setdefault(seat, now + BELIEVE_CLAIM_SECONDS)

    def may_decide(self, place: tuple[int, int], now: float) -> bool:
        """All have told, or those that did within `HEADS`, and this seat is as far as they."""
        return self.has_heard_others(now) and all(
            place >= told or now >= self._believed[seat] for seat, told in self._told_places.items()
        )

    def has_heard_others(self, now: float) -> bool:
        """All have told how far they are, or those that did within `HEADS`."""
        return not self._foreign and (
            not self._unheard or now >= self._begun + WAIT_FOR_HEADS_SECONDS
        )

    def next_report(self, now: float) -> float:
        """When `gather` has news by time alone; it is not asked once the game is over."""
        return self._due if self._due > now else math.inf

    def next_decision_change(self, now: float) -> float:
        """When `may_decide` changes by time alone."""
        times = list(self._believed.values())
        if self._unheard:
            times.append(self._begun + WAIT_FOR_HEADS_SECONDS)
        return min((due for due in times if due > now), default=math.inf)

    def report_missing(self, there: Iterable[Seat], now: float) -> tuple[Seat, ...] | None:
        """Who is still missing, if that is news; empty once all are back."""
        self.missing -= set(there)
        still = tuple(sorted(self.missing))
        if still == self._told or (self._told is None and still and now < self._due):
            return None
        self._told, self._due = still, math.inf
        return still
