"""The pace of the other seats: one budget for each, and what it tells at most (PROTOCOL.md 9.9).

Scope: which budget is whose, what it is charged by the time of the last frame or tick, and which
notices wait because of it.
Not here: the numbers (`kotp2p.seams.budgets`).
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TypeAlias

from kotp2p.mesh.effects import Effect, ShowNotice
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.budgets import NOTICES_AT_ONCE, Budget
from kotp2p.seams.notices import (
    Detour,
    LinkChanged,
    Notice,
    Quiet,
    StopWanted,
    Unsteady,
    UnsteadyMatter,
    Wished,
)

# -- the budgets of the other seats --------------------------------------------------------


@dataclass(slots=True)
class SeatBudgets:
    now: float = 0.0
    """The time of the last frame or tick."""
    _of_seat: defaultdict[Seat, Budget] = field(
        default_factory=lambda: defaultdict(Budget.for_seat)
    )

    def of(self, seat: Seat) -> Budget:
        return self._of_seat[seat]

    def charge_work(self, seat: Seat, units: float) -> None:
        self.of(seat).work.charge(units, self.now)

    def may_relay(self, author: Seat) -> bool:
        """Return whether news of `author` may be passed on; if so, charge its budget."""
        relays = self.of(author).relays
        if not relays.has(1, self.now):
            return False
        relays.charge(1, self.now)
        return True

    def has_work_left(self, seat: Seat) -> bool:
        return self.of(seat).work.has(1, self.now)


# -- what a seat can make happen as often as it likes is told at a pace --------------------
#
# Notices about links and wishes. Beyond the budget of their seat the player is told once that
# there are many. The newest of each kind is kept, and told later.
#
# A wish to go on without the player of this seat is told at once, unless it was the last one
# told. So to have it told again, its seat must first have another wish told, which its budget
# limits.


PacedNotice: TypeAlias = LinkChanged | Quiet | Detour | StopWanted | Wished
MATTERS: dict[type[PacedNotice], UnsteadyMatter] = {
    LinkChanged: UnsteadyMatter.CONNECTION,
    Quiet: UnsteadyMatter.CONNECTION,
    Detour: UnsteadyMatter.CONNECTION,
    StopWanted: UnsteadyMatter.WISHES,
    Wished: UnsteadyMatter.WISHES,
}


@dataclass(slots=True)
class PacedTopic:
    """One kind of notice about one seat."""

    told: PacedNotice | None = None
    """The last notice that was shown."""
    kept: PacedNotice | None = None
    """The newest one, if it waits."""


@dataclass(slots=True)
class NoticePace:
    seat: Seat
    """The seat of this process."""
    budgets: SeatBudgets
    _topics: dict[tuple[Seat, type[PacedNotice]], PacedTopic] = field(default_factory=dict)
    _unsteady: set[tuple[Seat, UnsteadyMatter]] = field(default_factory=set)
    """What was shown to the player as unsteady, until the budget of the seat is whole again."""
    _done: int = 0
    """How many effects at the front of the list were paced before."""

    @property
    def due(self) -> float:
        """Return when a kept notice can be shown; infinity if none is kept."""
        now = self.budgets.now
        waiting = {seat for (seat, _), topic in self._topics.items() if topic.kept is not None}
        if not waiting:
            return math.inf
        times = [self.budgets.of(seat).notices.next_time(1, now) for seat in waiting]
        return min(times)

    def forget_effects(self) -> None:
        """Start with a new list of effects: the old one was handed over."""
        self._done = 0

    def pace_effects(self, effects: list[Effect]) -> None:
        """Replace the new notices in the list by those that may be shown now."""
        new = effects[self._done :]
        del effects[self._done :]
        for effect in new:
            if isinstance(effect, ShowNotice) and isinstance(effect.notice, PacedNotice):
                effects += [ShowNotice(notice) for notice in self._tell(effect.notice)]
            else:
                effects.append(effect)
        effects += [ShowNotice(notice) for notice in self._tell_kept()]
        self._done = len(effects)

    def _tell(self, notice: PacedNotice) -> list[Notice]:
        topic = self._topics.setdefault((notice.seat, type(notice)), PacedTopic())
        if isinstance(notice, Wished) and self.seat in notice.without:
            topic.kept = None
            if notice == topic.told:
                return []
            topic.told = notice
            return [notice]
        notices = self.budgets.of(notice.seat).notices
        if topic.kept is None and notices.has(1, self.budgets.now):
            notices.charge(1, self.budgets.now)
            topic.told = notice
            return [notice]
        topic.kept = notice
        matter = (notice.seat, MATTERS[type(notice)])
        if matter in self._unsteady:
            return []
        self._unsteady.add(matter)
        return [Unsteady(*matter)]

    def _tell_kept(self) -> list[Notice]:
        """Return the kept notices that may be shown by now and were not shown already."""
        found: list[Notice] = []
        for (seat, _), topic in self._topics.items():
            notices, kept = self.budgets.of(seat).notices, topic.kept
            if kept is None or not notices.has(1, self.budgets.now):
                continue
            topic.kept = None
            if kept != topic.told:
                notices.charge(1, self.budgets.now)
                topic.told = kept
                found.append(kept)
        self._unsteady = {
            (seat, matter)
            for seat, matter in self._unsteady
            if not self.budgets.of(seat).notices.has(NOTICES_AT_ONCE, self.budgets.now)
        }
        return found
