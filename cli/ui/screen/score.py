"""What each player did, in columns: the sentences of `statistics` for who sees the whole page.

Six players fit into 80 columns and 16 rows: a column for each, the first place on the left.
"""

from __future__ import annotations

from cli.text import statistics
from cli.text.i18n import _, width
from cli.text.statistics import Deeds, Statistics
from cli.ui.screen.rows import fill, right
from kotp2p.seat_view import SeatView

GAP = 1
WIDEST = 14
"""Columns of a player, where few play."""


def score(counted: Statistics, view: SeatView, columns: int) -> list[str]:
    """Empty if nothing was counted."""
    if not counted.deeds:
        return []
    ranks = counted.ranks(view)
    rows = [(_("Place"), [str(place) for place, _seat in ranks])]
    ends = [view.game.state.monsters[seat] for _place, seat in ranks]
    points = [str(monster.points) if monster.alive else _("out") for monster in ends]
    rows.append((_("Points at the end"), points))
    of_each = [_figures(counted.deeds[seat]) for _place, seat in ranks]
    for at, (label, _n) in enumerate(of_each[0]):
        rows.append((label, [str(figures[at][1]) for figures in of_each]))
    first = max(width(label) for label, _cells in rows) + GAP
    each = min(WIDEST, (columns - first) // len(ranks))
    names = [view.players[seat].name for _place, seat in ranks]
    head = fill("", first) + "".join(" " * GAP + right(name, each - GAP) for name in names)
    body = [fill(label, first) + "".join(right(n, each) for n in cells) for label, cells in rows]
    return [statistics.title(counted), head, *body]


def _figures(deeds: Deeds) -> list[tuple[str, int]]:
    return [
        (_("Points from dice"), deeds.from_dice),
        (_("Points from Tokyo"), deeds.from_tokyo),
        (_("Points from cards"), deeds.from_cards),
        (_("Energy won"), deeds.energy),
        (_("Hearts lost"), deeds.lost),
        (_("Hearts healed"), deeds.healed),
        (_("Hearts dealt"), deeds.dealt),
        (_("Dice rerolled"), deeds.rerolled),
        (_("Turns in Tokyo"), deeds.in_tokyo),
        (_("Cards bought"), deeds.bought),
    ]
