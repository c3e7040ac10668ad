"""Lines from stdin, whatever it is: a terminal, a pipe, a file, nothing.

Scope: bytes are read by a thread, since a file cannot be waited for and a terminal may be
anything. `read_stdin` holds no lock of Python, so a thread that still waits there does not hinder
the end of the program. From a terminal each line is tagged with the prompt that stood there.
Lines of a pipe are handed over when the player wants one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Protocol

import trio

from kotp2p.store.files import read_stdin

CHUNK_BYTES = 4096
MAX_LINE_BYTES = 10_000
"""What goes on without a line end is cut into lines of this length."""


class LineListener(Protocol):
    """The player, as far as lines concern them."""

    @property
    def prompt_number(self) -> int:
        """The number of the prompt that stands there now. Read from another thread."""

    @property
    def is_leave_asked(self) -> bool: ...

    def read_line(self, text: str, prompt_number: int | None = None) -> None: ...

    async def wait_until_wanted(self, line: str) -> None: ...

    def end_input(self, *, terminal: bool) -> None: ...

    def keep_seat(self) -> bool: ...


def input_discarder(fd: int) -> Callable[[], None]:
    """A function that throws away what the terminal holds and nobody has read."""
    try:
        import termios
    except ImportError:  # Windows: only the tags remain
        return lambda: None

    def discard() -> None:
        try:
            termios.tcflush(fd, termios.TCIFLUSH)
        except termios.error:
            return  # the terminal is gone; the reader will see it

    return discard


def is_terminal() -> bool:
    """Whether a person sits there: both ends are a terminal."""
    try:
        return sys.stdin.isatty() and sys.stdout.isatty()
    except (AttributeError, ValueError):  # closed, or none at all
        return False


async def read_lines(fd: int, listener: LineListener, terminal: bool) -> None:
    """Runs beside the game until the input ends. On a terminal the end of the input asks whether
    to leave, and a terminal that is gone keeps the seat."""
    try:
        await _read_on(fd, listener, terminal)
    finally:
        _stdin.is_orphaned = _stdin.is_reading


async def _read_on(fd: int, listener: LineListener, terminal: bool) -> None:
    rest = b""
    while True:
        chunk, number = await trio.to_thread.run_sync(_read, fd, listener, abandon_on_cancel=True)
        if chunk is None and terminal:
            listener.keep_seat()
            return
        if not chunk:
            if rest:
                await _hand_over(rest, number, listener, terminal)
                rest = b""
            is_first_end = terminal and not listener.is_leave_asked
            listener.end_input(terminal=terminal)
            if not is_first_end:
                return
            continue
        rest += chunk
        *whole, rest = rest.split(b"\n")
        if len(rest) > MAX_LINE_BYTES:
            whole, rest = [*whole, rest], b""
        for line in whole:
            await _hand_over(line, number, listener, terminal)


async def _hand_over(line: bytes, number: int, listener: LineListener, terminal: bool) -> None:
    text = line.decode("utf-8", "replace").rstrip("\r")
    if terminal:
        listener.read_line(text, number)
    else:
        await listener.wait_until_wanted(text)
        listener.read_line(text)
        # A pipe is always ready: let the game take the answer before the next line.
        await trio.lowlevel.checkpoint()


def _read(fd: int, listener: LineListener) -> tuple[bytes | None, int]:
    """Runs in a thread. Returns the bytes, or None if stdin is gone; and the number of the prompt
    that stood there when they came."""
    _stdin.is_reading = True
    try:
        chunk: bytes | None = read_stdin(fd, CHUNK_BYTES)
    except OSError:  # the terminal is gone, or there is no stdin
        chunk = None
    _stdin.is_reading = False
    if _stdin.is_orphaned:
        _stdin.late.put(chunk or b"")
    return chunk, listener.prompt_number


@dataclass(slots=True)
class _Stdin:
    """The thread that waits for the next line when a game ends goes on waiting. What it reads
    belongs to the question that is asked next (`ask_line`)."""

    is_reading: bool = False
    """A thread waits for input now."""
    is_orphaned: bool = False
    """No game waits for that thread any more."""
    late: SimpleQueue[bytes] = field(default_factory=SimpleQueue)
    """What an orphaned thread has read."""


_stdin = _Stdin()


def read_one_line(fd: int) -> str:
    """One line and no more, as what follows is for the game. Empty at the end of the input."""
    line = b""
    while len(line) < MAX_LINE_BYTES:
        sign = read_stdin(fd, 1)
        if sign in (b"", b"\n"):
            break
        line += sign
    return line.decode("utf-8", "replace")


def ask_line(sentence: str) -> str:
    """Asks outside a game, and returns the typed line. Raises EOFError at the end of the input."""
    sys.stdout.write(f"{sentence}\n> ")
    sys.stdout.flush()
    if _stdin.is_orphaned:
        chunk = _stdin.late.get()
        _stdin.is_orphaned = False
    else:
        chunk = read_stdin(0, CHUNK_BYTES)
    if not chunk:
        raise EOFError
    return chunk.decode("utf-8", "replace").split("\n")[0]
