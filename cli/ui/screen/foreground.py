"""The terminal while this process is not in front of it, and when it is again.

Ctrl-Z is prompt_toolkit's; who is stopped by a signal has no chance to tidy up. Either way a shell
takes the terminal, in a mode of its own, and may let this process go on behind it (`bg`, a signal
from elsewhere). What is typed is the shell's then, and so is the picture: nothing is read and
nothing is drawn. In front again, mode and picture are made anew.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from prompt_toolkit.application import Application
from prompt_toolkit.output import DummyOutput

LOOK = 0.3
"""Seconds between two looks from behind: a shell need not tell who is running that he is in front
again."""


class Foreground:
    def __init__(self, app: Application[None]) -> None:
        self._app = app
        self._away = ExitStack()
        self.lost = False
        """Somebody else has the terminal."""

    @contextmanager
    def watched(self, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        if not hasattr(signal, "SIGCONT"):  # Windows knows no background
            yield
            return
        loop.add_signal_handler(signal.SIGCONT, self._goes_on, loop)
        try:
            yield
        finally:
            loop.remove_signal_handler(signal.SIGCONT)
            self._away.close()
            self.lost = False

    def _goes_on(self, loop: asyncio.AbstractEventLoop) -> None:
        """This process has been stopped, or was behind, and runs."""
        if not self._is_behind():
            self._return()
        elif not self.lost:
            self._leave()
            loop.call_later(LOOK, self._look, loop)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self.lost:
            return
        if self._is_behind():
            loop.call_later(LOOK, self._look, loop)
        else:
            self._return()

    def _is_behind(self) -> bool:
        try:
            return os.tcgetpgrp(self._app.input.fileno()) != os.getpgrp()
        except (OSError, NotImplementedError):
            return False  # it is no terminal, or not ours: nobody else takes it

    def _leave(self) -> None:
        self.lost = True
        self._away.enter_context(self._app.input.detach())
        renderer = self._app.renderer
        self._away.callback(setattr, renderer, "output", renderer.output)
        renderer.output = DummyOutput()

    def _return(self) -> None:
        self._away.close()
        self.lost = False
        # Entered only: what the terminal was like before the game is restored at its end.
        self._app.input.raw_mode().__enter__()
        self._app.renderer.clear()
        self._app.invalidate()
