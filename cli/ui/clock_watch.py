"""Warns a player whose time for an answer is nearly up, and tells them when it is: each once for
each question.

Scope: the moments of these warnings.
Not here: what is left at any moment on the screen (`cli.ui.screen.timing`), and what follows when
the time is up (`kotp2p.lineup`).
"""

from __future__ import annotations

from dataclasses import replace

import trio

from kotp2p.cli.text import notices
from kotp2p.cli.ui.display import Display
from kotp2p.cli.ui.player_state import PlayerState
from kotp2p.seams.notices import OwnClock

WARNING_SECONDS = 20
"""The time that is left when the player is warned."""


class ClockWatch:
    def __init__(self, state: PlayerState, display: Display) -> None:
        self._state = state
        self._display = display
        self._clock: OwnClock | None = None
        self._changed = trio.Event()

    def note_clock(self, clock: OwnClock) -> None:
        self._clock = clock
        self._changed.set()

    async def run(self) -> None:
        """Runs beside the game."""
        while True:
            self._changed = trio.Event()
            clock = self._clock
            if clock is None or clock.seconds_left <= 0:
                await self._changed.wait()
                continue
            is_early = clock.seconds_left > WARNING_SECONDS
            left = WARNING_SECONDS if is_early else 0
            with trio.move_on_after(clock.seconds_left - left) as runs:
                await self._changed.wait()
            if runs.cancelled_caught:
                self._clock = replace(clock, seconds_left=left)
                if self._state.asking is not None:
                    words = notices.describe_warning(left) if left else notices.describe_time_up()
                    self._display.put_warning(words)
