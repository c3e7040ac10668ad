"""Tokyo as a place: the monsters in the City and in the Bay, and those around it.

Scope: two drawings for two amounts of room, made of a `SeatView` alone. In the large one each
monster has its own side of the city, clockwise in the order of the seats; its chair is empty
while it is inside. In the small one those outside stand in a row below.
"""

from __future__ import annotations

from kotp2p.cli.text.i18n import _, line_width
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.screen.monster_marks import monster_letter, seat_style
from kotp2p.cli.ui.screen.rows import Row, cut_to_width, fit_row, row_width
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.state import Place
from kotp2p.referee.rules.monsters import MIN_ALIVE_FOR_BAY
from kotp2p.seams.seat_view import SeatView

SMALL_ROWS = 4
"""A frame and those around."""
SMALLEST_COLUMNS = 20
SHORT_TITLE_COLUMNS = 17
"""Columns of a frame from which its title names Tokyo."""
FRAME_COLUMNS = 5
"""Of a frame with a monster, beside its name: two sides, a mark, its letter, a space."""
LARGE_ROWS = 5
TALL_ROWS = 7
CHAIRS = {
    2: ("left", "right"),
    3: ("top left", "right", "low left"),
    4: ("top left", "top right", "low right", "low left"),
    5: ("left", "top left", "top right", "low right", "low left"),
    6: ("left", "top left", "top right", "right", "low right", "low left"),
}
"""Where the seats of a table stand in the large drawing, clockwise."""


def is_bay_shown(view: SeatView) -> bool:
    """Whether the Bay is open, or a monster still stands there."""
    state = view.game.state
    is_open = len(state.seats_alive()) >= MIN_ALIVE_FOR_BAY
    if view.game.setup.options.bay_for_beginners:
        is_open = False
    return is_open or state.seat_at(Place.BAY) is not None


def draw_small(view: SeatView, columns: int) -> list[Row]:
    """`SMALL_ROWS` rows of exactly `columns` columns."""
    around: Row = [("rule", _("outside:"))]
    for monster in view.game.state.monsters:
        if monster.alive and monster.place is Place.OUTSIDE:
            is_active = monster.seat == view.game.state.active
            around.append(("active", " " + (theme.signs().active if is_active else " ")))
            around.append((seat_style(monster.seat), monster_letter(view, monster.seat)))
    return [*_draw_places(view, columns), fit_row(around, columns)]


def draw_large(view: SeatView, columns: int, *, tall: bool = False) -> list[Row]:
    """`LARGE_ROWS` or `TALL_ROWS` rows of exactly `columns` columns."""
    sides = CHAIRS[len(view.players)]
    chairs = {side: _draw_chair(view, seat) for seat, side in enumerate(sides)}
    left, right = chairs.get("left", []), chairs.get("right", [])
    side_columns = min(columns // 4, max(row_width(left), row_width(right)) + 1)
    if columns - 2 * side_columns - 2 < _columns_of_places(view):
        left, right = _shorten(left), _shorten(right)
        side_columns = max(row_width(left), row_width(right)) + 1
    frame = _draw_places(view, columns - 2 * side_columns - 2, tall=tall)
    rows = [_pair(chairs, "top left", "top right", columns)]
    for at, row in enumerate(frame):
        is_middle = at == len(frame) // 2
        rows.append(
            [
                *_align_right(left if is_middle else [], side_columns),
                ("log", " "),
                *row,
                ("log", " "),
                *fit_row(right if is_middle else [], side_columns),
            ]
        )
    return [*rows, _pair(chairs, "low left", "low right", columns)]


def _columns_of_places(view: SeatView) -> int:
    """What the frames need for the names of the monsters inside."""
    monsters = view.game.state.monsters
    inside = [view.players[one.seat].monster for one in monsters if one.place is not Place.OUTSIDE]
    longest = max(map(line_width, inside), default=0) + FRAME_COLUMNS
    return 2 * longest + 1 if is_bay_shown(view) else longest


def _shorten(chair: Row) -> Row:
    """The mark and the letter alone."""
    return [(style, text.split(" ")[0]) for style, text in chair]


def _pair(chairs: dict[str, Row], left: str, right: str, columns: int) -> Row:
    half = columns // 2
    return [
        *_center(chairs.get(left, []), half),
        *_center(chairs.get(right, []), columns - half),
    ]


def _center(row: Row, columns: int) -> Row:
    indent = max(0, (columns - row_width(row)) // 2)
    return fit_row([("log", " " * indent), *row], columns)


def _align_right(row: Row, columns: int) -> Row:
    return fit_row([("log", " " * max(0, columns - row_width(row))), *row], columns)


def _draw_chair(view: SeatView, seat: Seat) -> Row:
    """Empty while the monster is inside."""
    monster = view.game.state.monsters[seat]
    letter = monster_letter(view, seat)
    if not monster.alive:
        return [("out", _("{letter} is out", letter=letter))]
    if monster.place is not Place.OUTSIDE:
        return [("out", _("{letter} is in", letter=letter))]
    mark = theme.signs().active if seat == view.game.state.active else ""
    return [("active", mark), (seat_style(seat), f"{letter} {view.players[seat].monster}")]


# -- the frames ----------------------------------------------------------------------------------


def _draw_places(view: SeatView, columns: int, *, tall: bool = False) -> list[Row]:
    """The frames of the City and the Bay, side by side: three rows, or five."""
    if not is_bay_shown(view):
        return _draw_frame(view, Place.CITY, _("Tokyo"), columns, tall=tall)
    half = (columns - 1) // 2
    is_narrow = half < SHORT_TITLE_COLUMNS
    titles = (_("City"), _("Bay")) if is_narrow else (_("Tokyo City"), _("Tokyo Bay"))
    city = _draw_frame(view, Place.CITY, titles[0], columns - 1 - half, tall=tall)
    bay = _draw_frame(view, Place.BAY, titles[1], half, tall=tall)
    return [[*left, ("log", " "), *right] for left, right in zip(city, bay, strict=True)]


def _draw_frame(view: SeatView, place: Place, title: str, columns: int, *, tall: bool) -> list[Row]:
    signs = theme.signs()
    top_left, top_right, low_left, low_right = signs.place_corners
    inner = columns - 2
    head = cut_to_width(f"{signs.line} {title} ", inner)
    head += signs.line * (inner - line_width(head))
    rows = [_draw_inside(view, view.game.state.seat_at(place), inner, has_skyline=not tall)]
    if tall:
        player = _draw_player(view, view.game.state.seat_at(place))
        rows += [player, [("rule", _skyline(inner))]]
    return [
        [("tokyo", top_left + head + top_right)],
        *[
            [("tokyo", signs.upright), *fit_row(row, inner), ("tokyo", signs.upright)]
            for row in rows
        ],
        [("tokyo", low_left + signs.line * inner + low_right)],
    ]


def _draw_inside(view: SeatView, seat: Seat | None, columns: int, *, has_skyline: bool) -> Row:
    """The monster, and houses where it leaves room."""
    if seat is None:
        who: Row = [("out", " " + _("nobody"))]
    else:
        mark = theme.signs().active if seat == view.game.state.active else " "
        name = f"{monster_letter(view, seat)} {view.players[seat].monster}"
        who = [("active", mark), (seat_style(seat), name)]
    left = columns - row_width(who) - 1
    if not has_skyline or left <= 0:
        return who
    return [*who, ("log", " "), ("rule", _skyline(columns)[-left:])]


def _draw_player(view: SeatView, seat: Seat | None) -> Row:
    return [("log", "")] if seat is None else [("log", "   " + view.players[seat].name)]


def _skyline(columns: int) -> str:
    houses = theme.signs().skyline
    return (houses * (columns // len(houses) + 1))[:columns]
