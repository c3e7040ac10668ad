"""Rate limit for chat: at most `most` lines of one speaker within `within` seconds."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from kotp2p.wire.encoding import cleaned
from kotp2p.wire.frame_types import MAX_TEXT


@dataclass(slots=True)
class RateLimit:
    max_lines: int
    window_seconds: float
    """The span in seconds."""
    _times: deque[float] = field(default_factory=deque)
    """Of what was allowed, at most `most` of them."""

    def allows(self, now: float) -> bool:
        """Whether one more may be; if so it counts."""
        while self._times and now >= self._times[0] + self.window_seconds:
            self._times.popleft()
        if len(self._times) >= self.max_lines:
            return False
        self._times.append(now)
        return True


MAX_CHAT_LINES = 8
"""Lines of chat that one speaker may say within `WHILE` seconds."""


CHAT_WINDOW_SECONDS = 10.0


def clean_chat_line(words: str) -> str:
    """A line of chat as it may be sent; empty if nothing is left of it."""
    return cleaned(words).strip()[:MAX_TEXT].strip()


def new_chat_limit() -> RateLimit:
    """How often one speaker is heard, in the lobby and in a game; the rest is dropped."""
    return RateLimit(MAX_CHAT_LINES, CHAT_WINDOW_SECONDS)
