"""The prompts of a line player, and which typed line is still meant for which of them.

Scope: a line counts only for the prompt that stood there when it was typed.
`PlayerState.prompt_number` goes up with every prompt that changes what a line means, so a burst
that was typed ahead answers one prompt and not three. Lines from a pipe have no number: they
wait until a prompt wants them.
"""

from __future__ import annotations

from collections.abc import Sequence

import trio

from kotp2p.cli.text.i18n import _
from kotp2p.cli.ui import lobby_commands
from kotp2p.cli.ui.display import Display
from kotp2p.cli.ui.people import share_screen
from kotp2p.cli.ui.player_state import PlayerState

LEAVE_WORDS = ("leave", "quit", "exit")
"""Understood at every prompt; the first is the one that is told."""


def describe_early_key() -> str:
    return _("Too early: the question is new. Press the key again.")


class Prompts:
    def __init__(self, state: PlayerState, display: Display) -> None:
        self._state = state
        self._display = display
        self._changed = trio.Event()

    def put_question(self, lines: Sequence[str], *, new: bool) -> None:
        """`new`: what was typed before is no answer to it."""
        if new:
            self.begin_prompt()
        self._display.put_question(lines, new=new)
        if self._state.is_leave_asked:  # that comes first, and the next line is for it
            self.put_leave_question()
        self.wake_pipe()

    def put_leave_question(self) -> None:
        if self._state.view is None:
            self._display.put_leave_question(_("Leave this table? y leaves it, Enter does not."))
        elif share_screen(self._state.view):
            self._display.put_leave_question(
                _("Leave the game for good? It ends for all of you. y leaves it, Enter plays on. "
                  "Ctrl-C stops for now: you can go on later.")
            )  # fmt: skip
        elif self._state.can_hand_over:
            self._display.put_leave_question(
                _("Leave the game? b lets a bot play on until you are back, y gives up your "
                  "monster for good, Enter plays on. Ctrl-C stops for today, and the others decide "
                  "how to go on.")
            )  # fmt: skip
        else:
            self._display.put_leave_question(
                _("Leave the game for good? Your monster will be out, the others play on. "
                  "y leaves the game, Enter plays on. Ctrl-C stops for now: you can go on later.")
            )  # fmt: skip
        self.wake_pipe()

    def begin_prompt(self) -> None:
        """From here on a typed line means something else."""
        self._display.forget_typed()
        self._state.prompt_number += 1

    def wake_pipe(self) -> None:
        """A line from a pipe may be wanted now."""
        self._changed.set()
        self._changed = trio.Event()

    async def wait_until_wanted(self, line: str) -> None:
        """Returns when a prompt wants `line`, which has come from a pipe."""
        while not self._wants(line):
            await self._changed.wait()

    def _wants(self, line: str) -> bool:
        if self._state.asking is not None or self._state.is_leave_asked:
            return True
        if not self._state.feed.in_lobby:
            return False
        word = line.strip().lower().partition(" ")[0]
        return lobby_commands.is_command(word) or word in LEAVE_WORDS
