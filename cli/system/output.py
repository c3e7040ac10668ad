"""The only place where text leaves this program: whole lines, cleaned, flushed.

Scope: the game and data go to stdout, progress and errors to stderr; with --json the game goes to
stderr too and stdout holds the one document. Lines are only ever added: nothing moves a
cursor or erases. On a terminal they are broken at spaces; a pipe gets each line whole.
Not here: what becomes of text that cannot be written (`cli.system.outlets`).
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from typing import TextIO

from kotp2p.cli.system.bidi import in_reading_order
from kotp2p.cli.text.i18n import clean_line, line_width

DEFAULT_COLUMNS = 80
"""Columns of a terminal that does not tell."""
LEAD_PATTERN = re.compile(r" *(?:- |\d+\. )?")
"""The indent of a line, with the mark of an item."""
BELL = "\a"
PROMPT = "> "


@dataclass
class Output:
    out: TextIO
    err: TextIO
    terminal: bool = False
    """A person types there: show a prompt sign, ring the bell."""
    bell: bool = True
    _prompting: bool = False
    """The cursor stands behind the prompt sign."""

    @classmethod
    def standard(cls, *, as_json: bool = False, terminal: bool = False) -> Output:
        return cls(sys.stderr if as_json else sys.stdout, sys.stderr, terminal)

    def say_line(self, line: str) -> None:
        """A line of the game."""
        self._fresh_line()
        self._write(self.out, _break_line(clean_line(line), self.out) + "\n")

    def say_unbroken(self, line: str) -> None:
        """A line to be copied, with a command or a path: never broken."""
        self._fresh_line()
        self._write(self.out, in_reading_order(clean_line(line)) + "\n")

    def note_line(self, line: str) -> None:
        """Progress, a hint, an error."""
        self._fresh_line()
        self._write(self.err, _break_line(clean_line(line), self.err) + "\n")

    def write_document(self, document: str) -> None:
        """A document for programs, made by this program: it may have line ends."""
        self._fresh_line()
        self._write(sys.stdout, document + "\n")

    def ring_bell(self) -> None:
        if self.terminal and self.bell:
            self._fresh_line()
            self._write(self.out, BELL)

    def write_sequence(self, sequence: str) -> bool:
        """Asks the terminal for something that shows nothing; False if there is none."""
        if self.terminal:
            self._write(self.out, sequence)
        return self.terminal

    def show_prompt(self) -> None:
        """Now a line is wanted."""
        if self.terminal and not self._prompting:
            self._write(self.out, PROMPT)
            self._prompting = True

    def echo_line(self, line: str) -> None:
        """A line has come: on a terminal its echo stands there, from a pipe it is shown."""
        if self.terminal:
            self._prompting = False
        else:
            self.say_line(PROMPT + line)

    def _fresh_line(self) -> None:
        if self._prompting:
            self._prompting = False
            self._write(self.out, "\n")

    @staticmethod
    def _write(stream: TextIO, text: str) -> None:
        stream.write(text)
        stream.flush()


def wants_screen(terminal: bool, *, plain: bool) -> bool:
    """Whether the table is drawn; otherwise it is told line by line, which any terminal and any
    screen reader can do."""
    return terminal and not plain and os.environ.get("TERM", "dumb") not in ("", "dumb")


def terminal_columns(stream: TextIO) -> int | None:
    """Of the terminal behind it, as wide as it is now; None if there is no terminal."""
    try:
        if not stream.isatty():
            return None
        return os.get_terminal_size(stream.fileno()).columns or DEFAULT_COLUMNS
    except (OSError, ValueError):  # it does not tell, or the stream is closed
        return DEFAULT_COLUMNS


def _break_line(line: str, stream: TextIO) -> str:
    most = terminal_columns(stream)
    lines = [line] if most is None else wrap_line(line, most)
    return "\n".join(map(in_reading_order, lines))


def wrap_line(line: str, most: int) -> list[str]:
    """Parts of at most so many columns, broken at spaces and indented like the whole, or like
    the text of an item; a word that is longer stands alone, for the terminal to break."""
    if line_width(line) <= most:
        return [line]
    found = LEAD_PATTERN.match(line)
    assert found  # it may be empty
    indent = " " * len(found[0])
    first, *words = line[len(indent) :].split() or [""]
    parts = [found[0] + first]
    for word in words:
        longer = f"{parts[-1]} {word}"
        if line_width(longer) > most:
            parts.append(indent + word)
        else:
            parts[-1] = longer
    return parts
