"""Chat: the form of a line, how long it may be, and how often a speaker is heard (PROTOCOL.md 9.7).

Scope: a line of a game is a signed body that is in no log. Its text is clean. The time comes in as
an argument. Not here: which lines are shown, and to which seats a line goes (`kotp2p.lobby`,
`kotp2p.mesh.gossip`).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import partial

from kotp2p.referee.model.answers import Seat
from kotp2p.wire.encoding import clean_text, integer, text
from kotp2p.wire.entries import MAX_SEAT, Body, BodyKind, Signed
from kotp2p.wire.frames import MAX_TEXT

# -- a line --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChatLine(Body):
    KIND = BodyKind.CHAT
    READERS = (partial(integer, most=MAX_SEAT), integer, partial(text, most=MAX_TEXT))
    seat: Seat
    serial: int
    """Counts up: a line that arrives twice is shown once."""
    words: str
    signed: Signed = field(repr=False)


# -- bounds --------------------------------------------------------------------------------


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
        """Return whether one more line is allowed at `now`; if so, count it."""
        while self._times and now >= self._times[0] + self.window_seconds:
            self._times.popleft()
        if len(self._times) >= self.max_lines:
            return False
        self._times.append(now)
        return True


def new_chat_limit() -> RateLimit:
    """Return the limit for one speaker; lines beyond it are dropped."""
    return RateLimit(MAX_CHAT_LINES, CHAT_WINDOW_SECONDS)


def clean_chat_line(words: str) -> str:
    """Return `words` clean, stripped, and at most `MAX_TEXT` characters long.

    The result is empty if nothing is left.
    """
    return clean_text(words).strip()[:MAX_TEXT].strip()
