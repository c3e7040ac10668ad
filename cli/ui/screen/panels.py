"""The parts of the drawn table: the monsters, Tokyo, a race, great moments."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from kotp2p.cli.system.options import Mood
from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _, line_width, list_with_commas, number, plural
from kotp2p.cli.text.story import LineKind, ToldLine
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.shown_game import HEAVY_HIT
from kotp2p.referee.model import events as ev
from kotp2p.referee.model.answers import Face, Seat
from kotp2p.referee.model.state import Monster, Place
from kotp2p.referee.rules.monsters import MIN_ALIVE_FOR_BAY
from kotp2p.seams.notices import SeatView

# -- the panel of the monsters: one row for each -------------------------------------------


WIDE_COLUMNS, BAR_COLUMNS = 80, 90
MARK_COLUMNS = 3
"""The sign of the active monster, its letter, and a space."""
MONSTER_COLUMNS = 15
PLAYER_COLUMNS = 12
PLACE_COLUMNS = 8
FIGURES_COLUMNS = 13
BAR_CELLS, SHORT_BAR_CELLS, ALL_HEARTS = 10, 5, 10
"""A shorter bar leaves room for the name of a card."""
FEWEST_COLUMNS_OF_A_NAME = 13
"""The least columns of a card's name; with less room cards are counted."""
CHANGE_COLUMNS = 4
"""Hearts that were just lost or gained, with a space before them."""


@dataclass(frozen=True, slots=True)
class MonsterColumns:
    monster: int
    player: int
    """As wide as the longest name wants, if a card's name still has room."""
    hearts: int
    bar: int
    """Cells of the bar of hearts; 0 without one."""
    wicked: int
    """0 without the wickedness track."""
    cards: int

    @staticmethod
    def fit(view: SeatView, columns: int) -> MonsterColumns:
        wicked = 7 if view.game.setup.rules.tiles else 0
        bar = SHORT_BAR_CELLS if columns >= WIDE_COLUMNS + wicked else 0
        bar = BAR_CELLS if columns >= BAR_COLUMNS + wicked else bar
        monster = MONSTER_COLUMNS if columns >= WIDE_COLUMNS or not wicked else 10
        hearts = 2 + CHANGE_COLUMNS + bar + 1
        taken = MARK_COLUMNS + monster + PLAYER_COLUMNS + PLACE_COLUMNS + hearts
        rest = columns - taken - FIGURES_COLUMNS - wicked
        longest = max(line_width(player.name + _(" (bot)")) for player in view.players)
        more = max(0, min(longest + 1 - PLAYER_COLUMNS, rest - 2 - FEWEST_COLUMNS_OF_A_NAME))
        player = PLAYER_COLUMNS + more
        return MonsterColumns(monster, player, hearts, bar, wicked, max(0, rest - more))


def monster_rows(
    view: SeatView, columns: int, out_since: Mapping[Seat, int], last: LastEvents
) -> list[theme.Row]:
    widths = MonsterColumns.fit(view, columns)
    rows = [_head_row(widths)]
    for monster in view.game.state.monsters:
        if monster.alive:
            rows.append(_monster_row(view, monster, widths, last.hearts[monster.seat]))
        else:
            rows.append(_out_row(view, monster.seat, widths, columns, out_since))
    return rows


def _head_row(widths: MonsterColumns) -> theme.Row:
    # Translators: the heading of a column; at most 9 columns wide.
    text = " " * MARK_COLUMNS + theme.pad_to_width(_("Monster"), widths.monster)
    # Translators: the heading of a column; at most 11 columns wide.
    text += theme.pad_to_width(_("Player"), widths.player)
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
    if seat == view.seat and line_width(player.name + _(" (you)")) < widths.player:
        mark = _(" (you)")
    name = theme.cut_to_width(player.name, widths.player - 1 - line_width(mark)) + mark
    monster = theme.cut_to_width(view.players[seat].monster, widths.monster - 2)
    return [
        (
            style,
            theme.monster_letter(view, seat)
            + " "
            + theme.pad_to_width(monster, widths.monster - 1),
        ),
        ("own", own),
        (style, theme.pad_to_width(name, widths.player)),
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
    view: SeatView, monster: Monster, widths: MonsterColumns, change: int
) -> theme.Row:
    cards = "  " + _belongings_text(view, monster, max(0, widths.cards - 2))
    wicked = theme.align_right(number(monster.wickedness), widths.wicked) if widths.wicked else ""
    return [
        ("active", theme.signs().active if view.game.state.active == monster.seat else " "),
        *_who_parts(view, monster.seat, widths, theme.seat_style(monster.seat)),
        (
            "tokyo" if monster.place else "log",
            theme.pad_to_width(theme.place_text(monster), PLACE_COLUMNS),
        ),
        *_hearts_parts(monster.hearts, change, widths),
        ("points", theme.align_right(number(monster.points), 6)),
        ("energy", theme.align_right(number(monster.energy), 7)),
        ("log", wicked + theme.pad_to_width(cards, widths.cards)),
    ]


def _hearts_parts(hearts: int, change: int, widths: MonsterColumns) -> list[theme.Part]:
    signs = theme.signs()
    changed = number(f"{change:+}") if change else ""
    parts: list[theme.Part] = []
    if widths.bar:
        full = math.ceil(min(hearts, ALL_HEARTS) * widths.bar / ALL_HEARTS)
        lost = signs.lost_heart * (widths.bar - full)
        parts = [("heart", signs.heart * full), ("lost", lost), ("log", " ")]
    return [
        *parts,
        ("heart", theme.align_right(number(hearts), 2)),
        ("damage" if change < 0 else "healed", theme.pad_to_width(" " + changed, CHANGE_COLUMNS)),
        ("log", " " * (0 if widths.bar else 1)),
    ]


def _belongings_text(view: SeatView, monster: Monster, room: int) -> str:
    parts = []
    if monster.poison:
        parts.append(_("poison {n}", n=monster.poison))
    if monster.shrink:
        parts.append(_("shrink {n}", n=monster.shrink))
    kinds = (False, True)
    owned = [name for kind in kinds for name in names.owned_names(view, monster, tiles=kind)]
    if not owned:
        return theme.cut_to_width(list_with_commas(parts) or "-", room)
    for n in range(len(owned), 0, -1):
        left = f" +{number(len(owned) - n)}" if n < len(owned) else ""
        named = list_with_commas([*parts, *owned[:n]]) + left
        if line_width(named) <= room:
            return named
    if len(owned) == 1 and not parts and room >= FEWEST_COLUMNS_OF_A_NAME:
        return theme.cut_to_width(owned[0], room)
    counted = list_with_commas([*parts, plural("{n} card", "{n} cards", len(owned))])
    if line_width(counted) <= room:
        return counted
    return theme.cut_to_width(" ".join([*parts, f"+{len(owned)}"]), room)


# -- last events ---------------------------------------------------------------------------


AFTER_A_HIT = (ev.YieldAnswered, ev.HeartsReachedZero, ev.Eliminated)
"""Events that an attack leads to: while only these come, the table goes on showing its hearts."""


@dataclass
class LastEvents:
    rolled: frozenset[int] = frozenset()
    """The positions of the dice that the last roll of this turn has moved."""
    hearts: Counter[Seat] = field(default_factory=Counter)
    """Hearts that each monster has just gained, or lost if negative."""

    def note_events(self, events: Sequence[ev.Event]) -> None:
        if not all(isinstance(event, AFTER_A_HIT) for event in events):
            self.hearts = Counter()
        for event in events:
            match event:
                case ev.DiceRolled(positions=positions):
                    self.rolled = frozenset(positions)
                case ev.DieChanged(position=position):
                    self.rolled = frozenset({position})
                case ev.TurnStarted():
                    self.rolled = frozenset()
                case ev.HeartsLost(seat=seat, amount=amount):
                    self.hearts[seat] -= amount
                case ev.HeartsGained(seat=seat, amount=amount):
                    self.hearts[seat] += amount
                case _:  # what else happens is seen in the values and in the log
                    pass

    def rolled_of(self, dice: Sequence[Face]) -> frozenset[int]:
        """Return the dice rolled last while others were kept; none if all were rolled."""
        is_part = 0 < len(self.rolled) < len(dice) and max(self.rolled) < len(dice)
        return self.rolled if is_part else frozenset()


# -- race ----------------------------------------------------------------------------------


MOST_CELLS_PER_POINT = 3
BESIDE_THE_BAR = 8


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


# -- Tokyo as a place: frames of the City and the Bay, and those outside -------------------


SMALLEST_COLUMNS = 20
SHORT_TITLE_COLUMNS = 17


def is_bay_shown(view: SeatView) -> bool:
    state = view.game.state
    is_open = len(state.seats_alive()) >= MIN_ALIVE_FOR_BAY
    if view.game.setup.options.bay_for_beginners:
        is_open = False
    return is_open or state.seat_at(Place.BAY) is not None


def draw_tokyo(view: SeatView, columns: int) -> list[theme.Row]:
    """Draw four rows of exactly `columns` columns."""
    around: theme.Row = [("rule", _("outside:"))]
    for monster in view.game.state.monsters:
        if monster.alive and monster.place is Place.OUTSIDE:
            is_active = monster.seat == view.game.state.active
            around.append(("active", " " + (theme.signs().active if is_active else " ")))
            around.append(
                (theme.seat_style(monster.seat), theme.monster_letter(view, monster.seat))
            )
    return [*_draw_places(view, columns), theme.fit_row(around, columns)]


def _draw_places(view: SeatView, columns: int) -> list[theme.Row]:
    if not is_bay_shown(view):
        return _draw_frame(view, Place.CITY, _("Tokyo"), columns)
    half = (columns - 1) // 2
    is_narrow = half < SHORT_TITLE_COLUMNS
    titles = (_("City"), _("Bay")) if is_narrow else (_("Tokyo City"), _("Tokyo Bay"))
    city = _draw_frame(view, Place.CITY, titles[0], columns - 1 - half)
    bay = _draw_frame(view, Place.BAY, titles[1], half)
    return [[*left, ("log", " "), *right] for left, right in zip(city, bay, strict=True)]


def _draw_frame(view: SeatView, place: Place, title: str, columns: int) -> list[theme.Row]:
    signs = theme.signs()
    top_left, top_right, low_left, low_right = signs.place_corners
    inner = columns - 2
    head = theme.cut_to_width(f"{signs.line} {title} ", inner)
    head += signs.line * (inner - line_width(head))
    row = theme.fit_row(_draw_inside(view, view.game.state.seat_at(place), inner), inner)
    return [
        [("tokyo", top_left + head + top_right)],
        [("tokyo", signs.upright), *row, ("tokyo", signs.upright)],
        [("tokyo", low_left + signs.line * inner + low_right)],
    ]


def _draw_inside(view: SeatView, seat: Seat | None, columns: int) -> theme.Row:
    if seat is None:
        who: theme.Row = [("out", " " + _("nobody"))]
    else:
        mark = theme.signs().active if seat == view.game.state.active else " "
        name = f"{theme.monster_letter(view, seat)} {view.players[seat].monster}"
        who = [("active", mark), (theme.seat_style(seat), name)]
    left = columns - theme.row_width(who) - 1
    if left <= 0:
        return who
    houses = theme.signs().skyline * columns
    return [*who, ("log", " "), ("rule", houses[:columns][-left:])]


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


# -- great moments -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Moment:
    kind: LineKind
    who: tuple[tuple[Seat, Mood], ...]
    words: str = ""
    """The sentence of the log; empty until it is known."""


@dataclass
class GreatMoments:
    is_on: bool = False
    shown: Moment | None = None
    """The moment that fills the table, once it has words."""

    def note_events(self, events: Sequence[ev.Event]) -> None:
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
