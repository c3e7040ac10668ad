"""An attack on the table: from whom to whom, with the hearts that it takes.

Scope: one row, in place of the rule above the dice, as long as the attack is shown. The log says
the same in a sentence.
"""

from __future__ import annotations

from collections.abc import Callable

from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import in_context
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.screen.last_events import Blow
from kotp2p.cli.ui.screen.monster_marks import monster_letter, seat_style
from kotp2p.cli.ui.screen.rows import Part, Row, fit_row, row_width
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.seat_view import SeatView

NameOf = Callable[[Seat], str]


def draw_blow(view: SeatView, blow: Blow, columns: int) -> Row:
    """With the names of the players; with letters alone if the names do not fit."""

    def whole_name(seat: Seat) -> str:
        name = (
            in_context("who is hit", "you") if seat == view.seat else names.player_name(view, seat)
        )
        return f"{monster_letter(view, seat)} {name}"

    dash = theme.line_sign()
    for name_of in (whole_name, lambda seat: monster_letter(view, seat)):
        row: Row = [("rule", dash * 2 + " "), *_list_parts(blow, name_of), ("log", " ")]
        left = columns - row_width(row)
        if left >= 0:
            return [*row, ("rule", dash * left)]
    return fit_row(row, columns)


def _list_parts(blow: Blow, name_of: NameOf) -> list[Part]:
    parts: list[Part] = [
        (seat_style(blow.dealer), name_of(blow.dealer)),
        ("damage", f" {theme.arrow()}"),
    ]
    for seat, lost in blow.losses:
        parts += [
            ("log", " "),
            (seat_style(seat), name_of(seat)),
            ("damage", f" {-lost}"),
        ]
    return parts
