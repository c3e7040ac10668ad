"""The dice of a bot: which are best kept, by exact expectation over all rolls to come, and why.

Scope: arithmetic over counts of faces; the worth of a final roll, which comes from a fork of the
game; what the dice come to in figures that a person knows.

The dice are a multiset, written as six counts. The worth of all final rolls is known. From it two
figures follow, for one more reroll at a time. The first is the worth of keeping a multiset: the
mean over all ways to add the missing dice, one die after the other. The second is the best
multiset to keep out of a full roll: either all of it, or the best with one die less. Both walk the
same lattice of a few hundred multisets, so no subset is ever enumerated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache, partial
from itertools import product
from math import factorial, prod
from typing import NamedTuple, TypeAlias

from kotp2p.bots.judgement import MAX_FORESEEN_STEPS, Judgement, heart_uses
from kotp2p.referee.cards.effects import effects_by_item
from kotp2p.referee.game import GameReading
from kotp2p.referee.model.answers import Answer, Answered, Drawn, Face, Reroll, Seat, Stop
from kotp2p.referee.model.decisions import BuyDecision, Chance, Over, RollDecision
from kotp2p.referee.model.events import EnergyGained, PointsGained
from kotp2p.referee.model.state import NO_ITEM, Cause
from kotp2p.referee.table.table import DiceTraits, Effect

Counts: TypeAlias = tuple[int, ...]
"""How many dice show each face, by face."""

MAX_FORESEEN_ROLLS = 3
"""Foreseeing more rerolls than this costs time and changes hardly an answer."""


def count_faces(dice: Sequence[Face]) -> Counts:
    """Return the multiset of `dice`."""
    counts = [0] * len(Face)
    for face in dice:
        counts[face] += 1
    return tuple(counts)


@lru_cache(maxsize=16)
class Lattice:
    """All multisets of up to `size` dice, smaller ones first.

    `more[i]` are the multisets with one die more than multiset i, one for each face; `less[i]` the
    multisets with one die less.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.multisets = [m for n in range(size + 1) for m in _all_multisets(n, len(Face))]
        self.index = {m: i for i, m in enumerate(self.multisets)}
        self.full = range(self._first_of(size), len(self.multisets))
        self.more = [
            [self.index[_with_one_changed(m, face, +1)] for face in Face] if sum(m) < size else []
            for m in self.multisets
        ]
        self.less = [
            [self.index[_with_one_changed(m, face, -1)] for face in Face if m[face]]
            for m in self.multisets
        ]

    def _first_of(self, dice: int) -> int:
        return next(i for i, m in enumerate(self.multisets) if sum(m) == dice)


def _all_multisets(dice: int, faces: int) -> Iterator[Counts]:
    if faces == 1:
        yield (dice,)
        return
    for first in range(dice + 1):
        for rest in _all_multisets(dice - first, faces - 1):
            yield (first, *rest)


def _with_one_changed(counts: Counts, face: int, change: int) -> Counts:
    return (*counts[:face], counts[face] + change, *counts[face + 1 :])


class Prospects:
    """The worth of keeping each multiset of dice, with `rolls_left` rerolls to come."""

    def __init__(self, size: int, rolls_left: int, worth: Callable[[Counts], float]) -> None:
        self._lattice = lattice = Lattice(size)
        self._final = [worth(lattice.multisets[i]) for i in lattice.full]
        self._kept = [0.0] * lattice.full.start + self._final
        self._best = list(self._kept)
        for _ in range(min(rolls_left, MAX_FORESEEN_ROLLS)):
            self._add_a_roll()

    def _add_a_roll(self) -> None:
        """Work out one more reroll: keep a multiset, roll the other dice, then play on well."""
        lattice, kept = self._lattice, self._kept
        first = lattice.full.start
        kept[first:] = self._best[first:]
        for i in range(first - 1, -1, -1):
            kept[i] = sum([kept[j] for j in lattice.more[i]]) / len(Face)
        kept[first:] = self._final  # a seat that keeps everything stops rolling
        best = self._best = list(kept)
        for i, fewer in enumerate(lattice.less):
            for j in fewer:
                if best[j] > best[i]:
                    best[i] = best[j]

    def worth(self, dice: Sequence[Face]) -> float:
        """Return the expected worth of having rolled `dice` and playing on well."""
        return self._best[self._lattice.index[count_faces(dice)]]

    def dice_to_keep(self, dice: Sequence[Face]) -> Counts:
        """Return the largest multiset of `dice` with the best expected worth."""
        lattice = self._lattice
        here = lattice.index[count_faces(dice)]
        best = self._best[here]
        while self._kept[here] < best:
            here = next(j for j in lattice.less[here] if self._best[j] == best)
        return lattice.multisets[here]


def positions_to_roll(dice: Sequence[Face], keep: Counts) -> tuple[int, ...]:
    """Return the positions of the dice that are not kept."""
    left = list(keep)
    rolled = []
    for position, face in enumerate(dice):
        if left[face]:
            left[face] -= 1
        else:
            rolled.append(position)
    return tuple(rolled)


# -- the worth of every final roll, on a fork that plays to the end of the turn ------------
#
# One number for each multiset of faces. So the cards of all monsters count for what they do, and
# none is known here by its name.
#
# Rolls that come to the same are resolved once: where no effect of the roller looks at the dice
# itself, only the points of the numbers, the steps on the track, the hearts of use, the bolts and
# the claws count.
#
# Known limitation: changes of dice that cards offer after the last roll are not foreseen.


FACES = tuple(Face)
NUMBERS = (Face.ONE, Face.TWO, Face.THREE)
TRIPLE = 3
HOOKS_AFTER_BUYING = frozenset([Effect.turn_ends, Effect.three_ones_earn_a_turn])
"""Where a card that is bought in this turn can still look at its dice."""

RollWorths = Mapping[Counts, float]


@dataclass(frozen=True, slots=True)
class _Moment:
    """A turn whose dice are still to be rolled; equal to another if only the dice differ."""

    game: GameReading = field(compare=False)
    judgement: Judgement = field(compare=False)
    dice: int
    key: tuple[object, ...]


class _Looks(NamedTuple):
    """What is looked at in the final dice of a turn, once for all rolls."""

    useful_hearts: int
    at_steps: bool
    """Whether they are steps on the track of the wickedness tiles."""
    at_hearts: bool
    at_faces: bool
    at_triples: bool


def final_roll_worths(
    game: GameReading, decision: RollDecision, judgement: Judgement
) -> RollWorths:
    """Return the chance to win after each multiset of `decision.dice` as the final roll.

    All dice must be free to be rolled anew: `decision.rolls_left` is at least 1.
    """
    assert decision.rolls_left, "the last roll has been made"
    return _resolve_all(_moment(game, len(decision.dice), judgement))


def _moment(game: GameReading, dice: int, judgement: Judgement) -> _Moment:
    state = game.state
    monsters = [
        (
            m.hearts, m.points, m.energy, m.place, m.alive, m.poison, m.shrink, m.wickedness,
            tuple([(h.item, h.counters, h.copies, h.used) for h in m.holdings]),
        )
        for m in state.monsters
    ]  # fmt: skip
    view = judgement.view
    known = tuple(sorted(view.worths.items())), tuple(sorted(view.gains.items()))
    key = (
        game.setup.rules.name, game.setup.options, state.turn, judgement.seat, judgement.temper,
        judgement.appraise, known, tuple(state.market), tuple(monsters), state.extra_rolls,
        tuple(state.undrawn),
    )  # fmt: skip
    return _Moment(game, judgement, dice, key)


@lru_cache(maxsize=16)
def _resolve_all(moment: _Moment) -> RollWorths:
    """Resolve all final rolls, cached as the next rolls of the turn ask for the same."""
    lattice = Lattice(moment.dice)
    looks = _looks_of(moment)
    found: dict[Counts, float] = {}
    alike: dict[tuple[int, ...], float] = {}
    for i in lattice.full:
        counts = lattice.multisets[i]
        kind = _what_counts(counts, looks)
        if kind not in alike:
            alike[kind] = _resolve(moment, counts)
        found[counts] = alike[kind]
    return found


def _resolve(moment: _Moment, counts: Counts) -> float:
    fork = moment.game.at_final_dice(tuple([face for face in FACES for _ in range(counts[face])]))
    moment.judgement.finish_turn(fork)
    return moment.judgement.chance(fork)


def _looks_of(moment: _Moment) -> _Looks:
    game = moment.game
    read = _traits_read(moment)
    return _Looks(
        len(heart_uses(game, moment.judgement.seat)),
        bool(game.setup.rules.tiles),
        DiceTraits.HEARTS in read,
        DiceTraits.FACES in read,
        DiceTraits.TRIPLES in read,
    )


def _traits_read(moment: _Moment) -> DiceTraits:
    """Return the traits of dice that effects of the roller, or of offers, read."""
    effects = effects_by_item(moment.game.setup)
    found = DiceTraits(0)
    for holding in moment.game.state.monsters[moment.judgement.seat].holdings:
        for item in (holding.item, holding.copies):
            effect = None if item == NO_ITEM else effects[item]
            found |= DiceTraits(0) if effect is None else effect.reads
    for item in moment.judgement.view.gains:
        effect = effects[item]
        if effect is not None and effect.hooks & HOOKS_AFTER_BUYING:
            found |= effect.reads
    return found


def _what_counts(counts: Counts, looks: _Looks) -> tuple[int, ...]:
    """Return a key that is equal for rolls with the same consequences."""
    ones, twos, threes, hearts, bolts, claws = counts
    numbers: tuple[int, ...]
    steps = 2 * (ones // TRIPLE) + twos // TRIPLE if looks.at_steps else 0
    if not looks.at_hearts and not steps:  # a tile may raise the maximum
        least = min(hearts, 1) if looks.at_faces else 0
        hearts = max(least, min(hearts, looks.useful_hearts))
    if looks.at_faces:
        numbers = tuple([n if n >= TRIPLE else min(n, 1) for n in (ones, twos, threes)])
    elif looks.at_triples:
        numbers = tuple([n if n >= TRIPLE else 0 for n in (ones, twos, threes)])
    else:
        points = [f + 1 + counts[f] - TRIPLE for f in NUMBERS if counts[f] >= TRIPLE]
        numbers = sum(points), steps
    return (*numbers, hearts, bolts, claws)


# -- what the dice come to if they are kept as the bot would keep them ---------------------
#
# Arithmetic over counts of faces. A `RollPlan` takes from `Prospects` which dice are kept of each
# roll to come. Along this policy it works out the exact mean of anything that a final roll shows.


Valuation = Callable[[Counts], float]
"""What a final roll shows, as a number."""


class RollPlan:
    """Which dice are kept of each roll to come, with `rolls_left` of them after the next."""

    def __init__(self, size: int, rolls_left: int, worth: Valuation) -> None:
        self._lattice = lattice = Lattice(size)
        self._worth = worth
        self._rolls_left = min(rolls_left, MAX_FORESEEN_ROLLS)
        self._kept: list[list[int]] = []
        """By the rolls left after a roll, from 1 on: for each full roll the index of what is kept.
        """
        for left in range(1, self._rolls_left):
            prospects = Prospects(size, left, worth)
            self._kept.append(
                [
                    lattice.index[prospects.dice_to_keep(_spread(lattice.multisets[i]))]
                    for i in lattice.full
                ]
            )

    def mean_after_keeping(self, keep: Counts, value: Valuation) -> float:
        """Return the mean of `value` over the final rolls, if `keep` is kept now."""
        return self._means(value)[self._lattice.index[keep]]

    def best_of_less(self, counts: Counts) -> float:
        """Return the mean worth of the best way to roll at least one of these dice."""
        means = self._means(self._worth)
        return max(means[self._lattice.index[keep]] for keep in _parts(counts))

    def _means(self, value: Valuation) -> list[float]:
        """Return the mean after keeping each multiset of the lattice."""
        lattice = self._lattice
        first = lattice.full.start
        final = [value(lattice.multisets[i]) for i in lattice.full]
        rolled = final
        means = [0.0] * first + final
        for left in range(self._rolls_left):
            if left:
                rolled = [means[kept] for kept in self._kept[left - 1]]
            means[first:] = rolled
            for i in range(first - 1, -1, -1):
                means[i] = sum([means[j] for j in lattice.more[i]]) / len(Face)
            means[first:] = final  # a seat that keeps everything stops rolling
        return means


def _spread(counts: Counts) -> list[Face]:
    return [face for face in Face for _ in range(counts[face])]


def _parts(counts: Counts) -> Iterator[Counts]:
    """Yield all that can be kept of a roll, but not all of it."""
    for part in product(*[range(n + 1) for n in counts]):
        if part != counts:
            yield part


# -- figures that a person knows, and which of them weigh most for the bot -----------------
#
# Points, hearts of use, energy and claws of a final roll. The points and energy of a monster with
# cards are those that a fork of the game tells, as its cards add to the dice. How much each
# figure weighs is fitted to the bot's own worths of all final rolls, by least squares.
#
# Known limitation: claws and hearts are those of the dice, whatever cards add to them.


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
    """Return the one or two figures that matter most in keeping `keep`, or none."""
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
    """Return the points and the energy of each final roll before anything is bought."""
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
    """Return what one more of each figure adds to the worth of a final roll."""
    rolls = [[float(reading.read(figure, c)) for figure in Figure] for c in worths]
    ways = [factorial(sum(c)) / prod([factorial(n) for n in c]) for c in worths]
    return _fit(rolls, list(worths.values()), ways)


def _fit(
    rows: Sequence[Sequence[float]], targets: Sequence[float], ways: Sequence[float]
) -> list[float]:
    """Return the slopes of a least squares fit with an intercept; `ways` weights the rows."""
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
    """Solve a positive definite system by Gauss and Jordan; the last column is the right side."""
    for i, row in enumerate(table):
        row[:] = [x / row[i] for x in row]
        for j, other in enumerate(table):
            if j != i:
                share = other[i]
                other[:] = [x - share * y for x, y in zip(other, row, strict=True)]
    return [row[-1] for row in table]
