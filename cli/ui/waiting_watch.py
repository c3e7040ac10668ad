"""Tells whom the game waits for: once, and only if it takes a while."""

from __future__ import annotations

import trio

from kotp2p.cli.ui.display import Display
from kotp2p.cli.ui.player_state import PlayerState
from kotp2p.seams.notices import Waiting

SAY_WAITING_AFTER_SECONDS = 0.5


class WaitingWatch:
    def __init__(self, state: PlayerState, display: Display) -> None:
        self._state = state
        self._display = display
        self._changed = trio.Event()

    def note_waiting(self, waiting: Waiting | None) -> None:
        """`waiting`: the players that the game waits for now; None if for nobody else."""
        if waiting == self._state.waiting:
            return
        self._state.waiting = waiting
        self._display.clear_waiting()
        self._changed.set()

    async def run(self) -> None:
        """Runs beside the game."""
        while True:
            self._changed = trio.Event()
            if self._state.waiting is None:
                await self._changed.wait()
                continue
            with trio.move_on_after(SAY_WAITING_AFTER_SECONDS) as soon:
                await self._changed.wait()
            if soon.cancelled_caught:
                # While the player is shown the past, nobody may be waited for any more.
                sentence = "" if self._state.pace.is_behind else self._state.awaited()
                if sentence:
                    self._display.put_waiting(sentence)
                await self._changed.wait()
