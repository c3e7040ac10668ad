"""A great moment as rows: portraits between two skylines, and its sentence below them.

Not here: which moments there are (`great_moments`).
"""

from __future__ import annotations

from collections.abc import Callable

from kotp2p.cli.pictures.portraits import Mood, Picture, paint, paint_small
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.screen.great_moments import Moment
from kotp2p.cli.ui.screen.half_blocks import draw_pixels
from kotp2p.cli.ui.screen.log_marks import STYLES
from kotp2p.cli.ui.screen.monster_marks import mark_names
from kotp2p.cli.ui.screen.rows import Row, fit_row, fold_lines, row_width
from kotp2p.cli.ui.screen.screen import Screen
from kotp2p.seams.seat_view import SeatView

Painter = Callable[[str, Mood], Picture | None]
GAP_COLUMNS = 3
"""Between two portraits."""
BESIDE_THE_PICTURE = 3
"""Rows above and below the portraits: the skylines, and one that is empty."""


def draw_moment(
    screen: Screen, view: SeatView, moment: Moment, columns: int, room: int
) -> list[Row]:
    """Draw `room` rows."""
    style = f"{STYLES[moment.kind]} face"
    words: list[Row] = [
        mark_names([(style, text)], view) for text in fold_lines([moment.words], columns - 4)
    ]
    skyline: Row = [(style, (theme.signs().skyline * columns)[:columns])]
    left = room - len(words) - BESIDE_THE_PICTURE
    picture = _draw_portraits(screen, view, moment, columns, left)
    rows = [skyline, *picture, [], *words, skyline]
    above = max(0, room - len(rows)) // 2
    rows = [*[[]] * above, *(_centre(row, columns) for row in rows)][:room]
    return [*rows, *[[]] * (room - len(rows))]


def _draw_portraits(
    screen: Screen, view: SeatView, moment: Moment, columns: int, room: int
) -> list[Row]:
    """As large as there is room for all; the last ones are left out if there is none even so."""
    if not screen.has_pictures:
        return []
    painters: tuple[Painter, ...] = (paint, paint_small)
    for painter in painters:
        found = [painter(view.players[seat].monster, mood) for seat, mood in moment.who]
        pictures = [picture for picture in found if picture is not None]
        if not pictures:
            return []
        side = len(pictures[0])
        most = (columns + GAP_COLUMNS) // (side + GAP_COLUMNS)
        if side // 2 <= room and (len(pictures) <= most or painter is paint_small):
            return _join(screen, pictures[:most])
    return []


def _join(screen: Screen, pictures: list[Picture]) -> list[Row]:
    rows: list[Row] = [[] for _row in range(len(pictures[0]) // 2)]
    for n, picture in enumerate(pictures):
        for row, parts in zip(rows, draw_pixels(picture, screen.depth), strict=True):
            row += [*([("log", " " * GAP_COLUMNS)] if n else []), *parts]
    return rows


def _centre(row: Row, columns: int) -> Row:
    indent = max(0, (columns - row_width(row)) // 2)
    return fit_row([("log", " " * indent), *row], columns)
