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
from kotp2p.seams.seat_view import SeatView

SAMPLES_IN_WORDS = 6
"""Turns that are told in words, however long the game was."""
EVEN_CHANCE = 0.5
"""A winner who had it when the last turn began has turned the game before."""
LEAST_MOVE = 0.1
"""Of a chance, by which a turn must have moved it to be a turning point."""

Course = Mapping[int, Sequence[Standing]]


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The turn that moved the winner's chance most, as `hard` judges."""

    turn: int
    before: float
    """The chance when the turn began."""
    after: float


def find_turning_point(counted: Statistics) -> TurningPoint | None:
    """None without a single winner, or if no turn moved the chance by `LEAST_MOVE`. The last turn,
    whose end needs no judgement, is one only if the winner was not the favourite."""
    if len(counted.winners) != 1:
        return None
    winner, last = counted.winners[0], max(counted.course(), default=0)
    found: TurningPoint | None = None
    for turn, chances in sorted(counted.chances.items()):
        before = chances[winner]
        if turn == last and before < EVEN_CHANCE:
            after = 1.0
        elif turn + 1 in counted.chances:
            after = counted.chances[turn + 1][winner]
        else:  # nobody has judged the next turn, or the game was nearly won when the last one began
            continue
        if after - before >= (LEAST_MOVE if found is None else found.after - found.before):
            found = TurningPoint(turn, before, after)
    return found


def describe_turning_point(counted: Statistics, view: SeatView) -> list[str]:
    """How the winner has won, and the turning point if there is one; empty without a single
    winner."""
    if len(counted.winners) != 1 or not counted.course():
        return []
    winner = counted.winners[0]
    found = find_turning_point(counted)
    return [
        _tell_victory(counted, view, winner),
        *([] if found is None else [_tell_turning_point(found, view, winner)]),
    ]


def _tell_victory(counted: Statistics, view: SeatView, winner: Seat) -> str:
    is_reader = winner == view.seat
    name = names.player_name(view, winner)
    last = _last_to_fall(counted, view, winner)
    if last is not None:
        return _tell_last_fall(last, view, name, is_reader=is_reader)
    course = counted.course()
    points = names.points(course[max(course)][winner].points)
    if is_reader:
        return _("You won with {points}.", points=points)
    return _("{name} won with {points}.", name=name, points=points)


def _tell_turning_point(found: TurningPoint, view: SeatView, winner: Seat) -> str:
    fields = {
        "turn": found.turn,
        "before": round(100 * found.before),
        "after": round(100 * found.after),
        "name": names.player_name(view, winner),
    }
    if winner == view.seat:
        return _("The turning point, as a bot of level hard judges: in turn {turn} your chance to "
                 "win rose from {before} to {after} %.", **fields)  # fmt: skip
    return _("The turning point, as a bot of level hard judges: in turn {turn} the chance of "
             "{name} to win rose from {before} to {after} %.", **fields)  # fmt: skip


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
