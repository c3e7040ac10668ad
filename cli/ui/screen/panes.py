"""The parts of the drawn table that keep text: the input line, the log, the prompt.

Scope: what each part holds and how it changes. `screen` puts them together, `draw` makes rows of
them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from kotp2p.cli.text.queries import MAX_KEPT_LINES
from kotp2p.cli.ui.screen.log_marks import LogRow, list_log_rows


@dataclass
class InputLine:
    text: str = ""
    """What stands on the line; the stage keeps it up to date while the player types."""
    on_replaced: Callable[[str], None] = lambda text: None
    """Puts a text on the line of the terminal."""

    def replace(self, text: str) -> None:
        self.text = text
        self.on_replaced(text)


@dataclass
class LogPane:
    lines: deque[str] = field(default_factory=lambda: deque(maxlen=MAX_KEPT_LINES))
    rows_below: int = 0
    """Rows of the log below the window; 0 while its end is shown."""
    columns: int = 80
    """The width of the log when it was last drawn."""
    height: int = 1
    """Its rows then."""

    held: int = 0
    """Of the last lines, those that tell what dice show that still roll: not shown yet."""

    def hold(self, lines: Sequence[str]) -> None:
        """Adds lines that are shown later (`release`)."""
        self.add(lines)
        self.held += len(lines)

    def release(self) -> None:
        self.held = 0

    def add(self, lines: Sequence[str]) -> None:
        self.lines.extend(lines)
        if self.rows_below:  # a reader further up goes on reading there
            self.rows_below += sum(len(list_log_rows(line, self.columns)) for line in lines)

    def turn(self, pages: int) -> None:
        """Towards the end, or back if negative. `visible_rows` keeps it within the log."""
        self.scroll(pages * max(1, self.height - 1))

    def scroll(self, rows: int) -> None:
        """Towards the end, or back if negative."""
        self.rows_below = max(0, self.rows_below - rows)

    def visible_rows(self, columns: int, height: int) -> list[LogRow]:
        self.columns, self.height = columns, height
        rows: list[LogRow] = []
        wanted = height + self.rows_below
        shown = list(self.lines)[: len(self.lines) - self.held]
        for line in reversed(shown):
            rows = [*list_log_rows(line, columns), *rows]
            if len(rows) >= wanted:
                break
        self.rows_below = max(0, min(self.rows_below, len(rows) - height))
        end = len(rows) - self.rows_below
        return rows[max(0, end - height) : end]


@dataclass(frozen=True, slots=True)
class Summary:
    """What stands in the log's place until the game goes on."""

    title: str
    lines: tuple[str, ...]


@dataclass
class PromptPane:
    lines: list[str] = field(default_factory=list)
    """What is asked; the last line is the prompt."""
    remark: str = ""
    """One sentence: why something was refused, or what the picked answer does."""
    threat: str = ""
    """What the dice of another would do to the player, as long as they lie there."""
    unused_input: str = ""
    """What stood on the input line when a new prompt came."""
