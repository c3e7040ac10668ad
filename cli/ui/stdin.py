"""Lines from stdin, whatever it is: a terminal, a pipe, a file, nothing.

Bytes are read by a thread, since a file cannot be waited for and a terminal may be anything;
`os.read` holds no lock of Python, so a thread that still waits there does not hinder the end
of the program. From a terminal each line is tagged with the prompt that stood there; lines of
a pipe are handed over when the front wants one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import SimpleQueue

import trio

from cli.ui.line_player import Typist

CHUNK = 4096
LONGEST = 10_000
"""Bytes; more without a line end is cut into lines."""


def forget_typed(fd: int) -> Callable[[], None]:
    """Throws away what the terminal holds and nobody has read."""
    try:
        import termios
    except ImportError:  # Windows: only the tags remain
        return lambda: None

    def forget() -> None:
        try:
            termios.tcflush(fd, termios.TCIFLUSH)
        except termios.error:
            return  # the terminal is gone; the reader will see it

    return forget


def is_terminal() -> bool:
    """A person sits there: both ends are a terminal."""
    try:
        return sys.stdin.isatty() and sys.stdout.isatty()
    except (AttributeError, ValueError):  # closed, or none at all
        return False


async def read_lines(fd: int, front: Typist, terminal: bool) -> None:
    """Runs beside the game until the input ends; on a terminal the end is a question, and a
    terminal that is gone keeps the seat."""
    try:
        await _read_on(fd, front, terminal)
    finally:
        _stdin.left = _stdin.read


async def _read_on(fd: int, front: Typist, terminal: bool) -> None:
    rest = b""
    while True:
        chunk, number = await trio.to_thread.run_sync(_read, fd, front, abandon_on_cancel=True)
        if chunk is None and terminal:
            front.keep_now()
            return
        if not chunk:
            if rest:
                await _hand(rest, number, front, terminal)
                rest = b""
            again = terminal and not front.is_leaving
            front.end_of_input(terminal)
            if not again:
                return
            continue
        rest += chunk
        *whole, rest = rest.split(b"\n")
        if len(rest) > LONGEST:
            whole, rest = [*whole, rest], b""
        for line in whole:
            await _hand(line, number, front, terminal)


async def _hand(line: bytes, number: int, front: Typist, terminal: bool) -> None:
    text = line.decode("utf-8", "replace").rstrip("\r")
    if terminal:
        front.line(text, number)
    else:
        await front.wanted(text)
        front.line(text)
        # A pipe is always ready: let the game take the answer before the next line.
        await trio.lowlevel.checkpoint()


def _read(fd: int, front: Typist) -> tuple[bytes | None, int]:
    """In a thread; no bytes at all if stdin is gone. The number is what was asked when the line
    came."""
    _stdin.read = True
    try:
        chunk: bytes | None = os.read(fd, CHUNK)
    except OSError:  # the terminal is gone, or there is no stdin
        chunk = None
    _stdin.read = False
    if _stdin.left:
        _stdin.late.put(chunk or b"")
    return chunk, front.number


@dataclass(slots=True)
class _Stdin:
    """The thread that waits for the next line when a game ends goes on waiting; what it reads
    belongs to whoever asks next."""

    read: bool = False
    """A thread waits for input now."""
    left: bool = False
    """Nobody waits for that thread any more."""
    late: SimpleQueue[bytes] = field(default_factory=SimpleQueue)


_stdin = _Stdin()


def ask(sentence: str) -> str:
    """A question outside a game, and the line that a person types; EOFError at the end of input."""
    sys.stdout.write(f"{sentence}\n> ")
    sys.stdout.flush()
    if _stdin.left:
        chunk = _stdin.late.get()
        _stdin.left = False
    else:
        chunk = os.read(0, CHUNK)
    if not chunk:
        raise EOFError
    return chunk.decode("utf-8", "replace").split("\n")[0]
