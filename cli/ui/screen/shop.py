"""The cards for sale: in one row between the table and the log, or with their texts.

Scope: three drawings for three amounts of room. A card whose price stands in parentheses cannot be
bought: it costs more than the reader has, or the text begins with the reason. A text that is cut
here stands whole on the page of cards (F2).
"""

from __future__ import annotations

from cli.text import names
from cli.text.i18n import _, line_width
from cli.text.price_tags import Obstacle, PriceTag, tags_of_market
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

MANY_ROWS = 99
"""More than any text needs."""
SHORTEST_NAME = 6
"""Columns that a name keeps in the one row."""


def _price(tag: PriceTag) -> str:
    return str(tag.price) if tag.can_be_bought else f"({tag.price})"


def _text(tag: PriceTag) -> str:
    """With the reason first, if it is not the price that keeps the reader from buying."""
    if tag.can_be_bought or tag.obstacle is Obstacle.TOO_EXPENSIVE:
        return tag.card.text
    return _("({reason}) {text}", reason=tag.mark_obstacle(), text=tag.card.text)


def _piles(view: SeatView) -> str:
    state = view.game.state
    return _("deck {deck}, discard {discard}", deck=len(state.undrawn), discard=len(state.discard))


def draw_shop_rule(view: SeatView, columns: int) -> Row:
    """Letters, prices and names in a rule; F2 shows the texts."""
    line = theme.line_sign()
    tags = tags_of_market(view)
    heads = [f" {letter} " + ("" if tag is None else _price(tag) + " ") for letter, tag in tags]
    room = columns - 2 - sum(line_width(head) + 2 for head in heads)
    shown = _cut_longest(["-" if tag is None else tag.card.name for _letter, tag in tags], room)
    row: Row = [("rule", line)]
    for head, name, (_letter, tag) in zip(heads, shown, tags, strict=True):
        dear = tag is None or not tag.can_be_bought
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
    for letter, tag in tags_of_market(view):
        if tag is None:
            rows.append([("dear", pad_to_width(f" {letter}  -", columns))])
        elif text_rows:
            rows += _draw_card(letter, tag, columns, text_rows)
        else:
            rows.append(_draw_on_one_row(letter, tag, columns))
    return rows


def _draw_on_one_row(letter: str, tag: PriceTag, columns: int) -> Row:
    kind = pad_to_width(names.kind_of_card(tag.card), 5)
    head = f" {letter} {align_right(_price(tag), 4)} "
    name = pad_to_width(tag.card.name, 20)
    room = max(0, columns - line_width(head) - 20 - 7)
    dear = not tag.can_be_bought
    return [
        ("dear" if dear else "energy", head),
        ("dear" if dear else "card", name),
        ("dear" if dear else "log", f" {kind} {pad_to_width(_text(tag), room)}"),
    ]


def _draw_card(letter: str, tag: PriceTag, columns: int, text_rows: int) -> list[Row]:
    dear = not tag.can_be_bought
    head = f" {letter} {align_right(_price(tag), 4)} "
    name = f"{tag.card.name}, {names.kind_of_card(tag.card)}"
    folded = fold_lines([_text(tag)], columns - 4)
    shown = folded[:text_rows]
    if len(folded) > text_rows:
        shown[-1] = cut_to_width(shown[-1] + " " * columns, columns - 4).rstrip()
    rows: list[Row] = [
        [("dear" if dear else "energy", head),
         ("dear" if dear else "card", cut_to_width(name, columns - line_width(head)))]
    ]  # fmt: skip
    return rows + [[("log", "   " + row)] for row in shown]
