"""What holds for this process whatever command runs: its streams, its name, what a signal does.

Scope: what must be so before a command starts.
Not here: the signals of a game, to which it listens itself (`cli.commands.play`).
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

from cli.system.own_program import find_program
from cli.text.own_command import use_program


def prepare_process() -> None:
    _fill_streams()
    use_program(find_program())
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            # A name that this terminal's encoding lacks must not end a game.
            reconfigure(errors="replace")
    for number in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, number):  # no SIGHUP on Windows
            signal.signal(getattr(signal, number), _end_by_signal)


def _fill_streams() -> None:
    """A closed stdin, stdout or stderr must not lend its number to a socket or a log."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _end_by_signal(number: int, frame: FrameType | None) -> None:
    """Until a game listens to signals itself."""
    raise SystemExit(128 + number)
