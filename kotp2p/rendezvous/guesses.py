"""How many wrong words a host hears: a code has 22 bits, and everybody may try.

Scope: the budget of guesses of one code, and of the guests that ask at it. Only a wrong
confirmation is a guess; a guest that asks and vanishes has learned nothing.
Not here: what is a guess (`kotp2p.rendezvous.exchange`).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

GUESSES_AT_ONCE = 10
"""Wrong guesses that are heard without a pause."""
SECONDS_PER_GUESS = 30.0
"""After those, one is heard in this time."""
MAX_GUESSES = 100
"""Then the code ends: 100 of 4,194,304."""
MAX_IDS = 200
"""Guests that are answered within an hour; each costs some hundredths of a second."""
IDS_SECONDS = 3600.0


@dataclass(slots=True)
class Guesses:
    wrong: int = 0
    """How many have been heard."""
    _room: float = GUESSES_AT_ONCE
    """Guesses that may be heard now; it grows with time."""
    _at: float = 0.0

    @property
    def are_used_up(self) -> bool:
        return self.wrong >= MAX_GUESSES

    def next_at(self, now: float) -> float:
        """When a confirmation may be heard."""
        self._refill(now)
        return now if self._room >= 1 else now + (1 - self._room) * SECONDS_PER_GUESS

    def may_hear(self, now: float) -> bool:
        self._refill(now)
        return self._room >= 1 and not self.are_used_up

    def note_wrong(self, now: float) -> None:
        self._refill(now)
        self.wrong += 1
        self._room -= 1

    def _refill(self, now: float) -> None:
        grown = max(0.0, now - self._at) / SECONDS_PER_GUESS
        # Rounding must not keep a guess back that is due now.
        self._room = min(GUESSES_AT_ONCE, self._room + grown)
        if 1 - self._room < 1e-9:
            self._room = max(1.0, self._room)
        self._at = max(self._at, now)


@dataclass(slots=True)
class AskingPace:
    """How many new guests are answered."""

    _times: deque[float] = field(default_factory=deque)

    def may_ask(self, now: float) -> bool:
        """Whether one more is answered; it counts then."""
        while self._times and self._times[0] <= now - IDS_SECONDS:
            self._times.popleft()
        if len(self._times) >= MAX_IDS:
            return False
        self._times.append(now)
        return True
