"""What the drawn table does by the clock: shows what time is left, and mistrusts early keys.

Scope: the clock of an answer, the guard of a new prompt, and the bell of a turn.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from kotp2p.cli.text.notices import describe_time_left
from kotp2p.cli.ui.clock_watch import WARNING_SECONDS
from kotp2p.cli.ui.player_state import PlayerState
from kotp2p.seams.notices import OwnClock

Clock = Callable[[], float]
"""The time in seconds, of which only differences count."""


class AnswerClock:
    """What is left of the player's time, as the peer counts it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._told: OwnClock | None = None
        self._told_at = 0.0

    def note_clock(self, told: OwnClock) -> None:
        self._told, self._told_at = told, self._clock()

    def describe(self) -> str:
        """Empty if the peer counts nothing."""
        told = self._told
        if told is None:
            return ""
        return describe_time_left(self._seconds_left(told), told.limit)

    @property
    def is_urgent(self) -> bool:
        told = self._told
        return told is not None and self._seconds_left(told) <= WARNING_SECONDS

    @property
    def seconds_to_change(self) -> float | None:
        """Until what is described is another thing; None if it stays."""
        told = self._told
        if told is None:
            return None
        left = self._seconds_left(told)
        return left - math.ceil(left) + 1 if left > 0 else None

    def _seconds_left(self, told: OwnClock) -> float:
        passed = self._clock() - self._told_at
        return told.seconds_left - passed


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

    def __init__(self, *, is_on: bool, on_ring: Callable[[], None] = lambda: None) -> None:
        """`on_ring` is called for each ring, also without a sound."""
        self._is_on = is_on
        self._on_ring = on_ring
        self._rung_in_turn: int | None = None
        self._unrung = 0

    def ring(self, turn: int) -> None:
        if turn != self._rung_in_turn:
            self._rung_in_turn = turn
            self.ring_again()

    def ring_again(self) -> None:
        """Whatever has rung in this turn."""
        self._unrung += self._is_on
        self._on_ring()

    def rearm(self) -> None:
        self._rung_in_turn = None

    def take_ring(self) -> bool:
        """Whether the bell is to be rung now; several rings at once are one."""
        is_due = self._unrung > 0
        self._unrung = 0
        return is_due
