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
"""How often a keeper goes up at once in one second, but after most others."""
FEW = 8
PULLS_AT_ONCE, PULLS_AGAIN = 16.0, 0.01
"""How often a keeper may move this one by more than `FEW` attempts, at once and again in a second:
without end it could keep two others apart."""


@dataclass
class Pace:
    attempt: int = 1
    top: int = 1
    """The greatest attempt to which it has moved."""
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

    def come_to(self, attempt: int, process: Process) -> None:
        """Come to an attempt, or above all if it was READY there before."""
        said = process.said
        self.attempt, self.came = max(said) + 1 if attempt in said else attempt, process.now
        self.top = max(self.top, self.attempt)

    def may_jump(self, now: float) -> bool:
        """Go up at once on a new fact, at most three times in one second."""
        self.jumps = [t for t in self.jumps if t > now - SHORTEST]
        if len(self.jumps) >= JUMPS:
            return False
        self.jumps.append(now)
        return True

    def heed_leaves(self, process: Process) -> None:
        """A LEAVE takes who knows it to the attempt above the one that it names (rule 3)."""
        for leave in process.book.leaves.values():
            is_here = leave.keeper in process.lineup.members
            if is_here and self.attempt <= leave.attempt <= self.attempt + AHEAD:
                self.come_to(leave.attempt + 1, process)

    def pulls_left(self, keeper: int, now: float) -> float:
        left, since = self.pulls.get(keeper, (PULLS_AT_ONCE, now))
        return min(PULLS_AT_ONCE, left + PULLS_AGAIN * (now - since))

    def above(self, process: Process) -> list[tuple[int, int]]:
        """The newest READYs of other members far above, with who says them.

        As far as most have signed it is no other one alone that takes this keeper along.
        """
        book, me = process.book, process.me
        others = process.lineup.members - {me}
        newest = {k: max([book.newest.get(k, 0), *book.signed[k]]) for k in sorted(others)}
        shared = sorted(newest.values(), reverse=True)[len(others) // 2 :]
        if shared and shared[0] > self.top + FEW:
            return [(shared[0], me)]
        if not process.is_member:
            return []
        return sorted(
            (min(book.newest[k], self.top + AHEAD), k)
            for k in others
            if book.newest.get(k, 0) > self.top + FEW and self.pulls_left(k, process.now) >= 1.0
        )

    def go_along(self, process: Process, *, with_one: bool = True) -> None:
        """Go up, to the others where they are far above: with a long T it would stay behind."""
        above = [(at, k) for at, k in self.above(process) if with_one or k == process.me]
        attempt, keeper = next(iter(above), (self.attempt + 1, process.me))
        if keeper != process.me:
            self.pulls[keeper] = self.pulls_left(keeper, process.now) - 1.0, process.now
        self.come_to(attempt, process)

    def fail(self, process: Process) -> None:
        """Go up from an attempt; if the keeper was READY in it, it came to nothing."""
        if process.ready is not None:
            self.wait = min(2 * self.wait, LONGEST)
        self.go_along(process)

    def poll(self, process: Process) -> None:
        now = process.now
        self.heed_leaves(process)
        if process.ready is None and self.attempt in process.said:
            self.come_to(max(process.bound + 1, self.attempt), process)
        if process.ready is None and not process.wants_line_up():
            return
        above = self.above(process)
        if above and now >= self.came + self.wait:
            self.fail(process)
        elif above and above[0][1] == process.me and self.may_jump(now):
            self.go_along(process)
        elif process.ready is not None and now >= self.came + 2 * self.wait:
            self.fail(process)

    def next_time(self, process: Process, now: float) -> float:
        """Return when it goes up without hearing anything; soon, if that time has passed."""
        if process.ready is None and not process.wants_line_up():
            return float("inf")
        if self.above(process):
            when = self.came + self.wait
        elif process.ready is not None:
            when = self.came + 2 * self.wait
        else:
            return float("inf")
        return max(when, now + SOON)
