"""A QR code as rows of the screen: dark squares on a light ground, whatever the terminal's colours.

Scope: the squares of a text (by segno), and how many columns and rows they take. Half blocks put
two squares above each other into one sign. Where the terminal has ASCII only, a square is two
spaces with a colour behind them.
Not here: which text is shown, and what stands beside it (`code_page`).
"""

from __future__ import annotations

from dataclasses import dataclass

from cli.ui.screen.rows import Row

LIGHT, DARK = "code", "code-dark"
"""The styles: dark on light, and light on dark."""
HALF_BLOCKS = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
"""By whether the upper square is dark, and the lower one."""
QUIET_ZONES = (4, 2)
"""Light squares around the code, the best number first. The standard wants four. Two are read as
well, since the ground ends at something dark only."""


@dataclass(frozen=True, slots=True)
class QrCode:
    squares: tuple[tuple[bool, ...], ...]
    """Row by row, whether each is dark."""

    def rows(self, quiet: int, *, has_blocks: bool) -> list[Row]:
        edge = (False,) * quiet
        empty = (False,) * (len(self.squares) + 2 * quiet)
        body = [(*edge, *row, *edge) for row in self.squares]
        whole = [*[empty] * quiet, *body, *[empty] * quiet]
        if not has_blocks:
            return [[(DARK if dark else LIGHT, "  ") for dark in row] for row in whole]
        if len(whole) % 2:
            whole.append(empty)
        pairs = zip(whole[::2], whole[1::2], strict=True)
        return [
            [(LIGHT, "".join(HALF_BLOCKS[pair] for pair in zip(upper, lower, strict=True)))]
            for upper, lower in pairs
        ]

    def size(self, quiet: int, *, has_blocks: bool) -> tuple[int, int]:
        """Columns and rows of the drawing."""
        side = len(self.squares) + 2 * quiet
        return (side, (side + 1) // 2) if has_blocks else (2 * side, side)


def make_code(text: str) -> QrCode:
    import segno

    made = segno.make_qr(text, error="l")
    return QrCode(tuple(tuple(bool(square) for square in row) for row in made.matrix))
