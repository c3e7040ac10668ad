"""How far a long command is: a bar on a terminal, lines with --plain, nothing into a pipe.

Scope: stderr only, so that what the command prints stays whole.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import typer

from kotp2p.cli.system.output import Output, terminal_columns
from kotp2p.cli.text.i18n import _

ERASE_ROW = "\r\x1b[K"
LINES_OF_PLAIN = 10
"""So many lines tell of the whole."""


@dataclass(frozen=True, slots=True)
class Progress:
    step: Callable[[], None]
    """One part more is done."""
    make_room: Callable[[], None] = lambda: None
    """Lines are to be printed on the same terminal before the next step."""


@contextmanager
def shown_progress(total: int, label: str, *, plain: bool) -> Iterator[Progress]:
    if plain:
        yield Progress(_LineProgress(total).step)
    elif not has_terminal():
        yield Progress(lambda: None)
    else:
        with typer.progressbar(length=total, label=label, file=sys.stderr, show_pos=True) as bar:
            yield Progress(lambda: bar.update(1), _erase_row)


def has_terminal() -> bool:
    """Whether the progress would be seen by a person."""
    return terminal_columns(sys.stderr) is not None


def _erase_row() -> None:
    """The bar is drawn again by its next step, as its count differs then."""
    if terminal_columns(sys.stdout) is not None:
        sys.stderr.write(ERASE_ROW)
        sys.stderr.flush()


class _LineProgress:
    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._output = Output.standard()

    def step(self) -> None:
        before = self._done * LINES_OF_PLAIN // self._total
        self._done += 1
        if self._done * LINES_OF_PLAIN // self._total > before:
            self._output.note_line(
                _("{done} of {total} are done.", done=self._done, total=self._total)
            )
