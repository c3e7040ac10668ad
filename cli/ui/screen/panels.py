"""The panel of the monsters: one row for each. Rows made of a `SeatView` and of the last events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _, line_width, list_with_commas, number, plural
from kotp2p.cli.text.story import LineKind
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.screen.last_events import LastEvents
from kotp2p.cli.ui.screen.monster_marks import monster_letter, seat_style
from kotp2p.cli.ui.screen.rows import Part, Row, align_right, cut_to_width, pad_to_width
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.state import Monster
from kotp2p.seams.seat_view import SeatView

WIDE_COLUMNS = 80
"""Columns from which hearts have a bar and cards their names."""
MARK_COLUMNS = 3
"""The sign of the active monster, its letter, and a space."""
MONSTER_COLUMNS = 15
PLAYER_COLUMNS = 12
PLACE_COLUMNS = 8
FIGURES_COLUMNS = 13
"""Columns of points and energy together."""
BAR_HEARTS = 10
FEWEST_COLUMNS_OF_A_NAME = 8
"""Of a card; with less room it is counted."""
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
) -> list[Row]:
    """One row for each monster, below a row that names the columns. `out_since` has the turn in
    which a monster was out."""
    widths = MonsterColumns.fit(view, columns)
    rows = [_head_row(widths)]
    for monster in view.game.state.monsters:
        if monster.alive:
            rows.append(_monster_row(view, monster, widths, last))
        else:
            rows.append(_out_row(view, monster.seat, widths, columns, out_since))
    return rows


def _head_row(widths: MonsterColumns) -> Row:
    # Translators: the heading of a column; at most 9 columns wide.
    text = " " * MARK_COLUMNS + pad_to_width(_("Monster"), widths.monster)
    # Translators: the heading of a column; at most 11 columns wide.
    text += pad_to_width(_("Player"), PLAYER_COLUMNS)
    # Translators: the heading of a column: a place in or outside Tokyo; at most 7 columns wide.
    text += pad_to_width(_("Where"), PLACE_COLUMNS)
    # Translators: the heading of a column; at most 6 columns wide.
    text += pad_to_width(_("Hearts"), widths.hearts)
    # Translators: the heading of a column; at most 6 columns wide.
    text += align_right(_("Points"), 6)
    # Translators: the heading of a column; at most 6 columns wide.
    text += align_right(_("Energy"), 7)
    if widths.wicked:
        # Translators: the heading of a column, points of wickedness; at most 6 columns wide.
        text += align_right(_("Wicked"), widths.wicked)
    return [("rule", text + pad_to_width("  " + _("Cards"), widths.cards))]


def _who_parts(view: SeatView, seat: Seat, widths: MonsterColumns, style: str) -> list[Part]:
    """Letter, monster and player; the reader's own name has a sign before it."""
    own = theme.signs().own if seat == view.seat else " "
    player = view.players[seat]
    mark = _(" (bot)") if view.is_played_by_bot(seat) else ""
    if seat == view.seat and line_width(player.name + _(" (you)")) < PLAYER_COLUMNS:
        mark = _(" (you)")
    name = cut_to_width(player.name, PLAYER_COLUMNS - 1 - line_width(mark)) + mark
    monster = cut_to_width(view.players[seat].monster, widths.monster - 2)
    return [
        (style, monster_letter(view, seat) + " " + pad_to_width(monster, widths.monster - 1)),
        ("own", own),
        (style, pad_to_width(name, PLAYER_COLUMNS)),
    ]


def _out_row(
    view: SeatView, seat: Seat, widths: MonsterColumns, columns: int, out_since: Mapping[Seat, int]
) -> Row:
    turn = out_since.get(seat)
    since = _("out") if turn is None else _("out since turn {turn}", turn=turn)
    who = _who_parts(view, seat, widths, "out")
    taken = 1 + sum(line_width(text) for _style, text in who)
    return [("out", " "), *who, ("out", pad_to_width(since, columns - taken))]


def _monster_row(view: SeatView, monster: Monster, widths: MonsterColumns, last: LastEvents) -> Row:
    cards = "  " + _belongings_text(view, monster, max(0, widths.cards - 2))
    wicked = align_right(number(monster.wickedness), widths.wicked) if widths.wicked else ""
    return [
        _mark_of(view, monster.seat, last),
        *_who_parts(view, monster.seat, widths, seat_style(monster.seat)),
        (
            "tokyo" if monster.place else "log",
            pad_to_width(theme.place_text(monster), PLACE_COLUMNS),
        ),
        *_hearts_parts(monster.hearts, last.hearts[monster.seat], widths),
        ("points", align_right(number(monster.points), 6)),
        ("energy", align_right(number(monster.energy), 7)),
        ("log", wicked + pad_to_width(cards, widths.cards)),
    ]


def _mark_of(view: SeatView, seat: Seat, last: LastEvents) -> Part:
    """Before the monster whose turn it is, and before those that an attack has just hit."""
    if view.game.state.active == seat:
        return ("active", theme.signs().active)
    is_hit = last.blow is not None and seat in dict(last.blow.losses)
    return ("damage", theme.signs().kinds[LineKind.DAMAGE]) if is_hit else ("log", " ")


def _hearts_parts(hearts: int, change: int, widths: MonsterColumns) -> list[Part]:
    """The bar, the number, and for a moment what has just been lost or gained."""
    signs = theme.signs()
    changed = number(f"{change:+}") if change else ""
    parts: list[Part] = []
    if widths.bar:
        full = min(hearts, BAR_HEARTS)
        parts = [
            ("heart", signs.heart * full),
            ("lost", signs.lost_heart * (BAR_HEARTS - full)),
            ("log", " "),
        ]
    return [
        *parts,
        ("heart", align_right(number(hearts), 2)),
        ("damage" if change < 0 else "healed", pad_to_width(" " + changed, CHANGE_COLUMNS)),
        ("log", " " * (0 if widths.bar else 1)),
    ]


def _belongings_text(view: SeatView, monster: Monster, room: int) -> str:
    """Cards by name if they fit, otherwise how many; tokens first."""
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
        return cut_to_width(list_with_commas(parts) or "-", room)
    whole = list_with_commas([*parts, *owned])
    if line_width(whole) <= room:
        return whole
    if len(owned) == 1 and not parts and room >= FEWEST_COLUMNS_OF_A_NAME:
        return cut_to_width(whole, room)
    counted = list_with_commas([*parts, plural("{n} card", "{n} cards", len(owned))])
    if line_width(counted) <= room:
        return counted
    return cut_to_width(" ".join([*parts, f"+{len(owned)}"]), room)
