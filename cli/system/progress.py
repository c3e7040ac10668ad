"""How far a long command is: a bar on a terminal, lines with --plain, nothing into a pipe.

Scope: stderr only, so that what the command prints stays whole.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

from cli.system.output import Output, terminal_columns
from cli.text.i18n import _

LINES_OF_PLAIN = 10
"""So many lines tell of the whole."""

Step = Callable[[], None]
"""One part more is done."""


@contextmanager
def shown_progress(total: int, label: str, *, plain: bool) -> Iterator[Step]:
    if plain:
        yield _LineProgress(total).step
    elif terminal_columns(sys.stderr) is None:
        yield lambda: None
    else:
        with typer.progressbar(length=total, label=label, file=sys.stderr) as bar:
            yield lambda: bar.update(1)


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
