"""The text of the card under the cursor, for windows with room; otherwise the reader's own cards.
Below them, where there is still room, the cards of the others.

Scope: which card the picked answer names, and the pane. The cursor is the answer that the arrow
keys have picked, or the line that was typed in its place.
"""

from __future__ import annotations

from kotp2p.cli.ask.dialogue import MAX_MENU_ENTRIES, QuestionDialogue
from kotp2p.cli.ask.question import Confirm
from kotp2p.cli.text import card_words, names
from kotp2p.cli.text.card_words import printed_name, printed_text
from kotp2p.cli.text.i18n import _
from kotp2p.cli.ui.screen.monster_marks import monster_letter, seat_style
from kotp2p.cli.ui.screen.rows import Row, fold_lines, rule_row
from kotp2p.cli.ui.screen.screen import Screen
from kotp2p.referee.model.answers import Answer, Buy, BuyTop, Copy, Item, Swap, Take, Use
from kotp2p.referee.model.decisions import OrderDecision
from kotp2p.seams.seat_view import WATCHER, SeatView


def draw_card_pane(screen: Screen, view: SeatView, columns: int, room: int) -> list[Row]:
    """At most `room` rows; none if there is nothing to show, or no room for all of it."""
    asking = None if screen.state.is_leave_asked else screen.state.asking
    picked = item_under_cursor(asking, screen.input.text)
    if picked is not None:
        rows = [
            rule_row(columns, _("The card under the cursor")),
            *_draw_text(view, picked, columns),
        ]
        return rows if len(rows) <= room else []
    if view.seat == WATCHER:
        return []
    owned = [holding.item for holding in view.game.state.monsters[view.seat].holdings]
    if not owned:
        return []
    rows = [rule_row(columns, _("Your cards"))]
    for item in owned:
        rows += _draw_text(view, item, columns)
    return rows if len(rows) <= room else []


def draw_cards_of_others(view: SeatView, columns: int, room: int) -> list[Row]:
    """At most `room` rows, and each card whole; F2 has those that find no room."""
    rows = [rule_row(columns, _("Cards of the others"))]
    for monster in view.game.state.monsters:
        if monster.seat == view.seat or not monster.alive:
            continue
        for holding in monster.holdings:
            (_style, head), *text = [row[0] for row in _draw_text(view, holding.item, columns)]
            letter = (seat_style(monster.seat), f" {monster_letter(view, monster.seat)}")
            card: list[Row] = [[letter, ("card", head)], *[[row] for row in text]]
            if len(rows) + len(card) <= room:
                rows += card
    return rows if len(rows) > 1 else []


def item_under_cursor(asking: QuestionDialogue | None, line: str) -> Item | None:
    """The card or tile of the answer that this line gives; None if it names none."""
    typed = " ".join(line.split()).lower()
    if asking is None or not typed or isinstance(asking.waiting, Confirm):
        return None
    question = asking.question
    typed = question.in_english(typed)
    if isinstance(question.decision, OrderDecision):  # it has no cards, and hundreds of answers
        return None
    for _n, answer in zip(range(MAX_MENU_ENTRIES), question.offered(), strict=False):
        if question.in_english(question.line_for(answer)).lower() == typed:
            return item_of_answer(answer)
    return None


def item_of_answer(answer: Answer) -> Item | None:
    match answer:
        case Buy(card=item) | BuyTop(card=item) | Copy(card=item) | Swap(card=item):
            return item
        case Take(tile=item) | Use(item=item):
            return item
        case _:  # the others name no card, or several
            return None


def _draw_text(view: SeatView, item: Item, columns: int) -> list[Row]:
    if names.is_card(view.game, item):
        card = view.game.card(item)
        head, text = card_words.card_head(card), printed_text(card)
    else:
        tile = view.game.setup.tile(item)
        head, text = printed_name(tile), printed_text(tile)
    rows: list[Row] = [[("card", f" {head}")]]
    return rows + [[("log", f"   {row}")] for row in fold_lines([text], columns - 4)]
