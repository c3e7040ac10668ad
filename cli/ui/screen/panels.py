"""The panels of the table: monsters, cards for sale, dice. Rows made of a `SeatView` alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cli.text import names
from cli.text.i18n import _, line_width, plural
from cli.text.letters import MARKET_LETTERS
from cli.text.queries import name_for_reader
from cli.ui.screen import theme
from cli.ui.screen.rows import Row, align_right, cut_to_width, pad_to_width, rule_row
from kotp2p.seat_view import SeatView
from referee.model.answers import Face, Seat
from referee.model.state import Monster

WIDE_COLUMNS = 80
"""Columns from which hearts have a bar and cards their names."""
PLACE_COLUMNS = 8
FIGURES_COLUMNS = 13
"""Columns of points and energy together."""


@dataclass(frozen=True, slots=True)
class MonsterColumns:
    """The widths of the columns of the monsters' panel."""

    monster: int
    player: int
    hearts: int
    bar: bool
    wicked: int
    """0 without the wickedness track."""
    cards: int

    @staticmethod
    def fit(view: SeatView, columns: int) -> MonsterColumns:
        wicked = 7 if view.game.setup.rules.tiles else 0
        bar = columns >= WIDE_COLUMNS + wicked
        monster, player = (14, 13) if columns >= WIDE_COLUMNS else (11 if wicked else 14, 12)
        hearts = 14 if bar else 7
        rest = columns - 2 - monster - player - PLACE_COLUMNS - hearts - FIGURES_COLUMNS - wicked
        return MonsterColumns(monster, player, hearts, bar, wicked, max(0, rest))


def monster_rows(view: SeatView, columns: int, out_since: Mapping[Seat, int]) -> list[Row]:
    """One row for each monster, below a row that names the columns. `out_since` has the turn in
    which a monster was out."""
    widths = MonsterColumns.fit(view, columns)
    rows = [_head_row(widths)]
    for monster in view.game.state.monsters:
        if monster.alive:
            rows.append(_monster_row(view, monster, widths))
        else:
            rows.append(
                [("out", pad_to_width(_out_text(view, monster, widths, out_since), columns))]
            )
    return rows


def _head_row(widths: MonsterColumns) -> Row:
    text = (
        "  " + pad_to_width(_("Monster"), widths.monster) + pad_to_width(_("Player"), widths.player)
    )
    text += pad_to_width(_("Where"), PLACE_COLUMNS) + pad_to_width(_("Hearts"), widths.hearts)
    text += align_right(_("Points"), 6) + align_right(_("Energy"), 7)
    if widths.wicked:
        text += align_right(_("Wicked"), widths.wicked)
    return [("rule", text + pad_to_width("  " + _("Cards"), widths.cards))]


def _who_text(view: SeatView, seat: Seat, widths: MonsterColumns) -> str:
    monster = pad_to_width(view.players[seat].monster, widths.monster - 1)
    return f"{monster} {pad_to_width(short_name(view, seat, widths.player - 1), widths.player)}"


def short_name(view: SeatView, seat: Seat, most: int) -> str:
    """A player's name cut to `most` columns; the mark of the reader's own name is never cut."""
    whole, name = name_for_reader(view, seat), view.players[seat].name
    return cut_to_width(
        whole.replace(
            name, cut_to_width(name, max(4, most - line_width(whole) + line_width(name)))
        ),
        most,
    )


def _out_text(
    view: SeatView, monster: Monster, widths: MonsterColumns, out_since: Mapping[Seat, int]
) -> str:
    turn = out_since.get(monster.seat)
    text = "  " + _who_text(view, monster.seat, widths)
    return text + (_("out") if turn is None else _("out since turn {turn}", turn=turn))


def _monster_row(view: SeatView, monster: Monster, widths: MonsterColumns) -> Row:
    active = view.game.state.active == monster.seat
    mark = theme.active_sign() if active else " "
    hearts = align_right(str(monster.hearts), 2)
    if widths.bar:
        hearts = f"{theme.heart_bar(monster.hearts)} {hearts}"
    figures = pad_to_width(hearts, widths.hearts)
    figures += align_right(str(monster.points), 6) + align_right(str(monster.energy), 7)
    if widths.wicked:
        figures += align_right(str(monster.wickedness), widths.wicked)
    room = max(0, widths.cards - 2)
    cards = pad_to_width("  " + _belongings_text(view, monster, room), widths.cards)
    return [
        ("active" if active else "log", f"{mark} {_who_text(view, monster.seat, widths)}"),
        (
            "tokyo" if monster.place else "log",
            pad_to_width(theme.place_text(monster), PLACE_COLUMNS),
        ),
        ("log", figures + cards),
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
        return cut_to_width(", ".join(parts) or "-", room)
    whole = ", ".join([*parts, *owned])
    if line_width(whole) <= room:
        return whole
    counted = ", ".join([*parts, plural("{n} card", "{n} cards", len(owned))])
    if line_width(counted) <= room:
        return counted
    return cut_to_width(" ".join([*parts, f"+{len(owned)}"]), room)


def market_rows(view: SeatView, columns: int) -> list[Row]:
    state = view.game.state
    piles = _("deck {deck} -- discard {discard}", deck=len(state.undrawn),
              discard=len(state.discard))  # fmt: skip
    rows = [rule_row(columns, _("Power cards"), piles)]
    have = state.monsters[view.seat].energy
    for letter, item in zip(MARKET_LETTERS, state.market, strict=True):
        if item is None:
            rows.append([("dear", pad_to_width(f" {letter}  -", columns))])
            continue
        card = view.game.card(item)
        price = f"({card.cost})" if card.cost > have else f" {card.cost} "
        kind = pad_to_width(names.kind_of_card(card), 5)
        text = f" {letter} {align_right(price, 4)} {pad_to_width(card.name, 20)} {kind} "
        style = "dear" if card.cost > have else "log"
        rows.append([(style, text + pad_to_width(card.text, columns - line_width(text)))])
    return rows


def dice_rule(view: SeatView, columns: int) -> Row:
    """Says whose dice lie there, and what they are worth."""
    state = view.game.state
    name = short_name(view, state.active, 24)
    if not state.dice:
        return rule_row(columns, _("No dice of {name} yet", name=name))
    shown = " ".join(theme.die_text(face).strip() for face in sorted(state.dice))
    left = _("Dice of {name}, roll {n}: {dice}", name=name, n=state.rolls, dice=shown)
    end = names.worth_of_dice(state.dice)
    if line_width(left) + line_width(end) > columns - 14:
        end = ""
    return rule_row(columns, left, end)


def own_dice_row(faces: list[Face], kept: list[bool] | None, cursor: int | None) -> Row:
    """The dice that may be kept; those that the line keeps stand in brackets."""
    row: Row = [("log", "  ")]
    for at, face in enumerate(faces):
        held = kept is not None and kept[at]
        style = "cursor" if at == cursor else "kept" if held else "log"
        row += [(style, theme.die_text(face, is_kept=held)), ("log", "  ")]
    return row
