"""The cards for sale: in one row between the table and the log, or with their texts.

Scope: three drawings for three amounts of room. The one row has a price with the sign of energy, as
on the dice; the others say in words what keeps the reader from buying a card. A text that is cut
here stands whole on the page of cards (F2).
"""

from __future__ import annotations

from kotp2p.cli.text.card_words import printed_name, printed_text
from kotp2p.cli.text.i18n import _, line_width, number, plural
from kotp2p.cli.text.queries import PriceTag, tags_of_market
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.screen.mouse import CARD, mark_row
from kotp2p.cli.ui.screen.rows import (
    Row,
    cut_to_width,
    fit_row,
    fold_lines,
    pad_to_width,
    row_width,
    rule_row,
)
from kotp2p.referee.model.answers import Face
from kotp2p.seams.seat_view import SeatView

MANY_ROWS = 99
"""More than any text needs."""
SHORTEST_NAME = 6
"""Columns that a name keeps in the one row."""


def _price(tag: PriceTag) -> str:
    """The number, and the sign that energy has on the dice."""
    return f"{number(tag.price)}{theme.signs().faces[Face.BOLT].strip()}"


def draw_shop_rule(view: SeatView, columns: int) -> Row:
    """Letters, prices and names in a rule; F2 shows the texts."""
    line = theme.line_sign()
    tags = tags_of_market(view)
    heads = [f" {letter} " + ("" if tag is None else _price(tag) + " ") for letter, tag in tags]
    whole = ["-" if tag is None else printed_name(tag.card) for _letter, tag in tags]
    room = columns - 2 - sum(line_width(head) + 2 for head in heads)
    end = f" {_('F2 reads them')} {line * 2}"
    if sum(map(line_width, whole)) + line_width(end) > room:
        end = f" F2 {line * 2}"
    shown = _cut_longest(whole, room - line_width(end))
    row: Row = [("rule", line)]
    for n, (head, name) in enumerate(zip(heads, shown, strict=True)):
        card = mark_row([("energy", head), ("card", name)], f"{CARD}{n}")
        row += [("rule", line), *card, ("rule", " ")]
    left = columns - row_width(row) - line_width(end)
    return [*row, ("rule", line * left + end if left >= 0 else line * (columns - row_width(row)))]


def _cut_longest(texts: list[str], columns: int) -> list[str]:
    """The same texts, the longest of them cut until all fit into so many columns."""
    most = columns
    while most > SHORTEST_NAME and sum(min(line_width(text), most) for text in texts) > columns:
        most -= 1
    return [cut_to_width(text, most) for text in texts]


def draw_shop(view: SeatView, columns: int, text_rows: int) -> list[Row]:
    """A rule, and each card with at most `text_rows` rows of its text; 0: on the row of its name,
    as far as it goes. The rule says where texts that are cut can be read."""
    rows: list[Row] = []
    is_cut = False
    for n, (letter, tag) in enumerate(tags_of_market(view)):
        card: list[Row] = []
        if tag is None:
            card = [[("dear", pad_to_width(f" {letter} -", columns))]]
        elif text_rows:
            is_cut |= len(_fold_text(tag, columns)) > text_rows
            card = _draw_card(letter, tag, columns, text_rows)
        else:
            is_cut |= line_width(f" {letter} {tag.line_with_obstacle()}") > columns
            card = [_draw_on_one_row(letter, tag, columns)]
        rows += [mark_row(row, f"{CARD}{n}") for row in card]
    end = plural("{n} more card in the deck", "{n} more cards in the deck",
                 len(view.game.state.undrawn))  # fmt: skip
    return [rule_row(columns, _("Power cards"), _("F2 reads them") if is_cut else end), *rows]


def _draw_head(letter: str, tag: PriceTag, columns: int) -> Row:
    """The name is cut, if all does not fit."""
    dear = not tag.can_be_bought
    mark = f" {letter} "
    room = columns - line_width(mark)
    name, over = printed_name(tag.card), line_width(tag.head()) - room
    if over > 0:
        name = cut_to_width(name, max(SHORTEST_NAME, line_width(name) - over))
    return [
        ("dear" if dear else "energy", mark),
        ("dear" if dear else "card", cut_to_width(tag.head(name), room)),
    ]


def _draw_on_one_row(letter: str, tag: PriceTag, columns: int) -> Row:
    head = _draw_head(letter, tag, columns)
    text = pad_to_width(f": {printed_text(tag.card)}", max(0, columns - row_width(head)))
    return fit_row([*head, ("log" if tag.can_be_bought else "dear", text)], columns)


def _fold_text(tag: PriceTag, columns: int) -> list[str]:
    return fold_lines([printed_text(tag.card)], columns - 4)


def _draw_card(letter: str, tag: PriceTag, columns: int, text_rows: int) -> list[Row]:
    folded = _fold_text(tag, columns)
    shown = folded[:text_rows]
    if len(folded) > text_rows:
        shown[-1] = cut_to_width(shown[-1] + " " * columns, columns - 4).rstrip()
    rows = [_draw_head(letter, tag, columns)]
    return rows + [[("log", "   " + row)] for row in shown]
