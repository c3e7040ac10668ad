"""Points and hearts over the turns: two lines of blocks for each player, and one for Tokyo.

Scope: rows of text for a width. A column is a turn, or some turns in a long game: then it shows
how the last of them ended. A block has eight levels; in ASCII a digit has ten.
Not here: the same in words (`cli.text.statistics`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kotp2p.cli.text.i18n import _, line_width, number, plural
from kotp2p.cli.text.statistics import Course, Standing, Statistics
from kotp2p.cli.text.story import LineKind
from kotp2p.cli.ui.screen.rows import align_right, pad_to_width
from kotp2p.cli.ui.screen.theme import signs
from kotp2p.seams.seat_view import SeatView

NAME_COLUMNS = 12
FIGURE_COLUMNS = 4
MAX_WIDTH_OF_TURN = 3
"""Columns of a turn in a short game."""
GAP_COLUMNS = 2
"""Between a label and its line: so much parts the cells of a row."""


class ChartRow(str):
    """A row with the style of what it shows."""

    style: str

    def __new__(cls, text: str, style: str) -> ChartRow:
        found = super().__new__(cls, text)
        found.style = style
        return found


def chart_course(counted: Statistics, view: SeatView, columns: int) -> list[str]:
    """A line that explains, then the rows of each player, the first place first. Empty if there are
    not two turns to compare."""
    course = counted.course()
    if len(course) < 2:
        return []
    rules = view.game.setup.rules
    labels = [_("points"), _("hearts"), _("Tokyo")]
    label_columns = max(map(line_width, labels)) + GAP_COLUMNS
    figure_columns = max(FIGURE_COLUMNS, 1 + line_width(_("out")))
    room = columns - NAME_COLUMNS - 1 - label_columns - figure_columns
    turns_a_column = -(-len(course) // room)
    scale = [_describe_turns(course, turns_a_column)]
    if signs().levels.isascii():
        scale.append(_("9 is {points} points, or {hearts} hearts.", points=rules.goal,
                       hearts=rules.hearts))  # fmt: skip
    rows = [" ".join(scale)]
    for _place, seat in counted.rank_seats(view):
        standings = [course[turn][seat] for turn in sorted(course)]
        shown = standings[::-1][::turns_a_column][::-1]
        width = max(1, min(MAX_WIDTH_OF_TURN, room // len(shown)))
        name = pad_to_width(view.players[seat].name, NAME_COLUMNS) + " "
        for label, style, first, most, figure in (
            (labels[0], "points", name, rules.goal, _points),
            (labels[1], "heart", " " * (NAME_COLUMNS + 1), rules.hearts, _hearts),
        ):
            line = "".join(_block(one, figure, most) * width for one in shown)
            if figure is _hearts:
                line = _mark_fall(line, shown, width)
            last = number(figure(standings[-1])) if standings[-1].alive else _("out")
            text = (
                first
                + pad_to_width(label, label_columns)
                + pad_to_width(line, width * len(shown))
                + align_right(last, figure_columns)
            )
            rows.append(ChartRow(text, style))
        if any(one.in_tokyo for one in standings):
            stays = "".join((signs().heart if one.in_tokyo else " ") * width for one in shown)
            label = pad_to_width(labels[2], label_columns)
            text = " " * (NAME_COLUMNS + 1) + label + pad_to_width(stays, width * len(shown))
            rows.append(ChartRow(text + " " * figure_columns, "tokyo"))
    return rows


def _mark_fall(line: str, shown: Sequence[Standing], width: int) -> str:
    """Put the mark of a hit where the monster is out for the first time."""
    at = next((n for n, one in enumerate(shown) if not one.alive), None)
    if at is None:
        return line
    mark = signs().kinds[LineKind.DAMAGE]
    return line[: at * width] + mark + line[at * width + 1 :]


def _points(standing: Standing) -> int:
    return standing.points


def _hearts(standing: Standing) -> int:
    return standing.hearts


def _block(standing: Standing, figure: Callable[[Standing], int], most: int) -> str:
    levels = signs().levels
    if not standing.alive:
        return " "
    value = min(figure(standing), most)
    return levels[max(min(value, 1), value * (len(levels) - 1) // most)]


def _describe_turns(course: Course, turns_a_column: int) -> str:
    first, last = min(course), max(course)
    if turns_a_column == 1:
        return _("Turns {first} to {last}:", first=first, last=last)
    return plural("Turns {first} to {last}, {n} turn a column:",
                  "Turns {first} to {last}, {n} turns a column:",
                  turns_a_column, first=first, last=last)  # fmt: skip
