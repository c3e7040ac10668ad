"""The course of a game as a chart.

A module of its own, as only the drawn table loads it. Points and hearts over the turns: two lines
of blocks for each player, and one for Tokyo. A column is a turn, or some turns in a long game: then
it shows how the last of them ended. A block has eight levels; in ASCII a digit has ten.
"""

from collections.abc import Sequence

from kotp2p.cli.extras.games import statistics
from kotp2p.cli.text.i18n import _, line_width, number, plural
from kotp2p.cli.text.story import LineKind
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.screen.pages import ChartRow
from kotp2p.seams.notices import SeatView

NAME_COLUMNS = 12
FIGURE_COLUMNS = 4
MAX_WIDTH_OF_TURN = 3
GAP_COLUMNS = 2


def chart_course(counted: statistics.Statistics, view: SeatView, columns: int) -> list[str]:
    """Return a line that explains, then the rows of each player, the first place first."""
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
    if theme.signs().levels.isascii():
        scale.append(_("9 is {points} points, or {hearts} hearts.", points=rules.goal,
                       hearts=rules.hearts))  # fmt: skip
    rows = [" ".join(scale)]
    for _place, seat in counted.rank_seats(view):
        standings = [course[turn][seat] for turn in sorted(course)]
        shown = standings[::-1][::turns_a_column][::-1]
        width = max(1, min(MAX_WIDTH_OF_TURN, room // len(shown)))
        points = [_block(one, one.points, rules.goal) for one in shown]
        hearts = [_block(one, one.hearts, rules.hearts) for one in shown]
        stays = [theme.signs().heart if one.in_tokyo else " " for one in shown]
        last = standings[-1]
        lines = [
            (labels[0], "points", points, number(last.points)),
            (labels[1], "heart", hearts, number(last.hearts)),
        ]
        for n, (label, style, blocks, figure) in enumerate(lines):
            name = "" if n else view.players[seat].name
            line = "".join(block * width for block in blocks)
            if style == "heart":
                line = _mark_fall(line, shown, width)
            end = theme.align_right(figure if last.alive else _("out"), figure_columns)
            rows.append(ChartRow(_start_row(name, label, label_columns) + line + end, style))
        if any(one.in_tokyo for one in standings):
            line = "".join(stay * width for stay in stays) + " " * figure_columns
            rows.append(ChartRow(_start_row("", labels[2], label_columns) + line, "tokyo"))
    return rows


def _start_row(name: str, label: str, label_columns: int) -> str:
    return theme.pad_to_width(name, NAME_COLUMNS + 1) + theme.pad_to_width(label, label_columns)


def _mark_fall(line: str, shown: Sequence[statistics.Standing], width: int) -> str:
    """Put the mark of a hit where the monster is out for the first time."""
    at = next((n for n, one in enumerate(shown) if not one.alive), None)
    if at is None:
        return line
    mark = theme.signs().kinds[LineKind.DAMAGE]
    return line[: at * width] + mark + line[at * width + 1 :]


def _block(standing: statistics.Standing, figure: int, most: int) -> str:
    levels = theme.signs().levels
    if not standing.alive:
        return " "
    value = min(figure, most)
    return levels[max(min(value, 1), value * (len(levels) - 1) // most)]


def _describe_turns(course: statistics.Course, turns_a_column: int) -> str:
    first, last = min(course), max(course)
    if turns_a_column == 1:
        return _("Turns {first} to {last}:", first=first, last=last)
    return plural("Turns {first} to {last}, {n} turn a column:",
                  "Turns {first} to {last}, {n} turns a column:",
                  turns_a_column, first=first, last=last)  # fmt: skip
