"""Pixels as rows of text: a sign stands for two, one above the other.

Scope: a picture as parts whose style is a colour itself. Only pictures have backgrounds.
"""

from __future__ import annotations

from itertools import groupby

from kotp2p.cli.pictures.depths import Depth, colour_in
from kotp2p.cli.pictures.portraits import Picture
from kotp2p.cli.ui.screen.rows import Part, Row

UPPER, LOWER = "▀", "▄"


def draw_pixels(picture: Picture, depth: Depth) -> list[Row]:
    """Half as many rows as the picture has, and as many columns."""
    pairs = zip(picture[::2], picture[1::2], strict=True)
    return [_draw_row(upper, lower, depth) for upper, lower in pairs]


def _draw_row(upper: tuple[str | None, ...], lower: tuple[str | None, ...], depth: Depth) -> Row:
    cells = [_draw_cell(*two, depth) for two in zip(upper, lower, strict=True)]
    return [
        (style, "".join(text for _style, text in group))
        for style, group in groupby(cells, key=lambda cell: cell[0])
    ]


def _draw_cell(upper: str | None, lower: str | None, depth: Depth) -> Part:
    if upper is None and lower is None:
        return "log", " "
    if upper is None or lower is None:
        sign, colour = (UPPER, upper) if lower is None else (LOWER, lower)
        assert colour is not None  # one of the two has one
        return f"fg:{colour_in(depth, colour)}", sign
    front, back = colour_in(depth, upper), colour_in(depth, lower)
    return f"fg:{front} bg:{back}", UPPER
