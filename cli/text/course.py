"""How a game went from turn to turn: the turning point, and points and hearts in words.

Scope: what the end of a game says about its course, from the counted events.
Not here: the lines of blocks (`cli.ui.screen.course_chart`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cli.text import names
from cli.text.i18n import _, list_with_and
from cli.text.statistics import Standing, Statistics
from kotp2p.seat_view import SeatView
from referee.model.answers import Seat

SAMPLES_IN_WORDS = 6
"""Turns that are told in words, however long the game was."""

Course = Mapping[int, Sequence[Standing]]


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The turn after which the winner was never again behind: at its end, and at the end of each
    later turn, no living monster had more points than the winner. At the end of the turn before it
    one had."""

    winner: Seat
    turn: int
    points_before: int
    """Of the winner, when the turn began."""
    points_after: int


def find_turning_point(course: Course, winners: Sequence[Seat]) -> TurningPoint | None:
    """None without a single winner, or if the winner was never behind, or behind at the end."""
    if len(winners) != 1:
        return None
    winner, turns = winners[0], sorted(course)
    behind = [n for n, turn in enumerate(turns) if _is_behind(course[turn], winner)]
    if not behind or behind[-1] + 1 == len(turns):
        return None
    before, turn = turns[behind[-1]], turns[behind[-1] + 1]
    return TurningPoint(winner, turn, course[before][winner].points, course[turn][winner].points)


def _is_behind(standings: Sequence[Standing], seat: Seat) -> bool:
    return any(one.alive and one.points > standings[seat].points for one in standings)


def describe_turning_point(counted: Statistics, view: SeatView) -> list[str]:
    """One sentence; empty without a single winner."""
    course = counted.course()
    if len(counted.winners) != 1 or not course:
        return []
    winner = counted.winners[0]
    name = names.player_name(view, winner)
    found = find_turning_point(course, counted.winners)
    if found is None:
        is_partial = counted.resumed_in_turn is not None
        if is_partial or any(_is_behind(standings, winner) for standings in course.values()):
            return []
        return [_("{name} was never behind.", name=name)]
    if found.points_before == found.points_after:
        return [_("The turning point was turn {turn}: from then on {name} was never behind again.",
                  turn=found.turn, name=name)]  # fmt: skip
    return [_("The turning point was turn {turn}: {name} went from {before} to {after} points and "
              "was never behind again.", turn=found.turn, name=name, before=found.points_before,
              after=found.points_after)]  # fmt: skip


def describe_course(counted: Statistics, view: SeatView) -> list[str]:
    """Points and hearts of each player at the end of some turns, the first place first."""
    course = counted.course()
    if len(course) < 2:
        return []
    turns = _sample(sorted(course))
    lines = [
        _("Points and hearts at the end of turns {turns}:",
          turns=list_with_and([str(turn) for turn in turns]))
    ]  # fmt: skip
    for _place, seat in counted.rank_seats(view):
        standings = [course[turn][seat] for turn in turns]
        lines.append(
            _("{name}: points {points}; hearts {hearts}.", name=names.player_name(view, seat),
              points=", ".join(str(one.points) if one.alive else _("out") for one in standings),
              hearts=", ".join(str(one.hearts) if one.alive else _("out") for one in standings))
        )  # fmt: skip
    return lines


def _sample(turns: Sequence[int]) -> list[int]:
    """Evenly spread, and always the last one."""
    count = min(SAMPLES_IN_WORDS, len(turns))
    return [turns[(n + 1) * len(turns) // count - 1] for n in range(count)]
