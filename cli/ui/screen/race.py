"""The race to the points that win, as a bar for each monster: for windows with room."""

from __future__ import annotations

from kotp2p.cli.text.i18n import _, number
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.screen.monster_marks import monster_letter, seat_style
from kotp2p.cli.ui.screen.rows import Row, align_right, rule_row
from kotp2p.seat_view import SeatView

CELLS_PER_POINT = 3


def draw_race(view: SeatView, columns: int, room: int) -> list[Row]:
    """At most `room` rows; none if not all monsters that are alive have a row."""
    signs, goal = theme.signs(), view.game.setup.rules.goal
    monsters = [monster for monster in view.game.state.monsters if monster.alive]
    if len(monsters) + 1 > room:
        return []
    rows = [rule_row(columns, _("The race to {n} points", n=goal))]
    for monster in monsters:
        # 20 points are 60 cells, which fit into the left one of two columns
        done = min(monster.points, goal)
        rows.append(
            [
                (seat_style(monster.seat), f" {monster_letter(view, monster.seat)} "),
                ("points", signs.heart * CELLS_PER_POINT * done),
                ("lost", signs.lost_heart * CELLS_PER_POINT * (goal - done)),
                ("points", align_right(number(monster.points), 4)),
            ]
        )
    return rows
