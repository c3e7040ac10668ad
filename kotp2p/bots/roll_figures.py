"""What dice bring in figures that a person knows, and which of them weigh most for the bot.

Scope: points, hearts of use, energy and claws of a final roll. The points and energy of a monster
with cards are those that a fork of the game tells, as its cards add to the dice. How much each
figure weighs is fitted to the bot's own worths of all final rolls, by least squares.
Known limitation: claws and hearts are those of the dice, whatever cards add to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from math import factorial, prod

from kotp2p.bots.dice import Counts
from kotp2p.bots.final_rolls import NUMBERS, TRIPLE, RollWorths
from kotp2p.bots.hearts import heart_uses
from kotp2p.bots.judgement import MAX_FORESEEN_STEPS, Judgement
from kotp2p.bots.roll_plans import RollPlan
from kotp2p.referee.game import GameReading
from kotp2p.referee.model.answers import Answer, Answered, Drawn, Face, Reroll, Seat, Stop
from kotp2p.referee.model.decisions import BuyDecision, Chance, Over, RollDecision
from kotp2p.referee.model.events import EnergyGained, PointsGained
from kotp2p.referee.model.state import Cause

LEAST_MEAN = 0.25
"""Less than this is not worth a word."""
LEAST_SECOND_MEAN = 0.75
"""The same for the second figure."""
LEAST_SHARE = 0.3
"""What the second figure weighs at least, in parts of the first."""
_RIDGE = 1e-9
"""Keeps the fit solvable where a figure is always the same, as healing in Tokyo."""


class Figure(StrEnum):
    POINTS = "points"
    HEARTS = "hearts"
    """Those that heal, or remove a token."""
    ENERGY = "energy"
    CLAWS = "claws"


@dataclass(frozen=True, slots=True)
class FigureMean:
    figure: Figure
    mean: float


@dataclass(frozen=True, slots=True)
class _Reading:
    """How a final roll of one seat is read."""

    useful_hearts: int
    told: Mapping[Counts, tuple[int, int]]
    """Points and energy of each final roll; empty if the dice say all."""

    def read(self, figure: Figure, counts: Counts) -> int:
        match figure:
            case Figure.POINTS if self.told:
                return self.told[counts][0]
            case Figure.ENERGY if self.told:
                return self.told[counts][1]
            case Figure.POINTS:
                return sum(f + 1 + counts[f] - TRIPLE for f in NUMBERS if counts[f] >= TRIPLE)
            case Figure.HEARTS:
                return min(counts[Face.HEART], self.useful_hearts)
            case Figure.ENERGY:
                return counts[Face.BOLT]
            case Figure.CLAWS:
                return counts[Face.CLAW]


def list_weighty_figures(
    game: GameReading, seat: Seat, plan: RollPlan, keep: Counts, worths: RollWorths
) -> tuple[FigureMean, ...]:
    """The one or two figures that weigh most in what keeping `keep` brings; empty if none does."""
    told = _play_all(game, seat, worths) if game.state.monsters[seat].holdings else {}
    reading = _Reading(len(heart_uses(game, seat)), told)
    found = []
    for figure, weight in zip(Figure, _weights(reading, worths), strict=True):
        mean = plan.mean_after_keeping(keep, partial(reading.read, figure))
        if mean >= LEAST_MEAN and weight > 0:
            found.append((weight * mean, FigureMean(figure, mean)))
    found.sort(key=lambda one: -one[0])
    least = LEAST_SHARE * found[0][0] if found else 0.0
    named = [one for _, one in found[:1]]
    named += [one for share, one in found[1:2] if share >= least and one.mean >= LEAST_SECOND_MEAN]
    return tuple(named)


def _play_all(
    game: GameReading, seat: Seat, rolls: Iterable[Counts]
) -> dict[Counts, tuple[int, int]]:
    """The points and the energy that each final roll brings before anything is bought."""
    rolling = game.fork()
    rolling.submit(Answered(seat, Reroll(tuple(range(len(game.state.dice))))))
    return {counts: _play(rolling, seat, counts) for counts in rolls}


def _play(rolling: GameReading, seat: Seat, counts: Counts) -> tuple[int, int]:
    judgement = Judgement(seat)
    fork = rolling.fork()
    fork.submit(Drawn(tuple([face for face in Face for _ in range(counts[face])])))
    points = energy = 0
    for _ in range(MAX_FORESEEN_STEPS):
        pending = fork.pending
        if (
            isinstance(pending, Chance | Over | BuyDecision)
            or fork.state.turn != rolling.state.turn
        ):
            break
        answer: Answer = Stop()
        if not isinstance(pending, RollDecision):
            answer = judgement.habitual_answer(fork, pending)
        for event in fork.submit(Answered(pending.seat, answer)):
            match event:
                case PointsGained(seat=one, cause=Cause.DICE | Cause.CARD, amount=n) if one == seat:
                    points += n
                case EnergyGained(seat=one, cause=Cause.DICE | Cause.CARD, amount=n) if one == seat:
                    energy += n
                case _:  # nothing that the dice bring
                    pass
    return points, energy


def _weights(reading: _Reading, worths: RollWorths) -> list[float]:
    """What one more of each figure adds to the worth of a final roll, by figure."""
    rolls = [[float(reading.read(figure, c)) for figure in Figure] for c in worths]
    ways = [factorial(sum(c)) / prod([factorial(n) for n in c]) for c in worths]
    return _fit(rolls, list(worths.values()), ways)


def _fit(
    rows: Sequence[Sequence[float]], targets: Sequence[float], ways: Sequence[float]
) -> list[float]:
    """The slopes of a least squares fit with an intercept; `ways`: how much each row counts."""
    total = sum(ways)
    size = len(rows[0])
    columns = [[row[i] for row in rows] for i in range(size)] + [list(targets)]
    centred = []
    for column in columns:
        mean = sum([w * x for w, x in zip(ways, column, strict=True)]) / total
        centred.append([x - mean for x in column])
    table = [
        [
            sum([w * x * y for w, x, y in zip(ways, one, other, strict=True)]) / total
            for other in centred
        ]
        for one in centred[:size]
    ]
    for i in range(size):
        table[i][i] += _RIDGE
    return _solve(table)


def _solve(table: list[list[float]]) -> list[float]:
    """Gauss and Jordan: the last column of a positive definite system of equations, solved."""
    for i, row in enumerate(table):
        row[:] = [x / row[i] for x in row]
        for j, other in enumerate(table):
            if j != i:
                share = other[i]
                other[:] = [x - share * y for x, y in zip(other, row, strict=True)]
    return [row[-1] for row in table]
