"""When a keeper goes up to a later attempt: the pace of LINEUPS rule 5, a view synchronizer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.tools.lineup_model.finding import AHEAD

if TYPE_CHECKING:
    from tests.tools.lineup_model.keeper import Process

SHORTEST, LONGEST = 1.0, 16.0
SOON = 0.001
JUMPS = 3
"""How often a keeper goes up at once in one T."""
FEW = 8
PULLS_AT_ONCE, PULLS_AGAIN = 16.0, 0.01
"""How often a keeper may move this one by more than `FEW` attempts, at once and again in a second:
without end it could keep two others apart."""


@dataclass
class Pace:
    attempt: int = 1
    came: float = 0.0
    wait: float = SHORTEST
    """T."""
    jumps: list[float] = field(default_factory=list)
    pulls: dict[int, tuple[float, float]] = field(default_factory=dict)
    """By keeper: how much was left of its budget, and when."""

    def reset(self) -> None:
        """Begin anew when a gather has closed."""
        self.wait = SHORTEST
        self.pulls.clear()

    def come_to(self, attempt: int, now: float) -> None:
        self.attempt, self.came = attempt, now

    def may_jump(self, now: float) -> bool:
        """Go up at once on a new fact, at most three times in one T."""
        self.jumps = [t for t in self.jumps if t > now - self.wait]
        if len(self.jumps) >= JUMPS:
            return False
        self.jumps.append(now)
        return True

    def fail(self, attempt: int, process: Process, now: float) -> None:
        """Go up from an attempt; if the keeper was READY in it, it came to nothing."""
        if process.ready is not None:
            self.wait = min(2 * self.wait, LONGEST)
        self.come_to(attempt, now)

    def heed_leaves(self, process: Process, now: float) -> None:
        """A LEAVE takes who knows it to the attempt above the one that it names (rule 3)."""
        for leave in process.book.leaves.values():
            is_here = leave.keeper in process.lineup.members
            if is_here and self.attempt <= leave.attempt <= self.attempt + AHEAD:
                self.come_to(leave.attempt + 1, now)

    def pulls_left(self, keeper: int, now: float) -> float:
        left, since = self.pulls.get(keeper, (PULLS_AT_ONCE, now))
        return min(PULLS_AT_ONCE, left + PULLS_AGAIN * (now - since))

    def above(self, process: Process) -> list[tuple[int, int]]:
        """The newest READYs of other members above this attempt, with who says them."""
        newest = process.book.newest
        others = (k for k in process.lineup.members if k != process.me)
        found = ((min(newest.get(k, 0), self.attempt + AHEAD), k) for k in others)
        few = self.attempt + FEW
        return sorted(
            (a, k)
            for a, k in found
            if a > self.attempt and (a <= few or self.pulls_left(k, process.now) >= 1.0)
        )

    def pulled_to(self, attempt: int, keeper: int, now: float) -> int:
        """Return this attempt, to which the READY of a keeper takes this one."""
        if attempt > self.attempt + FEW:
            self.pulls[keeper] = self.pulls_left(keeper, now) - 1.0, now
        return attempt

    def go_along(self, process: Process, now: float) -> None:
        """Go up for a new finding, to the others where they are ahead.

        By one alone a keeper with a long T would stay ever further behind one with a short T.
        """
        above = self.above(process)
        self.come_to(self.pulled_to(*above[0], now) if above else self.attempt + 1, now)

    def poll(self, process: Process, now: float) -> None:
        self.heed_leaves(process, now)
        while True:
            above = self.above(process)
            others = len(process.lineup.members - {process.me})
            if (len(above) >= 2 and 2 * len(above) > others) or (
                above and now >= self.came + self.wait
            ):
                self.fail(self.pulled_to(*above[0], now), process, now)
            elif process.ready is not None and now >= self.came + 2 * self.wait:
                self.fail(self.attempt + 1, process, now)
            else:
                return

    def next_time(self, process: Process, now: float) -> float:
        """Return when it goes up without hearing anything; soon, if that time has passed while it
        was quiet."""
        if self.above(process):
            when = self.came + self.wait
        elif process.ready is not None:
            when = self.came + 2 * self.wait
        else:
            return float("inf")
        return max(when, now + SOON)
