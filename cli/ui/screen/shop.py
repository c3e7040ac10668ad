"""The cards for sale: in one row between the table and the log, or with their texts.

Scope: three drawings for three amounts of room. A price in parentheses is more than the reader
has. A text that is cut here stands whole on the page of cards (F2).
"""

from __future__ import annotations

from cli.text import names
from cli.text.i18n import _, line_width
from cli.text.letters import MARKET_LETTERS
from cli.ui.screen import theme
from cli.ui.screen.rows import (
    Row,
    align_right,
    cut_to_width,
    fold_lines,
    pad_to_width,
    row_width,
    rule_row,
)
from kotp2p.seat_view import SeatView
from referee.box.printed import Card

MANY_ROWS = 99
"""More than any text needs."""
SHORTEST_NAME = 6
"""Columns that a name keeps in the one row."""


def _cards_for_sale(view: SeatView) -> list[tuple[str, Card | None]]:
    return [
        (letter, None if item is None else view.game.card(item))
        for letter, item in zip(MARKET_LETTERS, view.game.state.market, strict=True)
    ]


def _price(view: SeatView, card: Card) -> str:
    return f"({card.cost})" if _is_dear(view, card) else str(card.cost)


def _is_dear(view: SeatView, card: Card) -> bool:
    return card.cost > view.game.state.monsters[view.seat].energy


def _piles(view: SeatView) -> str:
    state = view.game.state
    return _("deck {deck}, discard {discard}", deck=len(state.undrawn), discard=len(state.discard))


def draw_shop_rule(view: SeatView, columns: int) -> Row:
    """Letters, prices and names in a rule; F2 shows the texts."""
    line = theme.line_sign()
    cards = _cards_for_sale(view)
    heads = [
        f" {letter} " + ("" if card is None else _price(view, card) + " ") for letter, card in cards
    ]
    room = columns - 2 - sum(line_width(head) + 2 for head in heads)
    shown = _cut_longest(["-" if card is None else card.name for _letter, card in cards], room)
    row: Row = [("rule", line)]
    for head, name, (_letter, card) in zip(heads, shown, cards, strict=True):
        dear = card is None or _is_dear(view, card)
        row += [
            ("rule", line),
            ("dear" if dear else "energy", head),
            ("dear" if dear else "card", name),
            ("rule", " "),
        ]
    end = f" {_('F2 reads them')} {line * 2}"
    left = columns - row_width(row)
    row.append(
        ("rule", line * (left - line_width(end)) + end if left > line_width(end) else line * left)
    )
    return row


def _cut_longest(texts: list[str], columns: int) -> list[str]:
    """The same texts, the longest of them cut until all fit into so many columns."""
    most = columns
    while most > SHORTEST_NAME and sum(min(line_width(text), most) for text in texts) > columns:
        most -= 1
    return [cut_to_width(text, most) for text in texts]


def draw_shop(view: SeatView, columns: int, text_rows: int) -> list[Row]:
    """A rule, and each card with at most `text_rows` rows of its text; 0: on the row of its name,
    as far as it goes."""
    rows = [rule_row(columns, _("Power cards"), _piles(view))]
    for letter, card in _cards_for_sale(view):
        if card is None:
            rows.append([("dear", pad_to_width(f" {letter}  -", columns))])
        elif text_rows:
            rows += _draw_card(view, letter, card, columns, text_rows)
        else:
            rows.append(_draw_on_one_row(view, letter, card, columns))
    return rows


def _draw_on_one_row(view: SeatView, letter: str, card: Card, columns: int) -> Row:
    kind = pad_to_width(names.kind_of_card(card), 5)
    head = f" {letter} {align_right(_price(view, card), 4)} "
    name = pad_to_width(card.name, 20)
    room = max(0, columns - line_width(head) - 20 - 7)
    dear = _is_dear(view, card)
    return [
        ("dear" if dear else "energy", head),
        ("dear" if dear else "card", name),
        ("dear" if dear else "log", f" {kind} {pad_to_width(card.text, room)}"),
    ]


def _draw_card(view: SeatView, letter: str, card: Card, columns: int, text_rows: int) -> list[Row]:
    dear = _is_dear(view, card)
    head = f" {letter} {align_right(_price(view, card), 4)} "
    name = f"{card.name}, {names.kind_of_card(card)}"
    folded = fold_lines([card.text], columns - 4)
    shown = folded[:text_rows]
    if len(folded) > text_rows:
        shown[-1] = cut_to_width(shown[-1] + " " * columns, columns - 4).rstrip()
    rows: list[Row] = [
        [("dear" if dear else "energy", head),
         ("dear" if dear else "card", cut_to_width(name, columns - line_width(head)))]
    ]  # fmt: skip
    return rows + [[("log", "   " + row)] for row in shown]
