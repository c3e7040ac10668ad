"""What each player did, in columns: `statistics` for a reader who sees the whole page at once.

Six players fit into 80 columns and 16 rows: a column for each, the first place on the left.
"""

from __future__ import annotations

from kotp2p.cli.text import statistics
from kotp2p.cli.text.i18n import _, line_width, number
from kotp2p.cli.text.statistics import PlayerCounts, Statistics
from kotp2p.cli.ui.screen.rows import align_right, pad_to_width
from kotp2p.seams.seat_view import SeatView

GAP_COLUMNS = 1
MAX_PLAYER_COLUMNS = 14
"""Columns of a player at a table with few players."""


def score_table(counted: Statistics, view: SeatView, columns: int) -> list[str]:
    """Empty if nothing was counted."""
    if not counted.counts:
        return []
    ranks = counted.rank_seats(view)
    # Translators: the place in the final order.
    rows = [(_("Place"), [number(place) for place, _seat in ranks])]
    ends = [view.game.state.monsters[seat] for _place, seat in ranks]
    points = [number(monster.points) if monster.alive else _("out") for monster in ends]
    rows.append((_("Points at the end"), points))
    of_each = [_list_figures(counted.counts[seat]) for _place, seat in ranks]
    for at, (label, _n) in enumerate(of_each[0]):
        rows.append((label, [number(figures[at][1]) for figures in of_each]))
    first = max(line_width(label) for label, _cells in rows) + GAP_COLUMNS
    each = min(MAX_PLAYER_COLUMNS, (columns - first) // len(ranks))
    names = [view.players[seat].name for _place, seat in ranks]
    head = pad_to_width("", first) + "".join(
        " " * GAP_COLUMNS + align_right(name, each - GAP_COLUMNS) for name in names
    )
    body = [
        pad_to_width(label, first) + "".join(align_right(n, each) for n in cells)
        for label, cells in rows
    ]
    return [statistics.describe_title(counted), head, *body]


def _list_figures(deeds: PlayerCounts) -> list[tuple[str, int]]:
    return [
        (_("Points from dice"), deeds.points_from_dice),
        (_("Points from Tokyo"), deeds.points_from_tokyo),
        (_("Points from cards"), deeds.points_from_cards),
        (_("Energy won"), deeds.energy_won),
        (_("Hearts lost"), deeds.hearts_lost),
        (_("Hearts healed"), deeds.hearts_healed),
        (_("Hearts dealt"), deeds.hearts_dealt),
        (_("Dice rerolled"), deeds.dice_rerolled),
        (_("Turns in Tokyo"), deeds.turns_in_tokyo),
        (_("Cards bought"), deeds.cards_bought),
    ]
