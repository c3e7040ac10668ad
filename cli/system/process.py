"""What holds for this process whatever command runs: its streams, its name, what a signal does.

Scope: what must be so before a command starts.
Not here: the signals of a game, to which it listens itself (`cli.commands.play`).
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

from kotp2p.cli.system.outlets import install_outlets
from kotp2p.cli.system.own_program import find_program
from kotp2p.cli.text.own_command import use_program

ENDING_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
"""By name, as no system has all. Windows has no SIGHUP and sends nobody a SIGTERM: there a window
that is closed, and Ctrl-Break, come as SIGBREAK."""


def ending_signals() -> list[signal.Signals]:
    """Those that this system has."""
    return [getattr(signal, name) for name in ENDING_SIGNALS if hasattr(signal, name)]


def prepare_process() -> None:
    _fill_streams()
    install_outlets()
    use_program(find_program())
    for number in ending_signals():
        signal.signal(number, _end_by_signal)


def _fill_streams() -> None:
    """A closed stdin, stdout or stderr must not lend its number to a socket or a log."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _end_by_signal(number: int, frame: FrameType | None) -> None:
    """Until a game listens to signals itself."""
    raise SystemExit(128 + number)
