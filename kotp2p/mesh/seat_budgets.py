"""The budgets of the other seats: one for each, for the whole game (PROTOCOL.md 9.9).

Scope: which budget is whose, and what they are charged by the time of the last frame or tick.
Not here: the numbers (`kotp2p.budgets`).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from kotp2p.budgets import Budget
from kotp2p.referee.model.answers import Seat


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
        """Whether news of `author` may be passed on; if so it counts."""
        relays = self.of(author).relays
        if not relays.has(1, self.now):
            return False
        relays.charge(1, self.now)
        return True

    def has_work_left(self, seat: Seat) -> bool:
        return self.of(seat).work.has(1, self.now)
