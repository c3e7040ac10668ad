"""What the drawn table does by the clock: shows how long it takes, and mistrusts early keys.

Scope: the clock of a question, the guard of a new prompt, and the bell of a turn.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from cli.ui.player_state import PlayerState

UNREAD_SECONDS = 0.3
"""A prompt that has stood there for less than this cannot have been read."""

Clock = Callable[[], float]
"""The time in seconds, of which only differences count."""


class QuestionClock:
    """How long something has been asked, or somebody has been waited for."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._started_at = clock()
        self.is_long_wait = False
        """Others have been waited for so long that it is said who."""

    def restart(self) -> None:
        self._started_at = self._clock()

    def restart_waiting(self) -> None:
        self.is_long_wait = False
        self.restart()

    def seconds(self) -> int:
        return max(0, int(self._clock() - self._started_at))


class ReadGuard:
    """A key counts only for a prompt that was drawn, and has stood there for a moment."""

    def __init__(self, state: PlayerState, clock: Clock, unread_seconds: float) -> None:
        self._state = state
        self._clock = clock
        self._unread_seconds = unread_seconds
        self.drawn_prompt = 0
        """The prompt that the player sees."""
        self._quiet_since = -math.inf
        """When it was drawn, or when the last key came that was too early."""

    @property
    def is_prompt_drawn(self) -> bool:
        return self.drawn_prompt == self._state.prompt_number

    def note_drawn(self) -> None:
        """All that the screen holds is on the terminal now."""
        if not self.is_prompt_drawn:
            self.drawn_prompt = self._state.prompt_number
            self._quiet_since = self._clock()

    def accept_key(self) -> bool:
        """False if nobody can have read the prompt. A burst of keys that begins too early is
        refused as a whole: each key starts the wait anew."""
        now = self._clock()
        if self.is_prompt_drawn and now - self._quiet_since >= self._unread_seconds:
            return True
        self._quiet_since = now
        return False


class TurnBell:
    """Rings at the first question of a turn, and again after others have decided."""

    def __init__(self, *, is_on: bool) -> None:
        self._is_on = is_on
        self._rung_in_turn: int | None = None
        self._unrung = 0

    def ring(self, turn: int) -> None:
        if self._is_on and turn != self._rung_in_turn:
            self._rung_in_turn = turn
            self._unrung += 1

    def rearm(self) -> None:
        self._rung_in_turn = None

    def take_ring(self) -> bool:
        """Whether the bell is to be rung now; several rings at once are one."""
        is_due = self._unrung > 0
        self._unrung = 0
        return is_due
