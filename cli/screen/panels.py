"""The panels of the table: monsters, cards for sale, dice. Rows from a View, nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from cli import names
from cli.lookup import named
from cli.screen import look
from cli.screen.rows import Row, cut, fill, right, rule
from cli.tell_cards import LETTERS
from cli.tell_values import tokens
from cli.words import _, plural, width
from kotp2p.front import View
from referee.answers import Face, Seat
from referee.events import Token
from referee.state import Monster

WIDE = 80
"""Columns from which hearts have a bar and cards their names."""


def monsters(view: View, columns: int, fell: Mapping[Seat, int]) -> list[Row]:
    """One row each, below a row that names the columns; `fell`: in which turn who was out."""
    return [_head(view, columns), *(_monster(view, m, columns, fell) for m in _all(view))]


def _all(view: View) -> list[Monster]:
    return view.game.state.monsters


def _wicked(view: View) -> bool:
    return bool(view.game.setup.rules.tiles)


def _head(view: View, columns: int) -> Row:
    text = "  " + fill(_("Monster"), 14) + fill(_("Player"), 13) + fill(_("Where"), 8)
    text += fill(_("Hearts"), 14 if columns >= WIDE else 7)
    text += right(_("Points"), 6) + right(_("Energy"), 7)
    if _wicked(view):
        text += right(_("Wicked"), 7)
    return [("rule", fill(text + "  " + _("Cards"), columns))]


def _monster(view: View, monster: Monster, columns: int, fell: Mapping[Seat, int]) -> Row:
    active = view.game.state.active == monster.seat and monster.alive
    mark = look.active() if active else " "
    text = mark + " " + fill(view.players[monster.seat].monster, 14)
    text += fill(named(view, monster.seat), 13)
    if not monster.alive:
        turn = fell.get(monster.seat)
        text += _("out") if turn is None else _("out since turn {turn}", turn=turn)
        return [("out", fill(text, columns))]
    row: Row = [("active" if active else "log", text)]
    row.append(("tokyo" if monster.place else "log", fill(look.place(monster), 8)))
    hearts = right(str(monster.hearts), 2)
    if columns >= WIDE:
        row.append(("log", f"{look.bar(monster.hearts)} {hearts} "))
    else:
        row.append(("log", fill(hearts, 7)))
    text = right(str(monster.points), 6) + right(str(monster.energy), 7)
    if _wicked(view):
        text += right(str(monster.wickedness), 7)
    room = columns - sum(width(part) for _style, part in row) - width(text) - 2
    row.append(("log", text + "  " + fill(_belongings(view, monster, room), room)))
    return row


def _belongings(view: View, monster: Monster, room: int) -> str:
    """Cards by name if they fit, otherwise how many; tokens first."""
    parts = []
    if monster.poison:
        parts.append(tokens(Token.POISON, monster.poison))
    if monster.shrink:
        parts.append(tokens(Token.SHRINK, monster.shrink))
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
    return counted if width(counted) <= room else cut(str(len(owned)), room)


def market(view: View, columns: int) -> list[Row]:
    state = view.game.state
    piles = _("deck {deck} -- discard {discard}", deck=len(state.undrawn),
              discard=len(state.discard))  # fmt: skip
    rows = [rule(columns, _("Power cards"), piles)]
    have = state.monsters[view.seat].energy
    for letter, item in zip(LETTERS, state.market, strict=True):
        if item is None:
            rows.append([("dear", fill(f" {letter}  -", columns))])
            continue
        card = view.game.card(item)
        price = f"({card.cost})" if card.cost > have else f" {card.cost} "
        text = f" {letter} {right(price, 4)} {fill(card.name, 20)} {fill(names.kind(card), 5)} "
        style = "dear" if card.cost > have else "log"
        rows.append([(style, text + fill(card.text, columns - width(text)))])
    return rows


def dice(view: View, columns: int) -> Row:
    """Whose dice lie there, and what they are worth."""
    state = view.game.state
    name = named(view, state.active)
    if not state.dice:
        return rule(columns, _("No dice of {name} yet", name=name))
    shown = " ".join(look.face(one).strip() for one in sorted(state.dice))
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
        row += [(style, look.face(one, kept=held)), ("log", "  ")]
    return row
