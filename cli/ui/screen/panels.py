"""The parts of the drawn table: the monsters, Tokyo, an attack, a race.

Scope: rows made of a `SeatView`, of the last events and of what is picked, for the room that there
is.
Not here: the place of each part (`draw`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from kotp2p.cli.pictures.portraits import Depth, Mood, Picture, colour_in
from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _, in_context, line_width, list_with_commas, number, plural
from kotp2p.cli.text.story import LineKind, ToldLine
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.shown_game import HEAVY_HIT
from kotp2p.referee.model import events as ev
from kotp2p.referee.model.answers import Face, Seat
from kotp2p.referee.model.state import Monster, Place
from kotp2p.referee.rules.monsters import MIN_ALIVE_FOR_BAY
from kotp2p.seams.notices import SeatView

# -- the panel of the monsters: one row for each -------------------------------------------


WIDE_COLUMNS = 80
"""Columns from which hearts have a bar and cards their names."""
MARK_COLUMNS = 3
"""The sign of the active monster, its letter, and a space."""
MONSTER_COLUMNS = 15
PLAYER_COLUMNS = 12
PLACE_COLUMNS = 8
FIGURES_COLUMNS = 13
BAR_HEARTS = 10
FEWEST_COLUMNS_OF_A_NAME = 8
"""The least columns of a card's name; with less room cards are counted."""
CHANGE_COLUMNS = 4
"""Hearts that were just lost or gained, with a space before them."""


@dataclass(frozen=True, slots=True)
class MonsterColumns:
    """The widths of the columns of the monsters' panel."""

    monster: int
    hearts: int
    bar: bool
    wicked: int
    """0 without the wickedness track."""
    cards: int

    @staticmethod
    def fit(view: SeatView, columns: int) -> MonsterColumns:
        wicked = 7 if view.game.setup.rules.tiles else 0
        bar = columns >= WIDE_COLUMNS + wicked
        monster = MONSTER_COLUMNS if columns >= WIDE_COLUMNS or not wicked else 10
        hearts = 2 + CHANGE_COLUMNS + (BAR_HEARTS + 1 if bar else 1)
        taken = MARK_COLUMNS + monster + PLAYER_COLUMNS + PLACE_COLUMNS + hearts
        rest = columns - taken - FIGURES_COLUMNS - wicked
        return MonsterColumns(monster, hearts, bar, wicked, max(0, rest))


def monster_rows(
    view: SeatView, columns: int, out_since: Mapping[Seat, int], last: LastEvents
) -> list[theme.Row]:
    """Draw one row for each monster, below a row that names the columns."""
    widths = MonsterColumns.fit(view, columns)
    rows = [_head_row(widths)]
    for monster in view.game.state.monsters:
        if monster.alive:
            rows.append(_monster_row(view, monster, widths, last))
        else:
            rows.append(_out_row(view, monster.seat, widths, columns, out_since))
    return rows


def _head_row(widths: MonsterColumns) -> theme.Row:
    # Translators: the heading of a column; at most 9 columns wide.
    text = " " * MARK_COLUMNS + theme.pad_to_width(_("Monster"), widths.monster)
    # Translators: the heading of a column; at most 11 columns wide.
    text += theme.pad_to_width(_("Player"), PLAYER_COLUMNS)
    # Translators: the heading of a column: a place in or outside Tokyo; at most 7 columns wide.
    text += theme.pad_to_width(_("Where"), PLACE_COLUMNS)
    # Translators: the heading of a column; at most 6 columns wide.
    text += theme.pad_to_width(_("Hearts"), widths.hearts)
    # Translators: the heading of a column; at most 6 columns wide.
    text += theme.align_right(_("Points"), 6)
    # Translators: the heading of a column; at most 6 columns wide.
    text += theme.align_right(_("Energy"), 7)
    if widths.wicked:
        # Translators: the heading of a column, points of wickedness; at most 6 columns wide.
        text += theme.align_right(_("Wicked"), widths.wicked)
    return [("rule", text + theme.pad_to_width("  " + _("Cards"), widths.cards))]


def _who_parts(view: SeatView, seat: Seat, widths: MonsterColumns, style: str) -> list[theme.Part]:
    own = theme.signs().own if seat == view.seat else " "
    player = view.players[seat]
    mark = _(" (bot)") if view.is_played_by_bot(seat) else ""
    if seat == view.seat and line_width(player.name + _(" (you)")) < PLAYER_COLUMNS:
        mark = _(" (you)")
    name = theme.cut_to_width(player.name, PLAYER_COLUMNS - 1 - line_width(mark)) + mark
    monster = theme.cut_to_width(view.players[seat].monster, widths.monster - 2)
    return [
        (
            style,
            theme.monster_letter(view, seat)
            + " "
            + theme.pad_to_width(monster, widths.monster - 1),
        ),
        ("own", own),
        (style, theme.pad_to_width(name, PLAYER_COLUMNS)),
    ]


def _out_row(
    view: SeatView, seat: Seat, widths: MonsterColumns, columns: int, out_since: Mapping[Seat, int]
) -> theme.Row:
    turn = out_since.get(seat)
    since = _("out") if turn is None else _("out since turn {turn}", turn=turn)
    who = _who_parts(view, seat, widths, "out")
    taken = 1 + sum(line_width(text) for _style, text in who)
    return [("out", " "), *who, ("out", theme.pad_to_width(since, columns - taken))]


def _monster_row(
    view: SeatView, monster: Monster, widths: MonsterColumns, last: LastEvents
) -> theme.Row:
    cards = "  " + _belongings_text(view, monster, max(0, widths.cards - 2))
    wicked = theme.align_right(number(monster.wickedness), widths.wicked) if widths.wicked else ""
    return [
        _mark_of(view, monster.seat, last),
        *_who_parts(view, monster.seat, widths, theme.seat_style(monster.seat)),
        (
            "tokyo" if monster.place else "log",
            theme.pad_to_width(theme.place_text(monster), PLACE_COLUMNS),
        ),
        *_hearts_parts(monster.hearts, last.hearts[monster.seat], widths),
        ("points", theme.align_right(number(monster.points), 6)),
        ("energy", theme.align_right(number(monster.energy), 7)),
        ("log", wicked + theme.pad_to_width(cards, widths.cards)),
    ]


def _mark_of(view: SeatView, seat: Seat, last: LastEvents) -> theme.Part:
    """Return the mark of the monster whose turn it is, or that an attack has just hit."""
    if view.game.state.active == seat:
        return ("active", theme.signs().active)
    is_hit = last.blow is not None and seat in dict(last.blow.losses)
    return ("damage", theme.signs().kinds[LineKind.DAMAGE]) if is_hit else ("log", " ")


def _hearts_parts(hearts: int, change: int, widths: MonsterColumns) -> list[theme.Part]:
    signs = theme.signs()
    changed = number(f"{change:+}") if change else ""
    parts: list[theme.Part] = []
    if widths.bar:
        full = min(hearts, BAR_HEARTS)
        parts = [
            ("heart", signs.heart * full),
            ("lost", signs.lost_heart * (BAR_HEARTS - full)),
            ("log", " "),
        ]
    return [
        *parts,
        ("heart", theme.align_right(number(hearts), 2)),
        ("damage" if change < 0 else "healed", theme.pad_to_width(" " + changed, CHANGE_COLUMNS)),
        ("log", " " * (0 if widths.bar else 1)),
    ]


def _belongings_text(view: SeatView, monster: Monster, room: int) -> str:
    """Name tokens and cards, or count the cards if their names do not fit."""
    parts = []
    if monster.poison:
        parts.append(_("poison {n}", n=monster.poison))
    if monster.shrink:
        parts.append(_("shrink {n}", n=monster.shrink))
    owned = [
        *names.owned_names(view, monster, tiles=False),
        *names.owned_names(view, monster, tiles=True),
    ]
    if not owned:
        return theme.cut_to_width(list_with_commas(parts) or "-", room)
    whole = list_with_commas([*parts, *owned])
    if line_width(whole) <= room:
        return whole
    if len(owned) == 1 and not parts and room >= FEWEST_COLUMNS_OF_A_NAME:
        return theme.cut_to_width(whole, room)
    counted = list_with_commas([*parts, plural("{n} card", "{n} cards", len(owned))])
    if line_width(counted) <= room:
        return counted
    return theme.cut_to_width(" ".join([*parts, f"+{len(owned)}"]), room)


# -- last events ---------------------------------------------------------------------------


AFTER_A_BLOW = (ev.YieldAnswered, ev.HeartsReachedZero, ev.Eliminated)
"""Events that an attack leads to: while only these come, the table goes on showing it."""


@dataclass(frozen=True, slots=True)
class Blow:
    """An attack: one monster takes hearts from others."""

    dealer: Seat
    losses: tuple[tuple[Seat, int], ...]
    """Each monster that was hit, and the hearts that it lost."""


@dataclass
class LastEvents:
    rolled: frozenset[int] = frozenset()
    """The positions of the dice that the last roll of this turn has moved."""
    hearts: Counter[Seat] = field(default_factory=Counter)
    """Hearts that each monster has just gained, or lost if negative."""

    blow: Blow | None = None

    def note_events(self, events: Sequence[ev.Event]) -> None:
        if not all(isinstance(event, AFTER_A_BLOW) for event in events):
            self.hearts, self.blow = Counter(), None
        for event in events:
            match event:
                case ev.DiceRolled(positions=positions):
                    self.rolled = frozenset(positions)
                case ev.DieChanged(position=position):
                    self.rolled = frozenset({position})
                case ev.TurnStarted():
                    self.rolled = frozenset()
                case ev.HeartsLost(seat=seat, amount=amount, dealer=dealer):
                    self.hearts[seat] -= amount
                    if dealer is not None and dealer != seat:
                        self._note_blow(dealer, seat, amount)
                case ev.HeartsGained(seat=seat, amount=amount):
                    self.hearts[seat] += amount
                case _:  # what else happens is seen in the values and in the log
                    pass

    def forget_blow(self) -> None:
        """Forget the last attack when it is over, which no event says."""
        self.hearts, self.blow = Counter(), None

    def _note_blow(self, dealer: Seat, seat: Seat, amount: int) -> None:
        """Record a loss; of several attackers at once the last one counts."""
        before = self.blow.losses if self.blow and self.blow.dealer == dealer else ()
        losses = dict(before)
        losses[seat] = losses.get(seat, 0) + amount
        self.blow = Blow(dealer, tuple(losses.items()))

    def rolled_of(self, dice: Sequence[Face]) -> frozenset[int]:
        """Return the dice rolled last while others were kept; none if all were rolled."""
        is_part = 0 < len(self.rolled) < len(dice) and max(self.rolled) < len(dice)
        return self.rolled if is_part else frozenset()


# -- race ----------------------------------------------------------------------------------


MOST_CELLS_PER_POINT = 3
BESIDE_THE_BAR = 8
"""Columns of the letter and the number."""


def draw_race(view: SeatView, columns: int, room: int) -> list[theme.Row]:
    """Draw at most `room` rows, or none unless every living monster gets one."""
    signs, goal = theme.signs(), view.game.setup.rules.goal
    monsters = [monster for monster in view.game.state.monsters if monster.alive]
    if len(monsters) + 1 > room:
        return []
    rows = [theme.rule_row(columns, _("The race to {n} points", n=goal))]
    cells = max(1, min(MOST_CELLS_PER_POINT, (columns - BESIDE_THE_BAR) // goal))
    for monster in monsters:
        done = min(monster.points, goal)
        rows.append(
            [
                (theme.seat_style(monster.seat), f" {theme.monster_letter(view, monster.seat)} "),
                ("points", signs.heart * cells * done),
                ("lost", signs.lost_heart * cells * (goal - done)),
                ("points", theme.align_right(number(monster.points), 4)),
            ]
        )
    return rows


# -- Tokyo as a place: the monsters in the City and in the Bay, and those around it --------
#
# Two drawings for two amounts of room, made of a `SeatView` alone. In the large one each monster
# has its own side of the city, clockwise in the order of the seats; its chair is empty while it is
# inside. In the small one those outside are in a row below.


SMALL_ROWS = 4
"""A frame and those around."""
SMALLEST_COLUMNS = 20
SHORT_TITLE_COLUMNS = 17
"""Columns of a frame from which its title names Tokyo."""
FRAME_COLUMNS = 5
"""The columns of a frame beside the name in it: two sides, a mark, its letter, a space."""
LARGE_ROWS = 5
TALL_ROWS = 7
CHAIRS = {
    2: ("left", "right"),
    3: ("top left", "right", "low left"),
    4: ("top left", "top right", "low right", "low left"),
    5: ("left", "top left", "top right", "low right", "low left"),
    6: ("left", "top left", "top right", "right", "low right", "low left"),
}
"""The places of the seats in the large drawing, clockwise."""


def is_bay_shown(view: SeatView) -> bool:
    state = view.game.state
    is_open = len(state.seats_alive()) >= MIN_ALIVE_FOR_BAY
    if view.game.setup.options.bay_for_beginners:
        is_open = False
    return is_open or state.seat_at(Place.BAY) is not None


def draw_small(view: SeatView, columns: int) -> list[theme.Row]:
    """Draw `SMALL_ROWS` rows of exactly `columns` columns."""
    around: theme.Row = [("rule", _("outside:"))]
    for monster in view.game.state.monsters:
        if monster.alive and monster.place is Place.OUTSIDE:
            is_active = monster.seat == view.game.state.active
            around.append(("active", " " + (theme.signs().active if is_active else " ")))
            around.append(
                (theme.seat_style(monster.seat), theme.monster_letter(view, monster.seat))
            )
    return [*_draw_places(view, columns), theme.fit_row(around, columns)]


def draw_large(view: SeatView, columns: int, *, tall: bool = False) -> list[theme.Row]:
    """Draw `LARGE_ROWS` or `TALL_ROWS` rows of exactly `columns` columns."""
    sides = CHAIRS[len(view.players)]
    chairs = {side: _draw_chair(view, seat) for seat, side in enumerate(sides)}
    left, right = chairs.get("left", []), chairs.get("right", [])
    side_columns = min(columns // 4, max(theme.row_width(left), theme.row_width(right)) + 1)
    if columns - 2 * side_columns - 2 < _columns_of_places(view):
        left, right = _shorten(left), _shorten(right)
        side_columns = max(theme.row_width(left), theme.row_width(right)) + 1
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
                *theme.fit_row(right if is_middle else [], side_columns),
            ]
        )
    return [*rows, _pair(chairs, "low left", "low right", columns)]


def _columns_of_places(view: SeatView) -> int:
    """Return the width that the frames need for the names of the monsters inside."""
    monsters = view.game.state.monsters
    inside = [view.players[one.seat].monster for one in monsters if one.place is not Place.OUTSIDE]
    longest = max(map(line_width, inside), default=0) + FRAME_COLUMNS
    return 2 * longest + 1 if is_bay_shown(view) else longest


def _shorten(chair: theme.Row) -> theme.Row:
    return [(style, text.split(" ")[0]) for style, text in chair]


def _pair(chairs: dict[str, theme.Row], left: str, right: str, columns: int) -> theme.Row:
    half = columns // 2
    return [
        *_center(chairs.get(left, []), half),
        *_center(chairs.get(right, []), columns - half),
    ]


def _center(row: theme.Row, columns: int) -> theme.Row:
    indent = max(0, (columns - theme.row_width(row)) // 2)
    return theme.fit_row([("log", " " * indent), *row], columns)


def _align_right(row: theme.Row, columns: int) -> theme.Row:
    return theme.fit_row([("log", " " * max(0, columns - theme.row_width(row))), *row], columns)


def _draw_chair(view: SeatView, seat: Seat) -> theme.Row:
    """Draw the place of a monster at the table, with its name while it is outside."""
    monster = view.game.state.monsters[seat]
    letter = theme.monster_letter(view, seat)
    if not monster.alive:
        return [("out", _("{letter} is out", letter=letter))]
    if monster.place is not Place.OUTSIDE:
        return [("out", _("{letter} is in", letter=letter))]
    mark = theme.signs().active if seat == view.game.state.active else ""
    return [("active", mark), (theme.seat_style(seat), f"{letter} {view.players[seat].monster}")]


# -- the frames ----------------------------------------------------------------------------------


def _draw_places(view: SeatView, columns: int, *, tall: bool = False) -> list[theme.Row]:
    """Draw the frames of the City and the Bay side by side, in three rows or five."""
    if not is_bay_shown(view):
        return _draw_frame(view, Place.CITY, _("Tokyo"), columns, tall=tall)
    half = (columns - 1) // 2
    is_narrow = half < SHORT_TITLE_COLUMNS
    titles = (_("City"), _("Bay")) if is_narrow else (_("Tokyo City"), _("Tokyo Bay"))
    city = _draw_frame(view, Place.CITY, titles[0], columns - 1 - half, tall=tall)
    bay = _draw_frame(view, Place.BAY, titles[1], half, tall=tall)
    return [[*left, ("log", " "), *right] for left, right in zip(city, bay, strict=True)]


def _draw_frame(
    view: SeatView, place: Place, title: str, columns: int, *, tall: bool
) -> list[theme.Row]:
    signs = theme.signs()
    top_left, top_right, low_left, low_right = signs.place_corners
    inner = columns - 2
    head = theme.cut_to_width(f"{signs.line} {title} ", inner)
    head += signs.line * (inner - line_width(head))
    rows = [_draw_inside(view, view.game.state.seat_at(place), inner, has_skyline=not tall)]
    if tall:
        player = _draw_player(view, view.game.state.seat_at(place))
        rows += [player, [("rule", _skyline(inner))]]
    return [
        [("tokyo", top_left + head + top_right)],
        *[
            [("tokyo", signs.upright), *theme.fit_row(row, inner), ("tokyo", signs.upright)]
            for row in rows
        ],
        [("tokyo", low_left + signs.line * inner + low_right)],
    ]


def _draw_inside(
    view: SeatView, seat: Seat | None, columns: int, *, has_skyline: bool
) -> theme.Row:
    """Draw the monster, and houses where it leaves room."""
    if seat is None:
        who: theme.Row = [("out", " " + _("nobody"))]
    else:
        mark = theme.signs().active if seat == view.game.state.active else " "
        name = f"{theme.monster_letter(view, seat)} {view.players[seat].monster}"
        who = [("active", mark), (theme.seat_style(seat), name)]
    left = columns - theme.row_width(who) - 1
    if not has_skyline or left <= 0:
        return who
    return [*who, ("log", " "), ("rule", _skyline(columns)[-left:])]


def _draw_player(view: SeatView, seat: Seat | None) -> theme.Row:
    return [("log", "")] if seat is None else [("log", "   " + view.players[seat].name)]


def _skyline(columns: int) -> str:
    houses = theme.signs().skyline
    return (houses * (columns // len(houses) + 1))[:columns]


# -- an attack on the table: from whom to whom, with the hearts that it takes --------------


NameOf = Callable[[Seat], str]


def draw_blow(view: SeatView, blow: Blow, columns: int) -> theme.Row:
    """Draw an attack with the names of the players, or with letters if they do not fit."""

    def whole_name(seat: Seat) -> str:
        name = (
            in_context("who is hit", "you") if seat == view.seat else names.player_name(view, seat)
        )
        return f"{theme.monster_letter(view, seat)} {name}"

    dash = theme.line_sign()
    for name_of in (whole_name, lambda seat: theme.monster_letter(view, seat)):
        row: theme.Row = [("rule", dash * 2 + " "), *_list_parts(blow, name_of), ("log", " ")]
        left = columns - theme.row_width(row)
        if left >= 0:
            return [*row, ("rule", dash * left)]
    return theme.fit_row(row, columns)


def _list_parts(blow: Blow, name_of: NameOf) -> list[theme.Part]:
    parts: list[theme.Part] = [
        (theme.seat_style(blow.dealer), name_of(blow.dealer)),
        ("damage", f" {theme.arrow()}"),
    ]
    for seat, lost in blow.losses:
        parts += [
            ("log", " "),
            (theme.seat_style(seat), name_of(seat)),
            ("damage", f" {-lost}"),
        ]
    return parts


# -- dice that roll: for a few frames they show other faces than those that they have ------


FRAMES = 3
FRAME_SECONDS = 0.13


@dataclass
class RollMotion:
    is_on: bool = False
    frames_left: int = 0
    positions: frozenset[int] = frozenset()

    @property
    def is_moving(self) -> bool:
        return self.frames_left > 0

    def note_events(self, events: Sequence[ev.Event]) -> None:
        """Start the motion of a roll; any other event ends it."""
        rolls = [event for event in events if isinstance(event, ev.DiceRolled)]
        self.frames_left = FRAMES if self.is_on and rolls else 0
        self.positions = frozenset(rolls[-1].positions) if rolls else frozenset()

    def step(self) -> None:
        self.frames_left = max(0, self.frames_left - 1)

    def is_rolling(self, position: int) -> bool:
        return self.is_moving and position in self.positions

    def face_shown(self, face: Face, position: int) -> Face:
        """Return the face to draw: while the die moves, another one in each frame."""
        if not self.is_rolling(position):
            return face
        return Face((face + self.frames_left + position % 2) % len(Face))


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


# -- great moments -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Moment:
    kind: LineKind
    who: tuple[tuple[Seat, Mood], ...]
    """The portraits that are shown, with their moods."""
    words: str = ""
    """The sentence of the log; empty until it is known."""


@dataclass
class GreatMoments:
    is_on: bool = False
    shown: Moment | None = None
    """The moment that fills the table, once it has words."""

    def note_events(self, events: Sequence[ev.Event]) -> None:
        """Begin the moment of these events. Any event ends the one before."""
        self.shown = find_moment(events) if self.is_on else None

    def note_lines(self, lines: Sequence[str]) -> None:
        """Take the sentence of the moment from the lines about its events."""
        if self.shown is None or self.shown.words:
            return
        told = [line for line in lines if isinstance(line, ToldLine)]
        fitting = [line for line in told if line.kind is self.shown.kind]
        self.shown = replace(self.shown, words=str(fitting[-1])) if fitting else None

    def end(self) -> None:
        self.shown = None


def find_moment(events: Sequence[ev.Event]) -> Moment | None:
    fallen: list[Seat] = []
    entered: Seat | None = None
    for event in events:
        match event:
            case ev.GameEnded(winners=winners) if winners:
                who = tuple((seat, Mood.WINNING) for seat in winners)
                return Moment(LineKind.POINTS, who)
            case ev.Eliminated(seat=seat):
                fallen.append(seat)
            case ev.EnteredTokyo(seat=seat):
                entered = seat
            case _:  # nothing to pause for, or a hit, which is looked for below
                pass
    if fallen:
        return Moment(LineKind.DAMAGE, tuple((seat, Mood.HURT) for seat in fallen))
    hit = _find_heavy_hit(events)
    if hit is not None or entered is None:
        return hit
    return Moment(LineKind.TOKYO, ((entered, Mood.CALM),))


def _find_heavy_hit(events: Sequence[ev.Event]) -> Moment | None:
    """Return the moment of a heavy hit, with the attacker before those that are hit."""
    for heavy in events:
        if (
            isinstance(heavy, ev.HeartsLost)
            and heavy.amount >= HEAVY_HIT
            and heavy.dealer is not None
        ):
            hit = [
                event.seat
                for event in events
                if isinstance(event, ev.HeartsLost) and event.dealer == heavy.dealer
            ]
            victims = dict.fromkeys(seat for seat in hit if seat != heavy.dealer)
            who = ((heavy.dealer, Mood.CALM), *((seat, Mood.HURT) for seat in victims))
            return Moment(LineKind.DAMAGE, who)
    return None
