"""The beat at which a process checks its links, and says that it is there.

Scope: when the next PING and the next heartbeat are due, and whether this machine was stopped since
the last tick.
Not here: the heartbeat frame itself, which only a keeper signs (`kotp2p.peer.peer`).
"""

from __future__ import annotations

from dataclasses import dataclass

PING_SECONDS = 2.0
HEAD_SECONDS = 5.0
"""A HEAD is sent this long after the game has moved last, and again for as long as it stands."""
MAX_TICK_GAP_SECONDS = 12.0
"""A longer gap between two ticks means that this machine was stopped, not the others."""


@dataclass(slots=True)
class Heartbeat:
    due: float = 0.0
    """When the next PING is due."""
    _head_due: float = 0.0
    _last_tick: float = 0.0

    def start(self, now: float) -> None:
        self.due, self._last_tick = now + PING_SECONDS, now
        self._head_due = now + HEAD_SECONDS

    def note_tick(self, now: float) -> bool:
        """Whether this machine was stopped since the tick before."""
        was_stopped = now - self._last_tick > MAX_TICK_GAP_SECONDS
        self._last_tick = now
        return was_stopped

    def note_move(self, now: float) -> None:
        """The game has moved, which all others hear."""
        self._head_due = now + HEAD_SECONDS

    def take_ping(self, now: float) -> bool:
        """Whether a PING is due. If so, the next one is scheduled."""
        if now < self.due:
            return False
        self.due = now + PING_SECONDS
        return True

    def take_head(self, now: float) -> bool:
        """Whether a HEAD is due, which is asked at each PING. If so, the next one is scheduled."""
        if now < self._head_due:
            return False
        self._head_due = now + HEAD_SECONDS
        return True
