"""How a game went from turn to turn: the turning point, and points and hearts in words.

Scope: what the end of a game says about its course, from the counted events.
Not here: the lines of blocks (`cli.ui.screen.course_chart`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _, list_with_and, list_with_commas, number, plural
from kotp2p.cli.text.statistics import Standing, Statistics
from kotp2p.referee.model.answers import Seat
from kotp2p.seat_view import SeatView

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
    is_reader = winner == view.seat
    name = names.player_name(view, winner)
    last = _last_to_fall(counted, view, winner)
    if last is not None:
        return [_tell_last_fall(last, view, name, is_reader=is_reader)]
    found = find_turning_point(course, counted.winners)
    if found is not None:
        return [_tell_turning_point(found, course, view)]
    is_partial = counted.resumed_in_turn is not None
    if is_partial or any(_is_behind(standings, winner) for standings in course.values()):
        return []
    return [_("You were never behind.") if is_reader else _("{name} was never behind.", name=name)]


@dataclass(frozen=True, slots=True)
class _Fall:
    turn: int
    seats: Sequence[Seat]


def _last_to_fall(counted: Statistics, view: SeatView, winner: Seat) -> _Fall | None:
    """Those whose fall has decided a game that the last monster alive has won without the points
    for it; None for any other game."""
    course = counted.course()
    standings = course[max(course)]
    is_last = [seat for seat, one in enumerate(standings) if one.alive] == [winner]
    falls = [one.turn_of_fall for one in counted.counts]
    turns = [turn for turn in falls if turn is not None]
    if not is_last or not turns or standings[winner].points >= view.game.setup.rules.goal:
        return None
    last = max(turns)
    return _Fall(last, [seat for seat, turn in enumerate(falls) if turn == last])


def _tell_last_fall(last: _Fall, view: SeatView, name: str, *, is_reader: bool) -> str:
    fallen = list_with_and([names.player_name(view, seat) for seat in last.seats])
    fields = {"turn": last.turn, "fallen": fallen, "name": name}
    if is_reader:
        return plural(
            "The game was decided in turn {turn}: {fallen} was out, and you alone were left.",
            "The game was decided in turn {turn}: {fallen} were out, and you alone were left.",
            len(last.seats),
            **fields,
        )
    if view.seat in last.seats:
        return _("The game was decided in turn {turn}: you were out, and {name} alone was left.",
                 **fields)  # fmt: skip
    return plural(
        "The game was decided in turn {turn}: {fallen} was out, and {name} alone was left.",
        "The game was decided in turn {turn}: {fallen} were out, and {name} alone was left.",
        len(last.seats),
        **fields,
    )


def _tell_turning_point(found: TurningPoint, course: Course, view: SeatView) -> str:
    """By the fall of those who were ahead, if there is one, as it says more than a few points."""
    is_reader = found.winner == view.seat
    before = max(turn for turn in course if turn < found.turn)
    ahead = [
        seat
        for seat, one in enumerate(course[before])
        if one.alive and one.points > found.points_before and not course[found.turn][seat].alive
    ]
    fields = {
        "turn": found.turn, "name": names.player_name(view, found.winner),
        "before": found.points_before, "after": found.points_after,
        "fallen": list_with_and([names.player_name(view, seat) for seat in ahead]),
    }  # fmt: skip
    if ahead and is_reader:
        return plural(
            "The turning point was turn {turn}: {fallen} was out, and you were never behind again.",
            "The turning point was turn {turn}: {fallen} were out, and you were never behind "
            "again.",
            len(ahead),
            **fields,
        )
    if ahead and view.seat not in ahead:
        return plural(
            "The turning point was turn {turn}: {fallen} was out, and {name} was never behind "
            "again.",
            "The turning point was turn {turn}: {fallen} were out, and {name} was never behind "
            "again.",
            len(ahead),
            **fields,
        )
    if ahead or found.points_before == found.points_after:
        return _("The turning point was turn {turn}: from then on {name} was never behind again.",
                 **fields)  # fmt: skip
    if is_reader:
        return _("The turning point was turn {turn}: you went from {before} to {after} points and "
                 "were never behind again.", **fields)  # fmt: skip
    return _("The turning point was turn {turn}: {name} went from {before} to {after} points and "
             "was never behind again.", **fields)  # fmt: skip


def describe_course(counted: Statistics, view: SeatView) -> list[str]:
    """Points and hearts of each player at the end of some turns, the first place first."""
    course = counted.course()
    if len(course) < 2:
        return []
    turns = _sample(sorted(course))
    lines = [
        _("Points and hearts at the end of turns {turns}:",
          turns=list_with_and([number(turn) for turn in turns]))
    ]  # fmt: skip
    for _place, seat in counted.rank_seats(view):
        standings = [course[turn][seat] for turn in turns]
        points = (number(one.points) if one.alive else _("out") for one in standings)
        hearts = (number(one.hearts) if one.alive else _("out") for one in standings)
        lines.append(
            _("{name}: points {points}; hearts {hearts}.", name=names.player_name(view, seat),
              points=list_with_commas(points), hearts=list_with_commas(hearts))
        )  # fmt: skip
    return lines


def _sample(turns: Sequence[int]) -> list[int]:
    """Evenly spread, and always the last one."""
    count = min(SAMPLES_IN_WORDS, len(turns))
    return [turns[(n + 1) * len(turns) // count - 1] for n in range(count)]
