"""The mouse: what lies under a click, and a wheel that the terminal turns into arrow keys.

Scope: a part of a row that can be clicked has a mark among the names of its style, such as
`face heart at-die-2`, so that no drawing has to be measured. Some terminals send arrow keys for the
wheel where no mouse is reported: several in one moment, as no finger can. `WheelInKeys` tells them
from keys.
Not here: what a click and the wheel do (`controls`), and how the terminal is told to report them
(`stage`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from kotp2p.cli.ui.screen.rows import Row
from kotp2p.cli.ui.screen.timing import Clock

DIE = "at-die-"
CARD = "at-card-"
ROWS_OF_A_NOTCH = 3
"""By which one notch of the wheel moves the log."""
BURST_SECONDS = 0.01
"""Arrow keys that follow each other in less are no keys; a held one repeats more slowly."""


def mark_row(row: Row, mark: str) -> Row:
    return [(f"{style} {mark}", text) for style, text in row]


def mark_at(rows: Sequence[Row], row: int, sign: int) -> str:
    """The mark of what is drawn there; empty if it cannot be clicked."""
    if not 0 <= row < len(rows):
        return ""
    for style, text in rows[row]:
        if sign < len(text):
            return next((name for name in style.split() if name.startswith((DIE, CARD))), "")
        sign -= len(text)
    return ""


def index_of(mark: str, kind: str) -> int | None:
    """Which of the dice or of the cards it is; None if it is of another kind."""
    return int(mark.removeprefix(kind)) if mark.startswith(kind) else None


class WheelInKeys:
    def __init__(self, clock: Clock, burst_seconds: float) -> None:
        self._clock = clock
        self._burst_seconds = burst_seconds
        self._last = -math.inf

    def is_notch(self) -> bool:
        """Whether the arrow key that comes now is another one of the same notch."""
        now, last = self._clock(), self._last
        self._last = now
        return now - last < self._burst_seconds
