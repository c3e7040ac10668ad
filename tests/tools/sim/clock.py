"""Virtual time: it jumps to the next thing that happens as soon as no task can run.

Law: no real time counts. Besides trio's deadlines there are alarms, for what waits often: a
deadline costs a scope and an exception each time. An alarm is heard only while nothing else runs,
so never before its time, and never in the middle of a step. Tasks that run on and on while no time
passes are told of: such a game would never end.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field

import trio

Wake = Callable[[], object]
"""Lets tasks run; gives something true if there was one."""
MOST_ROUNDS = 20_000
"""Rounds of trio's scheduler at one moment. The busiest games need some hundreds."""


class Standstill(Exception):
    """Something runs on and on, and the game stays where it is."""


def _give_up() -> None:
    raise Standstill(f"{MOST_ROUNDS} rounds at one virtual moment")


@dataclass(eq=False)
class SimClock(trio.abc.Clock):
    now: float = 0.0
    at_standstill: Callable[[], None] = _give_up
    """Called after so many rounds at one moment; it ends what runs."""
    _rounds: int = 0
    """Of the scheduler, at the present moment."""
    _alarms: list[tuple[float, int, Wake]] = field(default_factory=list)
    """A heap: when, in which order they were set, and what is done."""
    _order: itertools.count[int] = field(default_factory=itertools.count)

    @staticmethod
    def current() -> SimClock:
        clock = trio.lowlevel.current_clock()
        assert isinstance(clock, SimClock)
        return clock

    def set_alarm(self, due: float, wake: Wake) -> None:
        heapq.heappush(self._alarms, (due, next(self._order), wake))

    async def sleep(self, seconds: float) -> None:
        lot = trio.lowlevel.ParkingLot()
        self.set_alarm(self.now + seconds, lot.unpark_all)
        await lot.park()

    def jump(self, seconds: float) -> None:
        """Time goes by in which nobody did anything."""
        self.now += seconds
        self._rounds = 0

    def note_round(self) -> None:
        """Trio's scheduler is about to let tasks run."""
        self._rounds += 1
        if self._rounds > MOST_ROUNDS:
            self._rounds = 0
            self.at_standstill()

    # -- what trio asks ----------------------------------------------------------------------

    def start_clock(self) -> None:
        pass

    def current_time(self) -> float:
        return self.now

    def deadline_to_sleep_time(self, deadline: float) -> float:
        """Trio asks when no task can run: the time for what comes next is now."""
        alarms = self._alarms
        while True:
            due = min(deadline, alarms[0][0]) if alarms else deadline
            if due == math.inf:
                return math.inf
            if due > self.now:
                self.now, self._rounds = due, 0
            woken = deadline <= self.now
            while alarms and alarms[0][0] <= self.now:
                woken = bool(heapq.heappop(alarms)[2]()) or woken
            if woken:
                return 0.0
