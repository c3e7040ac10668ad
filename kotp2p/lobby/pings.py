"""How both sides of a lobby notice that a link is dead: pings, and silence."""

from __future__ import annotations

import math
from dataclasses import dataclass

from kotp2p.wire.frames import PING_SECONDS


@dataclass(slots=True)
class PingTimer:
    deadline: float = math.inf
    """When the lobby wants to be ticked next."""
    _next_ping: float = 0.0

    def is_due(self, now: float) -> bool:
        """Whether a ping is to be sent now; if so, the time to the next one begins."""
        if now < self._next_ping:
            return False
        self._next_ping = now + PING_SECONDS
        return True

    def rest(self, now: float) -> None:
        """Until the next tick, which comes often enough to be late by half a ping at most."""
        self.deadline = now + PING_SECONDS / 2
