"""What has happened and has not been shown yet: which of it is due, by a clock that is handed in.

Scope: a queue of steps, each of which stands for a moment (its dwell time) before the next one is
shown. The queue is at most `MAX_SECONDS_BEHIND` late (more in a lesson, for which nobody waits),
and at most `MAX_SECONDS_OF_OWN_CLOCK` from the moment at which a clock of the player's own runs. If
more is in it than fits, it hurries, up to `MAX_HASTE` times as fast; what does not fit even so is
shown at once, the oldest first. What is marked as lasting stands for a moment even then.
Not here: what a step is and how long it stands (`steps`), and who waits for the clock
(`paced_front`).
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from kotp2p.cli.system.options import Speed

T = TypeVar("T")
MAX_SECONDS_BEHIND = 10.0
MAX_SECONDS_BEHIND_IN_LESSON = 40.0
"""Enough for the turns of three bots at the slow speed."""
MAX_SECONDS_OF_OWN_CLOCK = 2.0
MAX_HASTE = 2.0
DWELL_FACTORS = {Speed.SLOW: 1.8, Speed.NORMAL: 1.0, Speed.FAST: 0.4, Speed.INSTANT: 0.0}


class RunningClock(StrEnum):
    """What of the player's own may run while something is being shown."""

    QUESTION = "question"
    OFFER = "offer"


@dataclass(frozen=True, slots=True)
class _Queued(Generic[T]):
    what: T
    dwell: float
    arrived_at: float
    is_lasting: bool


class PresentationQueue(Generic[T]):
    def __init__(self, speed: Speed = Speed.INSTANT) -> None:
        self.speed = speed
        self.on_change: Callable[[], None] = lambda: None
        """Called when more may be due than before, though no time has passed."""
        self.is_lesson = False
        """Only bots play with this player, who is learning the game."""
        self.has_ended = False
        """The game is over, and the player may still be shown how."""
        self._waiting: deque[_Queued[T]] = deque()
        self._dwell_waiting = 0.0
        """The sum of the dwell times of what waits, in seconds at normal speed."""
        self._free_at = -math.inf
        """When what was shown last has stood for long enough."""
        self._jumps = False
        self._clocks: dict[RunningClock, float] = {}
        """Since when each clock runs."""

    @property
    def is_behind(self) -> bool:
        """Something has happened that was not shown."""
        return bool(self._waiting)

    def put(self, what: T, dwell: float, now: float, *, is_lasting: bool = False) -> None:
        """`dwell` is in seconds at normal speed. With 0 it is shown together with what comes
        before it. `is_lasting`: it is not skipped, as long as there is time."""
        self._waiting.append(_Queued(what, dwell, now, is_lasting))
        self._dwell_waiting += dwell

    def take_due(self, now: float) -> list[T]:
        """What is to be shown now, in the order in which it came."""
        due: list[T] = []
        while self._waiting and now >= self._due_at(self._waiting[0]):
            due.append(self._take_first(now))
        if not self._waiting:
            self._jumps, self._dwell_waiting = False, 0.0
        return due

    def next_due(self) -> float:
        """When `take_due` has something; infinite if nothing waits."""
        return self._due_at(self._waiting[0]) if self._waiting else math.inf

    def jump(self) -> None:
        """Everything that waits is due."""
        self._jumps = self.is_behind
        self.on_change()

    def begin_lesson(self) -> None:
        """Slowly, as long as the player chooses nothing else."""
        self.is_lesson = True
        self.choose_speed(Speed.SLOW)

    def choose_speed(self, speed: Speed) -> None:
        """What stands now stands for as long as before."""
        self.speed = speed
        self.on_change()

    def end_dwell(self) -> None:
        """What was shown last has been read: the player has answered it."""
        self._free_at = -math.inf

    def start_clock(self, clock: RunningClock, now: float) -> None:
        self._clocks.setdefault(clock, now)
        self.on_change()

    def stop_clock(self, clock: RunningClock) -> None:
        self._clocks.pop(clock, None)

    # -- when ----------------------------------------------------------------------------

    def _due_at(self, first: _Queued[T]) -> float:
        if self._jumps or self.speed is Speed.INSTANT or not first.dwell:
            return -math.inf
        return min(self._free_at, self._latest(first))

    def _latest(self, queued: _Queued[T]) -> float:
        """When this must have been shown."""
        ends = [started + MAX_SECONDS_OF_OWN_CLOCK for started in self._clocks.values()]
        return min([queued.arrived_at + self._max_seconds_behind, *ends])

    @property
    def _max_seconds_behind(self) -> float:
        is_unhurried = self.is_lesson and self.speed is Speed.SLOW
        return MAX_SECONDS_BEHIND_IN_LESSON if is_unhurried else MAX_SECONDS_BEHIND

    def _take_first(self, now: float) -> T:
        taken = self._waiting.popleft()
        self._dwell_waiting -= taken.dwell
        if taken.dwell:
            self._free_at = now + self._seconds_to_stand(taken, now)
        return taken.what

    def _seconds_to_stand(self, taken: _Queued[T], now: float) -> float:
        """For how long what is shown now stays alone, so that what waits can still be shown."""
        seconds = taken.dwell * DWELL_FACTORS[self.speed]
        if self._jumps:
            return 0.0
        if not self._waiting:
            return seconds
        last = self._waiting[-1]
        needed = seconds + (self._dwell_waiting - last.dwell) * DWELL_FACTORS[self.speed]
        left = max(0.0, self._latest(last) - now)
        if needed <= left:
            return seconds
        if needed <= left * MAX_HASTE:
            return seconds * left / needed
        return seconds / MAX_HASTE if taken.is_lasting else 0.0
