"""Portraits of the monsters in the lobby, on the table and at the end, with names below."""

from collections.abc import Callable, Sequence
from itertools import groupby

from kotp2p.cli.extras.pictures.portraits import SMALL_SIDE, Picture, colour_in, paint, paint_small
from kotp2p.cli.system.options import Depth, Mood
from kotp2p.cli.text.i18n import line_width
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.screen.panels import Moment
from kotp2p.cli.ui.screen.screen import Screen
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.state import Place
from kotp2p.seams.notices import SeatView

FEW_HEARTS = 3
NEAR_THE_GOAL = 3 / 4
PITCH_COLUMNS = SMALL_SIDE + 1
PORTRAIT_ROWS = SMALL_SIDE // 2 + 1


def draw_portraits(screen: Screen, view: SeatView, columns: int) -> list[theme.Row]:
    if not screen.has_pictures:
        return []
    most = (columns + 1) // PITCH_COLUMNS
    seats = _choose_seats(view, most)
    ranks = [seat for _place, seat in screen.state.feed.tally.rank_seats(view)]
    if screen.ending is not None and ranks:
        seats = [seat for seat in ranks if _has_portrait(view, seat)][:most]
    return _draw_strip(screen, view, seats) if seats else []


def draw_lobby_portraits(screen: Screen, monsters: Sequence[str], columns: int) -> list[theme.Row]:
    known = [monster for monster in monsters if paint_small(monster) is not None]
    if not screen.has_pictures or not known:
        return []
    shown = known[: columns // PITCH_COLUMNS]
    rows = _draw_calm([(monster, monster) for monster in shown], screen.depth)
    return [[("log", " "), *row] for row in rows]


def draw_choice(monsters: Sequence[str], first: int, depth: Depth) -> list[theme.Row]:
    """Draw `PORTRAIT_ROWS` rows of calm monsters, numbered from `first`."""
    return _draw_calm([(one, f"{n} {one}") for n, one in enumerate(monsters, first)], depth)


def _draw_calm(named: Sequence[tuple[str, str]], depth: Depth) -> list[theme.Row]:
    rows: list[theme.Row] = [[] for _row in range(PORTRAIT_ROWS)]
    for monster, label in named:
        _add_portrait(depth, rows, monster, Mood.CALM)
        rows[-1].append(("log", theme.pad_to_width(label, PITCH_COLUMNS)))
    return rows


def _draw_strip(screen: Screen, view: SeatView, seats: Sequence[Seat]) -> list[theme.Row]:
    rows: list[theme.Row] = [[] for _row in range(PORTRAIT_ROWS)]
    for seat in seats:
        _add_portrait(screen.depth, rows, view.players[seat].monster, mood_of(screen, view, seat))
        is_active = screen.ending is None and view.game.state.active == seat
        rows[-1] += _draw_name(view, seat, is_active=is_active)
    return rows


def _add_portrait(depth: Depth, rows: list[theme.Row], monster: str, mood: Mood) -> None:
    """Append a portrait to all rows but the last one, which is for the name."""
    picture = paint_small(monster, mood)
    assert picture is not None  # only monsters with a portrait were chosen
    for row, parts in zip(rows, draw_pixels(picture, depth), strict=False):
        row += [*parts, ("log", " ")]


def _choose_seats(view: SeatView, most: int) -> list[Seat]:
    """Return at most `most` seats in turn order: first the active one, the reader's, Tokyo's."""
    state = view.game.state
    shown = [one for one in state.monsters if one.alive and _has_portrait(view, one.seat)]
    shown.sort(
        key=lambda one: (
            one.seat != state.active,
            one.seat != view.seat,
            one.place is Place.OUTSIDE,
            one.seat,
        )
    )
    return sorted(one.seat for one in shown[:most])


def _has_portrait(view: SeatView, seat: Seat) -> bool:
    return paint_small(view.players[seat].monster) is not None


def mood_of(screen: Screen, view: SeatView, seat: Seat) -> Mood:
    """Return how the monster looks now: hurt before winning, but for who has won."""
    monster = view.game.state.monsters[seat]
    if screen.ending is not None:
        return Mood.WINNING if seat in screen.ending.winners else Mood.HURT
    if monster.hearts <= FEW_HEARTS or screen.status.last.hearts[seat] < 0:
        return Mood.HURT
    is_near = monster.points >= NEAR_THE_GOAL * view.game.setup.rules.goal
    return Mood.WINNING if is_near else Mood.CALM


def _draw_name(view: SeatView, seat: Seat, *, is_active: bool) -> theme.Row:
    mark = theme.signs().active if is_active else ""
    name = f"{theme.monster_letter(view, seat)} {view.players[seat].monster}"
    if line_width(mark + name) > PITCH_COLUMNS:
        name = view.players[seat].monster
    name = theme.cut_to_width(name, PITCH_COLUMNS - line_width(mark))
    return theme.center_row([("active", mark), (theme.seat_style(seat), name)], PITCH_COLUMNS)


# -- moment rows ---------------------------------------------------------------------------


Painter = Callable[[str, Mood], Picture | None]
GAP_COLUMNS = 3


def draw_moment(
    screen: Screen, view: SeatView, moment: Moment, columns: int, room: int
) -> list[theme.Row]:
    """Draw the portraits large if all fit, or else small; those that do not fit are left out."""
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


def _join(screen: Screen, pictures: list[Picture]) -> list[theme.Row]:
    rows: list[theme.Row] = [[] for _row in range(len(pictures[0]) // 2)]
    for n, picture in enumerate(pictures):
        for row, parts in zip(rows, draw_pixels(picture, screen.depth), strict=True):
            row += [*([("log", " " * GAP_COLUMNS)] if n else []), *parts]
    return rows


# -- pixels as rows of text: a sign is two pixels, one above the other ---------------------


UPPER = "▀"


def draw_pixels(picture: Picture, depth: Depth) -> list[theme.Row]:
    """Draw a picture in half as many rows, and as many columns, as it has pixels."""
    pairs = zip(picture[::2], picture[1::2], strict=True)
    return [_draw_row(upper, lower, depth) for upper, lower in pairs]


def _draw_row(upper: tuple[str, ...], lower: tuple[str, ...], depth: Depth) -> theme.Row:
    pairs = zip(upper, lower, strict=True)
    return [
        (f"fg:{colour_in(depth, front)} bg:{colour_in(depth, back)}", UPPER * len(list(group)))
        for (front, back), group in groupby(pairs)
    ]
