"""The panels of the table: monsters, cards for sale, dice. Rows from a SeatView, nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cli.text import names
from cli.text.i18n import _, plural, width
from cli.text.letters import MARKET_LETTERS
from cli.text.queries import named
from cli.ui.screen import theme
from cli.ui.screen.rows import Row, cut, fill, right, rule
from kotp2p.seat_view import SeatView
from referee.model.answers import Face, Seat
from referee.model.state import Monster

WIDE = 80
"""Columns from which hearts have a bar and cards their names."""


@dataclass(frozen=True, slots=True)
class Columns:
    """How wide the columns of the monsters are, for a width of all of them."""

    monster: int
    player: int
    hearts: int
    bar: bool
    wicked: int
    """0: there is no such track."""
    cards: int

    @staticmethod
    def of(view: SeatView, columns: int) -> Columns:
        wicked = 7 if view.game.setup.rules.tiles else 0
        bar = columns >= WIDE + wicked
        monster, player = (14, 13) if columns >= WIDE else (11 if wicked else 14, 12)
        hearts = 14 if bar else 7
        rest = columns - 2 - monster - player - PLACE - hearts - FIGURES - wicked
        return Columns(monster, player, hearts, bar, wicked, max(0, rest))


PLACE = 8
FIGURES = 13
"""Points and energy."""


def monsters(view: SeatView, columns: int, fell: Mapping[Seat, int]) -> list[Row]:
    """One row each, below a row that names the columns; `fell`: in which turn who was out."""
    widths = Columns.of(view, columns)
    rows = [_head(widths)]
    for monster in view.game.state.monsters:
        if monster.alive:
            rows.append(_monster(view, monster, widths))
        else:
            rows.append([("out", fill(_fallen(view, monster, widths, fell), columns))])
    return rows


def _head(widths: Columns) -> Row:
    text = "  " + fill(_("Monster"), widths.monster) + fill(_("Player"), widths.player)
    text += fill(_("Where"), PLACE) + fill(_("Hearts"), widths.hearts)
    text += right(_("Points"), 6) + right(_("Energy"), 7)
    if widths.wicked:
        text += right(_("Wicked"), widths.wicked)
    return [("rule", text + fill("  " + _("Cards"), widths.cards))]


def _who(view: SeatView, seat: Seat, widths: Columns) -> str:
    monster = fill(view.players[seat].monster, widths.monster - 1)
    return f"{monster} {fill(short_name(view, seat, widths.player - 1), widths.player)}"


def short_name(view: SeatView, seat: Seat, most: int) -> str:
    """With the mark of the reader's own, whatever its length."""
    whole, name = named(view, seat), view.players[seat].name
    return cut(whole.replace(name, cut(name, max(4, most - width(whole) + width(name)))), most)


def _fallen(view: SeatView, monster: Monster, widths: Columns, fell: Mapping[Seat, int]) -> str:
    turn = fell.get(monster.seat)
    text = "  " + _who(view, monster.seat, widths)
    return text + (_("out") if turn is None else _("out since turn {turn}", turn=turn))


def _monster(view: SeatView, monster: Monster, widths: Columns) -> Row:
    active = view.game.state.active == monster.seat
    mark = theme.active() if active else " "
    hearts = right(str(monster.hearts), 2)
    if widths.bar:
        hearts = f"{theme.bar(monster.hearts)} {hearts}"
    figures = fill(hearts, widths.hearts)
    figures += right(str(monster.points), 6) + right(str(monster.energy), 7)
    if widths.wicked:
        figures += right(str(monster.wickedness), widths.wicked)
    room = max(0, widths.cards - 2)
    cards = fill("  " + _belongings(view, monster, room), widths.cards)
    return [
        ("active" if active else "log", f"{mark} {_who(view, monster.seat, widths)}"),
        ("tokyo" if monster.place else "log", fill(theme.place(monster), PLACE)),
        ("log", figures + cards),
    ]


def _belongings(view: SeatView, monster: Monster, room: int) -> str:
    """Cards by name if they fit, otherwise how many; tokens first."""
    parts = []
    if monster.poison:
        parts.append(_("poison {n}", n=monster.poison))
    if monster.shrink:
        parts.append(_("shrink {n}", n=monster.shrink))
    owned = [
        *names.owned(view, monster, tiles=False),
        *names.owned(view, monster, tiles=True),
    ]
    if not owned:
        return cut(", ".join(parts) or "-", room)
    whole = ", ".join([*parts, *owned])
    if width(whole) <= room:
        return whole
    counted = ", ".join([*parts, plural("{n} card", "{n} cards", len(owned))])
    if width(counted) <= room:
        return counted
    return cut(" ".join([*parts, f"+{len(owned)}"]), room)


def market(view: SeatView, columns: int) -> list[Row]:
    state = view.game.state
    piles = _("deck {deck} -- discard {discard}", deck=len(state.undrawn),
              discard=len(state.discard))  # fmt: skip
    rows = [rule(columns, _("Power cards"), piles)]
    have = state.monsters[view.seat].energy
    for letter, item in zip(MARKET_LETTERS, state.market, strict=True):
        if item is None:
            rows.append([("dear", fill(f" {letter}  -", columns))])
            continue
        card = view.game.card(item)
        price = f"({card.cost})" if card.cost > have else f" {card.cost} "
        text = f" {letter} {right(price, 4)} {fill(card.name, 20)} {fill(names.kind(card), 5)} "
        style = "dear" if card.cost > have else "log"
        rows.append([(style, text + fill(card.text, columns - width(text)))])
    return rows


def dice(view: SeatView, columns: int) -> Row:
    """Whose dice lie there, and what they are worth."""
    state = view.game.state
    name = short_name(view, state.active, 24)
    if not state.dice:
        return rule(columns, _("No dice of {name} yet", name=name))
    shown = " ".join(theme.face(one).strip() for one in sorted(state.dice))
    left = _("Dice of {name}, roll {n}: {dice}", name=name, n=state.rolls, dice=shown)
    end = names.worth(state.dice)
    if width(left) + width(end) > columns - 14:
        end = ""
    return rule(columns, left, end)


def own_dice(faces: list[Face], kept: list[bool] | None, cursor: int | None) -> Row:
    """The dice that may be kept: in brackets those that the line keeps."""
    row: Row = [("log", "  ")]
    for at, one in enumerate(faces):
        held = kept is not None and kept[at]
        style = "cursor" if at == cursor else "kept" if held else "log"
        row += [(style, theme.face(one, kept=held)), ("log", "  ")]
    return row
