"""Bounds on chat: how long a line may be, and how often one speaker is heard (PROTOCOL.md 9.7).

Scope: a clean line, and a rate limit. The time comes in as an argument.
Not here: to which seats a line goes (`kotp2p.lobby`, `kotp2p.mesh.chat`).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from kotp2p.wire.clean_text import clean_text
from kotp2p.wire.frame_types import MAX_TEXT

MAX_CHAT_LINES = 8
"""How many lines of one speaker are heard within `CHAT_WINDOW_SECONDS`."""
CHAT_WINDOW_SECONDS = 10.0


@dataclass(slots=True)
class RateLimit:
    """A limit that allows at most `max_lines` within any span of `window_seconds`."""

    max_lines: int
    window_seconds: float
    _times: deque[float] = field(default_factory=deque)
    """When the lines of the last window were allowed, oldest first."""

    def allows(self, now: float) -> bool:
        """Whether one more line is allowed at `now`; if so, it is counted."""
        while self._times and now >= self._times[0] + self.window_seconds:
            self._times.popleft()
        if len(self._times) >= self.max_lines:
            return False
        self._times.append(now)
        return True


def new_chat_limit() -> RateLimit:
    """The limit for one speaker, in the lobby and in a game. Lines beyond it are dropped."""
    return RateLimit(MAX_CHAT_LINES, CHAT_WINDOW_SECONDS)


def clean_chat_line(words: str) -> str:
    """`words` as a line of chat may be: clean, stripped, at most `MAX_TEXT` characters.

    Empty if nothing is left.
    """
    return clean_text(words).strip()[:MAX_TEXT].strip()
