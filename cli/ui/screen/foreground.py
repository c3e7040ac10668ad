"""The terminal while this process runs in the background, and when it is in front again.

Scope: prompt_toolkit handles Ctrl-Z, but a process that is stopped by a signal has no chance to
tidy up. Either way a shell takes the terminal, in a mode of its own, and may let this process go
on in the background (`bg`, a signal from elsewhere). The keys and the picture are the shell's
then, so nothing is read and nothing is drawn. In front again, mode and picture are made anew.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from prompt_toolkit.application import Application
from prompt_toolkit.output import DummyOutput

CHECK_FOREGROUND_EVERY_SECONDS = 0.3
"""A shell need not signal a running process that it is in front again, so the process asks."""


class Foreground:
    def __init__(self, app: Application[None]) -> None:
        self._app = app
        self._away = ExitStack()
        self.lost = False
        """Another process has the terminal."""

    @contextmanager
    def watched(self, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        if not hasattr(signal, "SIGCONT"):  # Windows knows no background
            yield
            return
        loop.add_signal_handler(signal.SIGCONT, self._note_continued, loop)
        try:
            yield
        finally:
            loop.remove_signal_handler(signal.SIGCONT)
            self._away.close()
            self.lost = False

    def _note_continued(self, loop: asyncio.AbstractEventLoop) -> None:
        """This process was stopped, or was in the background, and runs."""
        if not self._is_in_background():
            self._take_terminal()
        elif not self.lost:
            self._give_up_terminal()
            loop.call_later(CHECK_FOREGROUND_EVERY_SECONDS, self._check_again, loop)

    def _check_again(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self.lost:
            return
        if self._is_in_background():
            loop.call_later(CHECK_FOREGROUND_EVERY_SECONDS, self._check_again, loop)
        else:
            self._take_terminal()

    def _is_in_background(self) -> bool:
        try:
            return os.tcgetpgrp(self._app.input.fileno()) != os.getpgrp()
        except (OSError, NotImplementedError):
            return False  # it is no terminal, or not ours: nobody else takes it

    def _give_up_terminal(self) -> None:
        self.lost = True
        self._away.enter_context(self._app.input.detach())
        renderer = self._app.renderer
        self._away.callback(setattr, renderer, "output", renderer.output)
        renderer.output = DummyOutput()

    def _take_terminal(self) -> None:
        self._away.close()
        self.lost = False
        # Entered only: what the terminal was like before the game is restored at its end.
        self._app.input.raw_mode().__enter__()
        self._app.renderer.clear()
        self._app.invalidate()
