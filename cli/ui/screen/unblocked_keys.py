"""Keys are read without ever waiting for one.

Scope: how the bytes of the terminal are read when the loop says that there are some. While this
process is in the background, the shell may read them first. A read that then waits for the next
key would stop the loop, and with it the links of the game.
Not here: which process has the terminal (`cli.ui.screen.foreground`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from prompt_toolkit.input import Input

CONTROLLING_TERMINAL = "/dev/tty"


@contextmanager
def unblocked_keys(source: Input) -> Iterator[None]:
    """Within, `source` reads the terminal by a file of its own: without waiting, which the shell,
    with which the standard input is shared, must not notice."""
    if os.name == "nt":
        yield
        return
    from prompt_toolkit.input.posix_utils import PosixStdinReader
    from prompt_toolkit.input.vt100 import Vt100Input

    descriptor = open_unblocked(source.fileno()) if isinstance(source, Vt100Input) else None
    if descriptor is None or not isinstance(source, Vt100Input):
        yield
        return
    before = source.stdin_reader
    source.stdin_reader = PosixStdinReader(descriptor, encoding=source.stdin.encoding)
    try:
        yield
    finally:
        source.stdin_reader = before
        os.close(descriptor)


def open_unblocked(terminal: int) -> int | None:
    """A descriptor of the same terminal whose reads never wait. None if that is not the terminal
    that controls this process: then no shell takes turns with it there."""
    try:
        os.tcgetpgrp(terminal)  # refused for any other one
        flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY
        return os.open(CONTROLLING_TERMINAL, flags)
    except OSError:
        return None
