"""The page with the invitation as a QR code, and what is said beside it.

Scope: which of the codes fits into the window, and what is said if none does.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cli.text.how_to_join import CodeTexts
from cli.text.i18n import _
from cli.ui.screen.qr_code import QUIET_ZONES, QrCode, make_code
from cli.ui.screen.rows import Row, fold_lines, put_side_by_side, row_width, rule_row
from cli.ui.screen.theme import signs

FEWEST_TEXT_COLUMNS = 30
"""Of what is said beside the code. With the smallest code it makes more columns than a table
needs."""
GAP_COLUMNS = 2


@dataclass
class CodePage:
    """Lies over the table like a `Page`, in as many rows as it needs."""

    texts: CodeTexts
    codes: tuple[QrCode, ...] = field(init=False)
    """One for each of the texts, the best first."""

    def __post_init__(self) -> None:
        self.codes = tuple(make_code(text) for text in self.texts.texts)

    @property
    def title(self) -> str:
        return _("QR code of the invitation")

    def turn(self, pages: int) -> None:
        """It is one window only."""

    def draw(self, columns: int, room: int, other_rows: int) -> list[Row]:
        """`room` rows; `other_rows`: those of the window that it does not have."""
        has_blocks = bool(signs().half_blocks)
        for quiet in QUIET_ZONES:
            for code in self.codes:
                wide, high = code.size(quiet, has_blocks=has_blocks)
                if wide + GAP_COLUMNS + FEWEST_TEXT_COLUMNS <= columns and high <= room:
                    rows = code.rows(quiet, has_blocks=has_blocks)
                    return self._put_beside(rows, columns, room)
        return self._draw_too_small(columns, room, other_rows)

    def _put_beside(self, code: list[Row], columns: int, room: int) -> list[Row]:
        left = row_width(code[0])
        texts = fold_lines(
            [self.title, "", *self.texts.lines, "", _("Esc closes it.")],
            columns - left - GAP_COLUMNS,
        )
        beside: list[Row] = [[("log", text)] for text in texts[:room]]
        rows = put_side_by_side(code, beside, left, " " * GAP_COLUMNS)
        return rows + [[("log", "")]] * (room - len(rows))

    def _draw_too_small(self, columns: int, room: int, other_rows: int) -> list[Row]:
        smallest = min(
            code.size(QUIET_ZONES[-1], has_blocks=bool(signs().half_blocks)) for code in self.codes
        )
        lines = [
            _("The QR code needs a window of {columns} columns and {rows} rows; this one has "
              "{width} and {height}. Make it larger, or its letters smaller.",
              columns=smallest[0] + GAP_COLUMNS + FEWEST_TEXT_COLUMNS,
              rows=smallest[1] + other_rows, width=columns, height=room + other_rows),
            "",
            *self.texts.lines,
        ]  # fmt: skip
        rows: list[Row] = [rule_row(columns, self.title, _("Esc closes"))]
        rows += [[("log", " " + text)] for text in fold_lines(lines, columns - 2)]
        return rows[:room] + [[("log", "")]] * (room - len(rows))
