"""The race to the points that win, as a bar for each monster: for windows with room."""

from __future__ import annotations

from kotp2p.cli.text.i18n import _, number
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.screen.monster_marks import monster_letter, seat_style
from kotp2p.cli.ui.screen.rows import Row, align_right, rule_row
from kotp2p.seams.seat_view import SeatView

MOST_CELLS_PER_POINT = 3
BESIDE_THE_BAR = 8
"""Columns of the letter and the number."""


def draw_race(view: SeatView, columns: int, room: int) -> list[Row]:
    """At most `room` rows; none if not all monsters that are alive have a row."""
    signs, goal = theme.signs(), view.game.setup.rules.goal
    monsters = [monster for monster in view.game.state.monsters if monster.alive]
    if len(monsters) + 1 > room:
        return []
    rows = [rule_row(columns, _("The race to {n} points", n=goal))]
    cells = max(1, min(MOST_CELLS_PER_POINT, (columns - BESIDE_THE_BAR) // goal))
    for monster in monsters:
        done = min(monster.points, goal)
        rows.append(
            [
                (seat_style(monster.seat), f" {monster_letter(view, monster.seat)} "),
                ("points", signs.heart * cells * done),
                ("lost", signs.lost_heart * cells * (goal - done)),
                ("points", align_right(number(monster.points), 4)),
            ]
        )
    return rows
