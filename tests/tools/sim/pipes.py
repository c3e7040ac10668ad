"""One direction of a simulated connection, and what waits in it; see `tests.tools.sim.net`."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import trio


@dataclass(eq=False, slots=True)
class Pipe:
    """One direction of a connection."""

    source: str
    target: str
    is_watched: bool = False
    """It leads to somebody who only watches, or comes from there."""
    waiting: deque[tuple[float, bytes]] = field(default_factory=deque)
    size: int = 0
    broken: bool = False
    """Both ends know, or learn at their next call."""
    hole: bool = False
    """What is sent is lost."""
    unread: bool = False
    """The reader has closed: who sends is told."""
    rebooted: bool = False
    """The machine at the far end has forgotten this connection: it answers with a reset."""
    latest: float = 0.0
    lot: trio.lowlevel.ParkingLot = field(default_factory=trio.lowlevel.ParkingLot)

    def wake(self) -> None:
        self.lot.unpark_all()
