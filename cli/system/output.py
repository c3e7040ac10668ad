"""What leaves this program: whole lines, cleaned and flushed, and an exit code.

Scope: the game and data go to stdout, progress and errors to stderr; with --json the game goes to
stderr too and stdout holds one document. Whatever the two lead to, writing to them never
raises. Outside of a drawn table nothing else writes.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import re
import select
import sys
import unicodedata
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TextIO

from kotp2p.cli.system.languages import in_reading_order
from kotp2p.cli.text.i18n import _, clean_line, describe_system_error, line_width

# -- the exit codes of all commands --------------------------------------------------------


class Exit(IntEnum):
    DONE = 0
    BUG = 1
    USAGE = 2
    UNREACHABLE = 3
    """No answer, or no table there; doctor: a problem was found."""
    TURNED_AWAY = 4
    STOPPED = 5
    WRONG = 6
    UNFINISHED = 7
    NOTHING_FOUND = 8
    FILES = 9


# -- the standard output and the error output, whatever they lead to -----------------------
#
# Writing to them never raises. A reader that has gone (a closed pipe or terminal) is no error: the
# rest is dropped. Any other failure, such as a full disk, is remembered, and at the end of the
# process it becomes a sentence and an exit code.


OUTPUTS = ("stdout", "stderr")
OUTLET = "kotp2p.outlet"
_NEAREST = str.maketrans("’‘“”«»", "''" + 4 * '"') | {ord("œ"): "oe", ord("æ"): "ae"}


class Outlet(io.RawIOBase):
    """The bytes of a standard stream, which ends with the first failure rather than have a hole."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream
        """Kept, as it would close what it is a stream of."""
        buffer: Any = stream.buffer
        self._raw = getattr(buffer, "raw", buffer)
        self._was_terminal = stream.isatty()
        self._is_over = False
        self.fault: OSError | None = None
        """The error that left the output incomplete; None also if the reader closed the pipe."""

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return bool(self._raw.isatty())

    def fileno(self) -> int:
        return int(self._raw.fileno())

    def write(self, data: Any, /) -> int:
        size = memoryview(data).nbytes
        while not self._is_over:
            try:
                written = self._raw.write(data)
                if written is not None:
                    return int(written)
                # Another process has made the pipe non-blocking, and it is full.
                select.select([], [self._raw], [])
            except OSError as fault:
                self._is_over = True
                hung_up = self._was_terminal and fault.errno == errno.EIO
                if not (hung_up or isinstance(fault, BrokenPipeError | ConnectionResetError)):
                    self.fault = fault
        return size


def install_outlets() -> None:
    """Put an outlet under each output; letters that the encoding lacks lose their accents."""
    codecs.register_error(OUTLET, _write_nearest)
    for name in OUTPUTS:
        stream = getattr(sys, name)
        if not hasattr(stream, "buffer") or outlet_of(stream) is not None:
            continue
        stream.flush()
        outlet = Outlet(stream)
        text = io.TextIOWrapper(
            io.BufferedWriter(outlet),
            encoding=stream.encoding,
            errors=OUTLET,
            line_buffering=stream.line_buffering or stream.write_through,
        )
        setattr(sys, name, text)


def _write_nearest(fault: UnicodeError) -> tuple[str, int]:
    assert isinstance(fault, UnicodeEncodeError)
    lacking = fault.object[fault.start : fault.end].translate(_NEAREST)
    signs = (s for s in unicodedata.normalize("NFKD", lacking) if not unicodedata.combining(s))
    return "".join(s if s.isascii() else "?" for s in signs), fault.end


def outlet_of(stream: Any) -> Outlet | None:
    raw = getattr(getattr(stream, "buffer", None), "raw", None)
    return raw if isinstance(raw, Outlet) else None


def end_output(code: Any) -> Any:
    """Flush the output; return the exit code, which is its own if only the output has failed."""
    fault = None
    for stream in map(sys.__dict__.get, OUTPUTS):
        outlet = outlet_of(stream)
        if stream is not None and outlet is not None:
            stream.flush()
            fault = fault or outlet.fault
    if fault is None:
        return code
    reason = describe_system_error(fault.errno, writing=True)
    sys.stderr.write(_("kotp2p: the output is incomplete: {reason}.", reason=reason) + "\n")
    return code or int(Exit.FILES)


# -- lines ---------------------------------------------------------------------------------


DEFAULT_COLUMNS = 80
"""The columns of a terminal that does not report them."""
LEAD_PATTERN = re.compile(r" *(?:- |\d+\. )?")
BELL = "\a"
PROMPT = "> "


@dataclass
class Output:
    out: TextIO
    err: TextIO
    terminal: bool = False
    """Whether a person types there: show a prompt sign, ring the bell."""
    bell: bool = True
    _prompting: bool = False
    """Whether the cursor is after the prompt sign."""
    _held: list[tuple[TextIO, str]] | None = None
    """What waits until a line is typed; None while nothing is."""
    _prompt_held: bool = False
    """Whether the prompt sign stands before the line that is typed, or waits for it."""

    @classmethod
    def standard(cls, *, as_json: bool = False, terminal: bool = False) -> Output:
        return cls(sys.stderr if as_json else sys.stdout, sys.stderr, terminal)

    def say_line(self, line: str) -> None:
        self._fresh_line()
        self._write(self.out, _break_line(clean_line(line), self.out) + "\n")

    def say_unbroken(self, line: str) -> None:
        """Print a line that is copied, with a command or a path, without breaking it."""
        self._fresh_line()
        self._write(self.out, in_reading_order(clean_line(line)) + "\n")

    def note_line(self, line: str) -> None:
        """Print progress, a hint or an error to stderr."""
        self._fresh_line()
        self._write(self.err, _break_line(clean_line(line), self.err) + "\n")

    def refuse(self, fault: object) -> Exit:
        """Say what is wrong with a command; return the exit code for that."""
        self.note_line(_("kotp2p: {fault}", fault=fault))
        return Exit.USAGE

    def write_document(self, document: str) -> None:
        """Print a document for programs, which may contain line ends."""
        self._fresh_line()
        self._write(sys.stdout, document + "\n")

    def ring_bell(self) -> None:
        if self.terminal and self.bell:
            if self._held is None:
                self._fresh_line()
            self.write_typed(BELL)

    def write_sequence(self, sequence: str) -> bool:
        """Send the terminal an invisible request; return False if there is none."""
        if self.terminal:
            self.write_typed(sequence)
        return self.terminal

    def write_typed(self, text: str) -> None:
        """Write at once, also while a line is typed: its echo, and what shows nothing."""
        self.out.write(text)
        self.out.flush()

    @property
    def is_holding(self) -> bool:
        return self._held is not None

    def hold_back(self) -> None:
        """Hold back what is said from now on until the line that is being typed ends."""
        if self._held is None:
            self._held = []
            self._prompt_held, self._prompting = self._prompting, False

    def let_go(self, *, entered: bool) -> None:
        """Say what has waited. `entered`: the line has ended; otherwise all of it was erased."""
        held, self._held = self._held or [], None
        waits, self._prompt_held = self._prompt_held, False
        if entered:
            self._prompting = False
        elif waits and not held:
            self._prompting = True
        elif held:
            held.insert(0, (self.out, "\n"))
        for stream, text in held:
            self._write(stream, text)
        if waits and not entered:
            self.show_prompt()

    def show_prompt(self) -> None:
        """Show the prompt on a terminal, once for each line."""
        if self._held is not None:
            self._prompt_held = True
        elif self.terminal and not self._prompting:
            self._write(self.out, PROMPT)
            self._prompting = True

    def echo_line(self, line: str) -> None:
        """Show a line that was read from a pipe; a terminal has echoed it."""
        if self.terminal:
            self._prompting = False
        else:
            self.say_line(PROMPT + line)

    def _fresh_line(self) -> None:
        if self._prompting:
            self._prompting = False
            self._write(self.out, "\n")

    def _write(self, stream: TextIO, text: str) -> None:
        if self._held is not None:
            self._held.append((stream, text))
            return
        stream.write(text)
        stream.flush()


def wants_screen(terminal: bool, *, plain: bool) -> bool:
    """Return whether the table is drawn, and not printed line by line."""
    return terminal and not plain and os.environ.get("TERM", "dumb") not in ("", "dumb")


def terminal_columns(stream: TextIO) -> int | None:
    """Return the current width of the terminal, or None if the stream is none."""
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
    """Break a line at spaces into parts of at most `most` columns, indented like the whole."""
    # A word that is longer gets a part of its own, which the terminal breaks.
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
