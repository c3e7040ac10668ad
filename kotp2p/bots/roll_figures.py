"""What dice bring in figures that a person knows, and which of them weigh most for the bot.

Scope: points of the numbers, hearts of use, energy and claws of a final roll. How much each of them
weighs is fitted to the bot's own worths of all final rolls, by least squares.
Not here: what cards add to the dice; it counts in the worths alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from math import factorial, prod

from kotp2p.bots.dice import Counts
from kotp2p.bots.final_rolls import NUMBERS, TRIPLE, RollWorths
from kotp2p.bots.hearts import heart_uses
from kotp2p.bots.roll_plans import RollPlan
from referee.game import Game
from referee.model.answers import Face, Seat

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

    def read(self, figure: Figure, counts: Counts) -> int:
        match figure:
            case Figure.POINTS:
                return sum(f + 1 + counts[f] - TRIPLE for f in NUMBERS if counts[f] >= TRIPLE)
            case Figure.HEARTS:
                return min(counts[Face.HEART], self.useful_hearts)
            case Figure.ENERGY:
                return counts[Face.BOLT]
            case Figure.CLAWS:
                return counts[Face.CLAW]


def list_weighty_figures(
    game: Game, seat: Seat, plan: RollPlan, keep: Counts, worths: RollWorths
) -> tuple[FigureMean, ...]:
    """The one or two figures that weigh most in what keeping `keep` brings; empty if none does."""
    reading = _Reading(len(heart_uses(game, seat)))
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
