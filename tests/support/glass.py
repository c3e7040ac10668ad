"""What a terminal shows, as pyte keeps it, with the signs that take no column."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pyte

from kotp2p.cli.text.i18n import line_width


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    """Empty: the right half of a wide sign."""
    colour: str
    is_reversed: bool

    @property
    def is_hex(self) -> bool:
        return re.fullmatch(r"[0-9a-f]{6}", self.colour) is not None


class Glass(pyte.Screen):
    """pyte drops the rest of a text behind a sign without a width, such as an isolate. Here it
    stands in the cell of the sign before it, as prompt_toolkit and terminals have it."""

    def draw(self, data: str) -> None:
        for sign in data:
            if line_width(sign) > 0:
                super().draw(sign)
            elif self.cursor.x > 0:
                row, x = self.buffer[self.cursor.y], self.cursor.x - 1
                row[x] = row[x]._replace(data=row[x].data + sign)

    @property
    def display(self) -> list[str]:
        return ["".join(cell.text for cell in row) for row in self.cells()]

    def cells(self) -> list[list[Cell]]:
        """Row by row."""
        return [
            [self._cell(self.buffer[y][x]) for x in range(self.columns)] for y in range(self.lines)
        ]

    @staticmethod
    def _cell(found: pyte.screens.Char) -> Cell:
        return Cell(found.data, found.fg, found.reverse)
