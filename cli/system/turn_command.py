"""The command that a player has set to be run when it is their turn (`on_turn`).

Scope: it is run without a shell and without a word of the game, at most once in ten seconds, for at
most five. What it prints is thrown away. That it cannot be started is said once.
Not here: when it is somebody's turn (`cli.ui`).
"""

from __future__ import annotations

import math
import os
import shlex
import signal
from collections.abc import Callable
from contextlib import suppress
from subprocess import DEVNULL

import trio

from kotp2p.cli.text.i18n import _

MIN_SECONDS_BETWEEN_RUNS = 10.0
MOST_SECONDS = 5.0


class TurnCommand:
    def __init__(
        self,
        setting: str,
        say: Callable[[str], None],
        is_in_front: Callable[[], bool] = lambda: False,
    ) -> None:
        """`setting` is parted as a shell would, and may be empty. `say` takes a sentence for the
        player; `is_in_front`: whether the window of the player is known to be in front, where a
        command would tell them nothing new."""
        self._words = shlex.split(setting)
        self._say = say
        self._is_in_front = is_in_front
        self._wanted = trio.Event()
        self._next_at = -math.inf
        self._has_failed = False

    def note_turn(self) -> None:
        """The player is called."""
        if self._words and not self._is_in_front():
            self._wanted.set()

    async def run(self) -> None:
        """Runs beside the game."""
        while True:
            await self._wanted.wait()
            self._wanted = trio.Event()
            if trio.current_time() >= self._next_at:
                self._next_at = trio.current_time() + MIN_SECONDS_BETWEEN_RUNS
                await self._run_command()

    async def _run_command(self) -> None:
        try:
            process = await trio.lowlevel.open_process(
                self._words, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True
            )
        except OSError as fault:
            if not self._has_failed:
                self._has_failed = True
                self._say(
                    _("The command of the setting on_turn cannot be started: {command}: {detail}.",
                      command=self._words[0], detail=fault.strerror or fault)
                )  # fmt: skip
            return
        try:
            with trio.move_on_after(MOST_SECONDS):
                await process.wait()
        finally:
            if process.returncode is None:
                _end(process)
                with trio.CancelScope(shield=True):
                    await process.wait()


def _end(process: trio.Process) -> None:
    """The command, with all that it has started."""
    if os.name == "nt":
        process.kill()
        return
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
