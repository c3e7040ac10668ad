"""The beat at which a process checks its links and says how far it has come.

Scope: when the next beat is due, and whether this machine was stopped since the last tick.
Not here: the heartbeat frame itself, which only a seat signs (`kotp2p.membership.presence`).
"""

from __future__ import annotations

from dataclasses import dataclass

HEARTBEAT_SECONDS = 5.0
MIN_HEARTBEAT_SECONDS = 1.0
"""Between two beats, also where one is wanted at once."""
MAX_TICK_GAP_SECONDS = HEARTBEAT_SECONDS + 10.0
"""A longer gap between two ticks means that this machine was stopped, not the others."""


@dataclass(slots=True)
class Heartbeat:
    due: float = 0.0
    """When the next beat is due."""
    _last_tick: float = 0.0

    def start(self, now: float) -> None:
        self.due, self._last_tick = now + HEARTBEAT_SECONDS, now

    def note_tick(self, now: float) -> bool:
        """Whether this machine was stopped since the tick before."""
        was_stopped = now - self._last_tick > MAX_TICK_GAP_SECONDS
        self._last_tick = now
        return was_stopped

    def hasten(self, now: float) -> None:
        """The next beat is wanted at once."""
        last = self.due - HEARTBEAT_SECONDS
        self.due = min(self.due, max(now, last + MIN_HEARTBEAT_SECONDS))

    def take_beat(self, now: float) -> bool:
        """Whether a beat is due. If so, the next one is scheduled."""
        if now < self.due:
            return False
        self.due = now + HEARTBEAT_SECONDS
        return True
