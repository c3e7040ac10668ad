"""The log as rows: a mark for the kind of each line, the letter of its monster, rules for turns.

Scope: how lines look. The mark and the letter stand in a margin of their own, so the sentences are
as they were told; what the mark says is said by the sentence too.
Not here: which rows are in sight (`panes.LogPane`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kotp2p.cli.text.i18n import _, line_width
from kotp2p.cli.text.story import LineKind, ToldLine
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.screen.monster_marks import (
    mark_names,
    monster_letter,
    rule_of_monster,
    seat_style,
)
from kotp2p.cli.ui.screen.rows import Row, fold_lines
from kotp2p.seams.seat_view import SeatView

MARGIN_COLUMNS = 4
"""A letter, a mark, and a space after each. A sentence that knows no kind is no event: it stands
further left."""
STYLES: Mapping[LineKind, str] = {
    LineKind.FACT: "log",
    LineKind.TURN: "turn",
    LineKind.DICE: "rule",
    LineKind.DAMAGE: "damage",
    LineKind.HEALING: "healed",
    LineKind.POINTS: "points",
    LineKind.ENERGY: "energy",
    LineKind.CARD: "card",
    LineKind.TOKYO: "tokyo",
    LineKind.CHAT: "chat",
    LineKind.INCIDENT: "incident",
}


@dataclass(frozen=True, slots=True)
class LogRow:
    """One row of a line that may need several."""

    line: str
    text: str
    is_first: bool


def list_log_rows(line: str, columns: int) -> list[LogRow]:
    """The rows of a line in a log that is `columns` wide."""
    if isinstance(line, ToldLine) and line.kind is LineKind.TURN:
        return [LogRow(line, line, True)]
    margin = MARGIN_COLUMNS if isinstance(line, ToldLine) else 2
    folded = fold_lines([line], columns - margin)
    return [LogRow(line, text, at == 0) for at, text in enumerate(folded)]


def draw_log_row(row: LogRow, columns: int, view: SeatView | None) -> Row:
    text: Row = [("log", row.text)]
    marked = text if view is None else mark_names(text, view)
    if not isinstance(row.line, ToldLine):
        return [("log", " "), *marked]
    kind, seat = row.line.kind, row.line.seat
    if kind is LineKind.TURN and view is not None and seat is not None:
        return rule_of_monster(view, seat, columns, _turn_text(row.line, columns), style="turn")
    letter, style = " ", "log"
    if row.is_first and view is not None and seat is not None:
        letter, style = monster_letter(view, seat), seat_style(seat)
    mark = theme.signs().kinds.get(kind, " ") if row.is_first else " "
    return [(style, letter + " "), (STYLES[kind], mark + " "), *marked]


def _turn_text(line: str, columns: int) -> str:
    """The sentence, or its short form where it does not fit into a rule."""
    text = line.rstrip(".")
    if isinstance(line, ToldLine) and line.short and line_width(text) > columns - 10:
        return line.short
    return text


def describe_marks() -> str:
    """What the marks of the log say."""
    kinds = theme.signs().kinds
    return _(
        "Marks of the log: {dice} dice, {damage} hearts lost, {healing} hearts won or kept, "
        "{points} points, {energy} energy, {card} cards, {tokyo} Tokyo, {chat} chat, "
        "{incident} players and connections.",
        dice=kinds[LineKind.DICE],
        damage=kinds[LineKind.DAMAGE],
        healing=kinds[LineKind.HEALING],
        points=kinds[LineKind.POINTS],
        energy=kinds[LineKind.ENERGY],
        card=kinds[LineKind.CARD],
        tokyo=kinds[LineKind.TOKYO],
        chat=kinds[LineKind.CHAT],
        incident=kinds[LineKind.INCIDENT],
    )
