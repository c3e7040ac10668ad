"""The line that a person is typing on a terminal, so that nothing is written into it.

Scope: the terminal hands over each key at once. Keys become an echo and whole lines, and the output
waits from the first key of a line until Enter, so nothing has to be drawn anew.
Not here: what a line means (`typed_lines`), and lines from elsewhere (`plain`).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from kotp2p.cli.system.output import Output
from kotp2p.cli.text.i18n import line_width

SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|[^\r\n])?")
"""What arrows and other keys without a letter send."""
ENTER, END, ERASE, ERASE_WORD, ERASE_LINE = "\r\n", "\x04", "\x7f\b", "\x17", "\x15"
MOST_LETTERS = 10_000
"""A longer line is handed over in parts."""


class HalfTyped:
    def __init__(self, output: Output, *, echoes: bool = True) -> None:
        """Begin without a line; `echoes`: whether what is typed is shown."""
        self._output = output
        self._echoes = echoes
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._letters = ""
        self._number = 0

    def read_keys(
        self, keys: bytes, number: int, *, echoed: bool = False
    ) -> Iterator[tuple[str | None, int]]:
        """Yield each line that ends here, with the number of the prompt at its first key.

        None in place of a line stands for the end of the input. `number` is that of the present
        prompt, and `echoed` says that the terminal has shown these keys itself.
        """
        if not self._output.is_holding:
            self._letters = ""  # Ctrl-C has taken them
        for key in SEQUENCE.sub("", self._decoder.decode(keys)):
            if not self._letters:
                self._number = number
            if key in ENTER or len(self._letters) == MOST_LETTERS:
                self._show("" if echoed else "\n")
                self._output.let_go(entered=True)
                line, self._letters = self._letters, ""
                yield line, self._number
            elif key == END:
                if not self._letters:
                    yield None, number
            else:
                self._edit(key, echoed=echoed)

    def _edit(self, key: str, *, echoed: bool) -> None:
        before = self._letters
        if key in ERASE:
            self._letters = without_last_letter(before)
        elif key == ERASE_WORD:
            self._letters = before.rstrip()[: before.rstrip().rfind(" ") + 1]
        elif key == ERASE_LINE:
            self._letters = ""
        elif key.isprintable():
            self._output.hold_back()
            self._letters += key
        gone = line_width(before) - line_width(self._letters)
        self._show("" if echoed else "\b \b" * gone or self._letters[len(before) :])
        if not self._letters:
            self._output.let_go(entered=False)

    def _show(self, text: str) -> None:
        if self._echoes and text:
            self._output.write_typed(text)


def without_last_letter(text: str) -> str:
    """Return the text without its last letter and the marks that stand on it."""
    at = len(text) - 1
    while at > 0 and line_width(text[at]) == 0:
        at -= 1
    return text[: max(at, 0)]


# -- the terminal --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class KeyMode:
    """Each key comes at once, and Ctrl-C still interrupts."""

    echoes: bool
    """The terminal has shown what is typed until now."""
    renew: Callable[[], bool]
    """Takes the mode again after a shell has reset it; returns whether that was so."""


@contextmanager
def key_mode(fd: int) -> Iterator[KeyMode | None]:
    """Take the terminal into the mode for this time; None where there is no such mode."""
    try:
        import termios

        before = termios.tcgetattr(fd)
    except ImportError:  # Windows
        yield None
        return
    except termios.error:  # it is gone, or it is no terminal
        yield None
        return

    def renew() -> bool:
        try:
            now = termios.tcgetattr(fd)
            if not now[3] & termios.ICANON:
                return False
            now[3] &= ~(termios.ICANON | termios.ECHO)
            now[6][termios.VMIN], now[6][termios.VTIME] = 1, 0
            termios.tcsetattr(fd, termios.TCSADRAIN, now)
        except termios.error:
            return False  # the terminal is gone; the reader will see it
        return True

    renew()
    try:
        yield KeyMode(bool(before[3] & termios.ECHO), renew)
    finally:
        with suppress(termios.error):  # the terminal may be gone
            termios.tcsetattr(fd, termios.TCSADRAIN, before)
