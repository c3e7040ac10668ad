"""What another seat can make happen as often as it likes is told at a pace (PROTOCOL.md 9.9).

Scope: notices about links and wishes. Beyond the budget of their seat the player is told once that
there are many. The newest of each kind is kept, and told later.
Not here: what happens at most once, in a turn or in half a minute, and the player's own wishes. All
of that is told at once. Chat has a limit of its own (`kotp2p.wire.chat`).

A wish to go on without the player of this seat is told at once, unless it was the last one told.
So to have it told again, its seat must first have another wish told, which its budget limits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TypeAlias

from kotp2p.absence_notices import StopWanted, Wished
from kotp2p.budgets import NOTICES_AT_ONCE
from kotp2p.mesh.effects import Effect, ShowNotice
from kotp2p.mesh.seat_budgets import SeatBudgets
from kotp2p.notices import Detour, LinkChanged, Notice, Unsteady, UnsteadyMatter
from kotp2p.referee.model.answers import Seat

PacedNotice: TypeAlias = LinkChanged | Detour | StopWanted | Wished
MATTERS: dict[type[PacedNotice], UnsteadyMatter] = {
    LinkChanged: UnsteadyMatter.CONNECTION,
    Detour: UnsteadyMatter.CONNECTION,
    StopWanted: UnsteadyMatter.WISHES,
    Wished: UnsteadyMatter.WISHES,
}


@dataclass(slots=True)
class PacedTopic:
    """One kind of notice about one seat."""

    told: PacedNotice | None = None
    """The last one that was told."""
    kept: PacedNotice | None = None
    """The newest one, if it waits."""


@dataclass(slots=True)
class NoticePace:
    seat: Seat
    """The seat of this process."""
    budgets: SeatBudgets
    _topics: dict[tuple[Seat, type[PacedNotice]], PacedTopic] = field(default_factory=dict)
    _unsteady: set[tuple[Seat, UnsteadyMatter]] = field(default_factory=set)
    """What the player was told to be unsteady, until the budget of the seat is whole again."""
    _done: int = 0
    """How many effects at the front of the list were paced before."""

    @property
    def due(self) -> float:
        """When a notice that is kept can be told."""
        now = self.budgets.now
        waiting = {seat for (seat, _), topic in self._topics.items() if topic.kept is not None}
        if not waiting:
            return math.inf
        times = [self.budgets.of(seat).notices.next_time(1, now) for seat in waiting]
        return min(times)

    def forget_effects(self) -> None:
        """The list of effects was handed over: the next one is a new list."""
        self._done = 0

    def pace_effects(self, effects: list[Effect]) -> None:
        """Replaces the new notices in the list by those that may be told now."""
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
        """The kept notices whose seats may have one told by now, unless it was told already."""
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
