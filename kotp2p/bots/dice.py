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
from functools import lru_cache, partial, reduce
from itertools import product
from math import factorial, prod
from operator import or_
from typing import NamedTuple, TypeAlias

from kotp2p.bots.chances import Supposed
from kotp2p.bots.judgement import MAX_FORESEEN_STEPS, Judgement, heart_uses
from kotp2p.referee.cards.effects import effects_by_item
from kotp2p.referee.game import Game, GameReading
from kotp2p.referee.model.answers import (
    Answer,
    Answered,
    Buy,
    Drawn,
    Face,
    Item,
    Reroll,
    Seat,
    Stop,
)
from kotp2p.referee.model.decisions import BuyDecision, Chance, Offer, Over, RollDecision
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
# the claws count. Where no effect looks at amounts either, points, hearts and bolts just add up.
# Then rolls with the same claws and the same purchase end alike but for these three, and one of
# them is resolved: that of the others is supposed from it.
#
# Known limitation: changes of dice that cards offer after the last roll are not foreseen.


FACES = tuple(Face)
NUMBERS = (Face.ONE, Face.TWO, Face.THREE)
TRIPLE = 3
HOOKS_AFTER_BUYING = frozenset([Effect.turn_ends, Effect.three_ones_earn_a_turn])
"""Where a card that is bought in this turn can still look at its dice."""
AMOUNTS = DiceTraits.POINTS | DiceTraits.HEALING | DiceTraits.ENERGY
NO_TRAITS = DiceTraits(0)

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

    traits: DiceTraits
    useful_hearts: int
    has_track: bool
    """Whether ones and twos are steps on the track of the wickedness tiles."""
    tile_steps: tuple[int, ...]
    """How many steps bring a tile that may look at the dice, too."""


class _Rest(NamedTuple):
    claws: int
    steps: int
    takes_tile: bool
    seen: tuple[int, ...]
    """What else effects look at."""


class _Outcome(NamedTuple):
    """What a roll comes to. Rolls with equal outcomes have the same consequences."""

    points: int
    hearts: int
    bolts: int
    rest: _Rest


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
    looks = _looks_of(moment)
    resolvers: dict[_Rest, _Resolver] = {}
    found: dict[Counts, float] = {}
    for outcome, rolls in _list_outcomes(moment.dice, looks):
        resolver = resolvers.get(outcome.rest)
        if resolver is None:
            resolver = resolvers[outcome.rest] = _Resolver(moment, looks, outcome.rest)
        found.update(resolver.worths(outcome, rolls))
    return found


class _Shift:
    """A position of a turn that has been resolved, for other dice with the same rest."""

    def __init__(self, game: Game, seat: Seat, outcome: _Outcome) -> None:
        self.position = Supposed(game.setup, game.state.copy())
        self.me = self.position.state.monsters[seat]
        self._points = self.me.points - outcome.points
        self._hearts = self.me.hearts - outcome.hearts
        self._energy = self.me.energy - outcome.bolts

    def suppose(self, outcome: _Outcome) -> Supposed:
        """Return the position with what these dice bring, until the next call."""
        self.me.points = self._points + outcome.points
        self.me.hearts = self._hearts + outcome.hearts
        self.me.energy = self._energy + outcome.bolts
        return self.position


class _Purchase(NamedTuple):
    """What is bought after a roll."""

    buy: Buy | None = None
    is_plain: bool = True
    """Whether such turns end alike but for points, hearts and energy."""
    traits: DiceTraits = NO_TRAITS
    """What is looked at in the dice after it."""


class _Resolver:
    """The worths of rolls with the same rest. The first one has the most bolts of them."""

    def __init__(self, moment: _Moment, looks: _Looks, rest: _Rest) -> None:
        self._game = moment.game
        self._judgement = moment.judgement
        self._takes_tile = rest.takes_tile
        self._hearts_add_up = not looks.traits & (DiceTraits.HEALING | DiceTraits.HEARTS)
        self._effects = effects_by_item(moment.game.setup)
        self._shop: _Shift | None = None
        """Where the first purchase is decided."""
        self._offers: tuple[Offer, ...] = ()
        self._ends: dict[Buy | None, _Shift] = {}
        """The ends of turns that have been resolved, by what was bought."""

    def worths(self, outcome: _Outcome, rolls: Sequence[Counts]) -> RollWorths:
        """Return the worths of `rolls`, which all come to `outcome`."""
        purchase = self._foresee_purchase(outcome)
        end = self._ends.get(purchase.buy) if purchase.is_plain else None
        if end is not None:
            position = end.suppose(outcome)
            if end.me.points < self._game.setup.rules.goal:
                return dict.fromkeys(rolls, self._judgement.chance(position))
        worth = self._resolve(outcome, rolls[0])
        traits = self._foresee_purchase(outcome).traits
        if not traits:
            return dict.fromkeys(rolls, worth)
        alike = {_what_is_seen(rolls[0], traits): worth}
        for counts in rolls:
            seen = _what_is_seen(counts, traits)
            if seen not in alike:
                alike[seen] = self._resolve(outcome, counts)
        return {counts: alike[_what_is_seen(counts, traits)] for counts in rolls}

    def _resolve(self, outcome: _Outcome, counts: Counts) -> float:
        judgement = self._judgement
        seat = judgement.seat
        fork = self._game.at_final_dice(tuple(_spread(counts)))
        judgement.finish_turn(fork, to_purchase=True)
        pending = fork.pending
        if isinstance(pending, BuyDecision):
            if self._shop is None:
                self._shop, self._offers = _Shift(fork, seat, outcome), pending.offers
            judgement.finish_turn(fork)
        if not self._takes_tile and fork.state.winners is None:
            purchase = self._foresee_purchase(outcome)
            healed = fork.state.monsters[seat].hearts - self._game.state.monsters[seat].hearts
            if purchase.is_plain and (not self._hearts_add_up or healed == outcome.hearts):
                self._ends[purchase.buy] = _Shift(fork, seat, outcome)
        return judgement.chance(fork)

    def _foresee_purchase(self, outcome: _Outcome) -> _Purchase:
        if self._shop is None:
            return _Purchase()
        buy = self._judgement.best_offer(self._shop.suppose(outcome), self._offers)
        if buy is None and not self._takes_tile:
            return _Purchase()
        cards = [offer.card for offer in self._offers]
        if buy is not None and not self._takes_tile and not self._may_buy_another(buy.card):
            cards = [buy.card]
        effects = [effect for card in cards if (effect := self._effects[card])]
        is_plain = len(cards) == 1 and self._game.card(cards[0]).keep
        is_plain &= not any(effect.reads & AMOUNTS for effect in effects)
        later = [e.reads & ~AMOUNTS for e in effects if e.hooks & HOOKS_AFTER_BUYING]
        return _Purchase(buy, is_plain, reduce(or_, later, NO_TRAITS))

    def _may_buy_another(self, bought: Item) -> bool:
        assert self._shop is not None
        gains = self._judgement.view.gains
        prices = {offer.card: offer.price for offer in self._offers}
        left = self._shop.me.energy - prices.pop(bought)
        return any(price <= left and gains.get(card, 0) > 0 for card, price in prices.items())


def _looks_of(moment: _Moment) -> _Looks:
    setup, state, seat = moment.game.setup, moment.game.state, moment.judgement.seat
    me = state.monsters[seat]
    effects = effects_by_item(setup)
    traits = DiceTraits.HEALING if me.poison or me.shrink else NO_TRAITS
    for monster in state.monsters:
        for holding in monster.holdings:
            for item in (holding.item, holding.copies):
                effect = None if item == NO_ITEM else effects[item]
                if effect is not None and effect.reads:
                    of_others = DiceTraits.POINTS_OF_OTHERS
                    traits |= effect.reads & (~of_others if monster is me else of_others)
    tiles = [item for item in state.tiles if (effect := effects[item]) and effect.reads]
    steps = {setup.tile(item).step for item in tiles} - {*me.steps}
    return _Looks(
        traits,
        len(heart_uses(moment.game, seat)),
        bool(setup.rules.tiles),
        tuple(sorted([step - me.wickedness for step in steps])),
    )


@lru_cache(maxsize=64)
def _list_outcomes(dice: int, looks: _Looks) -> list[tuple[_Outcome, list[Counts]]]:
    """Return what all rolls come to, those with the most bolts first."""
    lattice = Lattice(dice)
    rolls: dict[_Outcome, list[Counts]] = {}
    for i in lattice.full:
        counts = lattice.multisets[i]
        rolls.setdefault(_outcome_of(counts, looks), []).append(counts)
    return sorted(rolls.items(), key=lambda one: -one[0].bolts)


def _outcome_of(counts: Counts, looks: _Looks) -> _Outcome:
    ones, twos, _, hearts, bolts, claws = counts
    steps = 2 * (ones // TRIPLE) + twos // TRIPLE if looks.has_track else 0
    takes_tile = any(0 < steps >= step for step in looks.tile_steps)
    if DiceTraits.HEARTS not in looks.traits and not takes_tile:  # a tile may raise the maximum
        hearts = min(hearts, looks.useful_hearts)
    points = sum([f + 1 + counts[f] - TRIPLE for f in NUMBERS if counts[f] >= TRIPLE])
    amounts = (
        points * bool(looks.traits & (DiceTraits.POINTS | DiceTraits.POINTS_OF_OTHERS)),
        hearts * bool(looks.traits & (DiceTraits.HEALING | DiceTraits.HEARTS)),
        bolts * bool(looks.traits & DiceTraits.ENERGY),
    )
    seen = amounts + _what_is_seen(counts, looks.traits)
    return _Outcome(points, hearts, bolts, _Rest(claws, steps, takes_tile, seen))


def _what_is_seen(counts: Counts, traits: DiceTraits) -> tuple[int, ...]:
    """Return what an effect sees that looks for faces or triples."""
    seen: list[int] = []
    if DiceTraits.FACES in traits:
        seen += [min(n, 1) for n in counts]
    if DiceTraits.TRIPLES in traits:
        seen += [counts[face] // TRIPLE for face in NUMBERS]
    return tuple(seen)


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
