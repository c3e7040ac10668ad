"""The dice of a bot: which are best kept, by exact expectation over all rolls to come, and why.

Scope: arithmetic over counts of faces; the worth of a final roll, which comes from a fork of the
game; what the dice come to in figures that a person knows.

From the worths of all final rolls two figures follow, for one more reroll at a time. The first is
the worth of keeping a multiset of dice: the mean over all ways to add the missing ones, one after
the other. The second is the best multiset to keep out of a full roll: either all of it, or the best
with one die less. Both walk the same lattice of a few hundred multisets.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache, reduce
from itertools import combinations_with_replacement
from operator import itemgetter, or_
from typing import NamedTuple, TypeAlias

from kotp2p.extras.bots.card_worths import with_gains
from kotp2p.extras.bots.chances import Supposed
from kotp2p.extras.bots.judgement import Judgement, heart_uses
from kotp2p.referee.box.cards import TRACK_STEPS
from kotp2p.referee.cards.effects import effects_by_item
from kotp2p.referee.game import Game, GameReading
from kotp2p.referee.model.answers import Buy, Face, Item, Seat
from kotp2p.referee.model.decisions import BuyDecision, Offer, Over, RollDecision
from kotp2p.referee.model.position import digest_of_position
from kotp2p.referee.model.state import NO_ITEM, State
from kotp2p.referee.table.table import DiceTraits, Effect

Counts: TypeAlias = tuple[int, ...]
"""How many dice show each face, by face."""
Valuation: TypeAlias = Callable[[Counts], float]
"""What a final roll shows, as a number."""

FACES = tuple(Face)
NUMBERS = (Face.ONE, Face.TWO, Face.THREE)
TRIPLE = 3
MAX_FORESEEN_ROLLS = 3
"""Foreseeing more rerolls than this costs time and changes hardly an answer."""


def count_faces(dice: Sequence[Face]) -> Counts:
    counts = [0] * len(Face)
    for face in dice:
        counts[face] += 1
    return tuple(counts)


@lru_cache(maxsize=16)
class Lattice:
    """All multisets of up to `size` dice, smaller ones first.

    `more[i]` picks the multisets with one die more than multiset i out of a list, one for each
    face; `less[i]` are the multisets with one die less.
    """

    def __init__(self, size: int) -> None:
        ways = [[*combinations_with_replacement(FACES, n)] for n in range(size + 1)]
        self.multisets = [count_faces(dice) for way in ways for dice in way]
        self.index = {m: i for i, m in enumerate(self.multisets)}
        self.full = range(len(self.multisets) - len(ways[size]), len(self.multisets))
        self.more = [
            itemgetter(*[self.index[_with_one_changed(m, face, +1)] for face in Face])
            for m in self.multisets[: self.full.start]
        ]
        self.less = [
            [self.index[_with_one_changed(m, face, -1)] for face in Face if m[face]]
            for m in self.multisets
        ]

    def parts_of(self, whole: int) -> list[int]:
        """Return `whole` and all multisets of fewer of its dice, smaller ones first."""
        found = {whole}
        for _ in range(sum(self.multisets[whole])):
            found |= {j for i in found for j in self.less[i]}
        return sorted(found)


def _with_one_changed(counts: Counts, face: int, change: int) -> Counts:
    return (*counts[:face], counts[face] + change, *counts[face + 1 :])


class Prospects:
    """What can be expected of `dice`, with `rolls_left` rerolls to come, each played well."""

    def __init__(self, dice: Sequence[Face], rolls_left: int, worth: Valuation) -> None:
        self._lattice = lattice = Lattice(len(dice))
        self._rolled = lattice.index[count_faces(dice)]
        self._final = final = [worth(lattice.multisets[i]) for i in lattice.full]
        kept = [0.0] * lattice.full.start + final
        self._layers = [(kept, kept)]
        """By rerolls to come: the worth of keeping each multiset, and of the best part of it. In
        the last layer only parts of the dice have best parts."""
        rerolls = min(rolls_left, MAX_FORESEEN_ROLLS)
        for left in range(1, rerolls + 1):
            kept = self._average(self._layers[-1][1][lattice.full.start :], final)
            wholes = lattice.parts_of(self._rolled) if left == rerolls else range(len(kept))
            self._layers.append((kept, self._best_parts(kept, wholes)))

    def _average(self, rolled: list[float], final: list[float]) -> list[float]:
        """Return the means after keeping each multiset, where a full roll then brings `rolled`."""
        # A seat that keeps everything stops rolling, and has what is `final`.
        first = self._lattice.full.start
        means = [0.0] * first + rolled
        for i in range(first - 1, -1, -1):
            means[i] = sum(self._lattice.more[i](means)) / len(Face)
        means[first:] = final
        return means

    def _best_parts(self, kept: list[float], wholes: Iterable[int]) -> list[float]:
        best, less = list(kept), self._lattice.less
        for i in wholes:
            for j in less[i]:
                if best[j] > best[i]:
                    best[i] = best[j]
        return best

    def worth(self) -> float:
        """Return the expected worth of having rolled the dice."""
        return self._layers[-1][1][self._rolled]

    def worth_of_rolling(self) -> float:
        """Return the expected worth of having rolled the dice and rolling one of them at least."""
        _, best = self._layers[-1]
        return max([best[j] for j in self._lattice.less[self._rolled]])

    def dice_to_keep(self) -> Counts:
        """Return the largest part of the dice with the best expected worth."""
        return self._lattice.multisets[self._keep(self._rolled, -1)]

    def _keep(self, rolled: int, rolls_left: int) -> int:
        kept, all_best = self._layers[rolls_left]
        best = all_best[rolled]
        while kept[rolled] < best:
            rolled = next(j for j in self._lattice.less[rolled] if all_best[j] == best)
        return rolled

    def mean_after_keeping(self, keep: Counts, value: Valuation) -> float:
        """Return the mean of `value` over the final rolls, if `keep` is kept now."""
        full = self._lattice.full
        final = [value(self._lattice.multisets[i]) for i in full]
        means = [0.0] * full.start + final
        for left in range(len(self._layers) - 1):
            means = self._average([means[self._keep(i, left)] for i in full], final)
        return means[self._lattice.index[keep]]


def positions_to_roll(dice: Sequence[Face], keep: Counts) -> tuple[int, ...]:
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
# The cards of all monsters count for what they do, and none is known here by its name. Rolls that
# come to the same are resolved once: where no effect of the roller looks at the dice itself, only
# the points of the numbers, the steps on the track, the hearts of use, the bolts and the claws
# count. Where no effect looks at amounts either, points, hearts, bolts and steps just add up. Then
# rolls with the same claws, tiles and purchase end alike but for these four, and one of them is
# resolved: that of the others is supposed from it.
#
# Known limitation: changes of dice that cards offer after the last roll are not foreseen.


HOOKS_AFTER_BUYING = frozenset([Effect.turn_ends, Effect.three_ones_earn_a_turn])
"""Where a card that is bought in this turn can still look at its dice."""
AMOUNTS = DiceTraits.POINTS | DiceTraits.HEALING | DiceTraits.ENERGY
NO_TRAITS = DiceTraits(0)

NEVER = 99
"""More steps on the track of the tiles than a turn can bring."""

RollWorths: TypeAlias = Mapping[Counts, float]

_RESOLVED: dict[tuple[object, ...], RollWorths] = {}
"""The worths of all final rolls of one turn, as each roll of it asks for the same."""


class _Looks(NamedTuple):
    """What is looked at in the final dice of a turn, once for all rolls."""

    traits: DiceTraits
    useful_hearts: int
    track: int
    """Steps that are left on the track of the wickedness tiles."""
    tile: int
    """Steps that bring the next tile."""
    tile_traits: DiceTraits
    """What the tiles look at that may be taken."""


class _Rest(NamedTuple):
    claws: int
    steps: int
    """On the track, if they bring a tile, or may not count."""
    traits: DiceTraits
    seen: tuple[int, ...]
    """What else effects look at."""


class _Outcome(NamedTuple):
    """What a roll comes to. Rolls with equal outcomes have the same consequences."""

    points: int
    hearts: int
    bolts: int
    steps: int
    rest: _Rest


def final_roll_worths(
    game: GameReading, decision: RollDecision, judgement: Judgement
) -> RollWorths:
    """Return the chance to win after each multiset of `decision.dice` as the final roll.

    All dice must be free to be rolled anew: `decision.rolls_left` is at least 1. What the offers
    would add need not be known to `judgement`.
    """
    assert decision.rolls_left, "the last roll has been made"
    setup, before = game.setup, game.state.copy()
    before.dice, before.rolls = [], 0
    key = (
        setup.rules.name,
        setup.options,
        digest_of_position(before, Over(())),
        len(decision.dice),
        judgement.seat,
        judgement.appraise,
        tuple(judgement.view.worths.items()),
    )
    if key not in _RESOLVED:
        _RESOLVED.clear()
        _RESOLVED[key] = _resolve_all(game, len(decision.dice), with_gains(game, judgement))
    return _RESOLVED[key]


def foresee(game: GameReading, decision: RollDecision, judgement: Judgement) -> Prospects:
    """Return the prospects of the dice, where all of them are free to be rolled anew."""
    worths = final_roll_worths(game, decision, judgement)
    return Prospects(decision.dice, decision.rolls_left, worths.__getitem__)


def _resolve_all(game: GameReading, dice: int, judgement: Judgement) -> RollWorths:
    effects = effects_by_item(game.setup)
    looks = _looks_of(game, judgement.seat, effects)
    resolvers: dict[_Rest, _Resolver] = {}
    found: dict[Counts, float] = {}
    for outcome, rolls in _list_outcomes(dice, looks):
        resolver = resolvers.get(outcome.rest)
        if resolver is None:
            resolver = resolvers[outcome.rest] = _Resolver(game, judgement, outcome.rest, effects)
        found.update(resolver.worths(outcome, rolls))
    return found


class _Shift:
    """A position of a turn that has been resolved, for other dice with the same rest."""

    def __init__(self, game: Game, seat: Seat, outcome: _Outcome) -> None:
        self.position = Supposed(game.setup, game.state.copy())
        self.me = me = self.position.state.monsters[seat]
        self._points = me.points - outcome.points
        self._hearts = me.hearts - outcome.hearts
        self._energy = me.energy - outcome.bolts
        self._wickedness = me.wickedness - outcome.steps

    def suppose(self, outcome: _Outcome) -> Supposed:
        """Return the position with what these dice bring, until the next call."""
        self.me.points = self._points + outcome.points
        self.me.hearts = self._hearts + outcome.hearts
        self.me.energy = self._energy + outcome.bolts
        self.me.wickedness = self._wickedness + outcome.steps
        return self.position


class _Purchase(NamedTuple):
    """What is bought after a roll."""

    buy: Buy | None = None
    is_plain: bool = True
    """Whether such turns end alike but for what adds up."""
    later: DiceTraits = NO_TRAITS
    """What cards that are bought look at in the dice after that."""


class _Resolver:
    """The worths of rolls with the same rest. The first one has the most bolts of them."""

    def __init__(
        self, game: GameReading, judgement: Judgement, rest: _Rest, effects: Sequence[Effect]
    ) -> None:
        self._game = game
        self._judgement = judgement
        self._hearts_add_up = not rest.traits & (DiceTraits.HEALING | DiceTraits.HEARTS)
        self._effects = effects
        self._shop: _Shift | None = None
        """Where the first purchase is decided."""
        self._offers: tuple[Offer, ...] = ()
        self._purchases: dict[tuple[int, int], _Purchase] = {}
        """By the points and the bolts of a roll."""
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
        later = self._foresee_purchase(outcome).later
        alike = {_what_is_seen(rolls[0], later): worth}
        for counts in rolls:
            seen = _what_is_seen(counts, later)
            if seen not in alike:
                alike[seen] = self._resolve(outcome, counts)
        return {counts: alike[_what_is_seen(counts, later)] for counts in rolls}

    def _resolve(self, outcome: _Outcome, counts: Counts) -> float:
        judgement = self._judgement
        seat = judgement.seat
        fork = self._game.at_final_dice(_spread(counts))
        judgement.finish_turn(fork, to_purchase=True)
        pending = fork.pending
        if isinstance(pending, BuyDecision):
            if self._shop is None:
                self._shop, self._offers = _Shift(fork, seat, outcome), pending.offers
            judgement.finish_turn(fork)
        purchase = self._foresee_purchase(outcome)
        if purchase.is_plain and self._adds_up(fork.state, outcome):
            self._ends[purchase.buy] = _Shift(fork, seat, outcome)
        return judgement.chance(fork)

    def _adds_up(self, after: State, outcome: _Outcome) -> bool:
        """Return whether the game goes on with the hearts and the steps of the dice."""
        me = after.monsters[self._judgement.seat]
        before = self._game.state.monsters[self._judgement.seat]
        if after.winners is not None:
            return False
        if self._hearts_add_up and me.hearts - before.hearts != outcome.hearts:
            return False
        return bool(outcome.rest.steps) or me.wickedness - before.wickedness == outcome.steps

    def _foresee_purchase(self, outcome: _Outcome) -> _Purchase:
        if self._shop is None:
            return _Purchase()
        key = outcome.points, outcome.bolts
        if key not in self._purchases:
            self._purchases[key] = self._decide_purchase(self._shop, outcome)
        return self._purchases[key]

    def _decide_purchase(self, shop: _Shift, outcome: _Outcome) -> _Purchase:
        buy = self._judgement.best_offer(shop.suppose(outcome), self._offers)
        if buy is None:
            return _Purchase()
        bought = [buy.card]
        if self._may_buy_another(shop, buy.card):
            bought = [offer.card for offer in self._offers]
        effects = [effect for card in bought if (effect := self._effects[card])]
        reads = [effect.reads for effect in effects if effect.hooks & HOOKS_AFTER_BUYING]
        later = reduce(or_, reads, NO_TRAITS) & ~AMOUNTS
        is_plain = len(bought) == 1 and self._game.card(buy.card).keep and not later
        is_plain &= not any(effect.reads & AMOUNTS for effect in effects)
        return _Purchase(buy, is_plain, later)

    def _may_buy_another(self, shop: _Shift, bought: Item) -> bool:
        gains = self._judgement.view.gains
        prices = {offer.card: offer.price for offer in self._offers}
        left = shop.me.energy - prices.pop(bought)
        return any(price <= left and gains.get(card, 0) > 0 for card, price in prices.items())


def _looks_of(game: GameReading, seat: Seat, effects: Sequence[Effect]) -> _Looks:
    state = game.state
    me = state.monsters[seat]
    traits = DiceTraits.HEALING if me.poison or me.shrink else NO_TRAITS
    for monster in state.monsters:
        for holding in monster.holdings:
            for item in (holding.item, holding.copies):
                if item != NO_ITEM and (reads := effects[item].reads):
                    of_others = DiceTraits.POINTS_OF_OTHERS
                    traits |= reads & (~of_others if monster is me else of_others)
    steps = [step - me.wickedness for step in TRACK_STEPS if step not in me.steps]
    tile_traits = reduce(or_, [effects[item].reads for item in state.tiles], NO_TRAITS)
    return _Looks(
        traits,
        len(heart_uses(game, seat)),
        TRACK_STEPS[-1] - me.wickedness if game.setup.rules.tiles else 0,
        min(steps, default=NEVER),
        tile_traits,
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
    steps = min(2 * (ones // TRIPLE) + twos // TRIPLE, looks.track)
    takes_tile = 0 < steps >= looks.tile
    traits = looks.traits | looks.tile_traits if takes_tile else looks.traits
    points = sum([f + 1 + counts[f] - TRIPLE for f in NUMBERS if counts[f] >= TRIPLE])
    if not takes_tile and DiceTraits.HEARTS not in traits:  # a tile may raise the maximum
        hearts = min(hearts, looks.useful_hearts)
    amounts = (
        points * bool(traits & (DiceTraits.POINTS | DiceTraits.POINTS_OF_OTHERS)),
        hearts * bool(traits & (DiceTraits.HEALING | DiceTraits.HEARTS)),
        bolts * bool(traits & DiceTraits.ENERGY),
    )
    seen = amounts + _what_is_seen(counts, traits)
    does_more = takes_tile or DiceTraits.POINTS in traits
    rest = _Rest(claws, steps if does_more else 0, traits, seen)
    return _Outcome(points, hearts, bolts, 0 if does_more else steps, rest)


def _what_is_seen(counts: Counts, traits: DiceTraits) -> tuple[int, ...]:
    """Return what effects see that look for triples, sets or a 3, claws aside."""
    seen: list[int] = []
    if DiceTraits.SETS in traits:
        seen += [all(counts[:3]), all(counts[:5])]
    if DiceTraits.THREES in traits:
        seen.append(counts[Face.THREE] > 0)
    if DiceTraits.TRIPLES in traits:
        seen += [counts[face] // TRIPLE for face in NUMBERS]
    return tuple(seen)


def _spread(counts: Counts) -> tuple[Face, ...]:
    return tuple([face for face in Face for _ in range(counts[face])])


# -- figures that a person knows, and which of them weigh most for the bot -----------------
#
# Points, hearts of use, energy and claws of a final roll. The points and the energy are those that
# a fork of the game brings before anything is bought, as cards add to the dice. How much a figure
# weighs is what one more of it adds to the bot's own worth of a final roll.
#
# Known limitation: claws and hearts are those of the dice, whatever cards add to them.


LEAST_MEAN = 0.25
"""Less than this is not worth a word."""
LEAST_SHARE = 0.3
"""What the second figure weighs at least, in parts of the first."""


class Figure(StrEnum):
    POINTS = "points"
    HEARTS = "hearts"
    """Those that heal, or remove a token."""
    ENERGY = "energy"
    CLAWS = "claws"


def list_weighty_figures(
    game: GameReading, seat: Seat, prospects: Prospects, keep: Counts, worths: RollWorths
) -> Mapping[Figure, float]:
    """Return the means of the one or two figures that matter most in keeping `keep`, or none."""
    means: dict[Figure, float] = {}
    shares: dict[Figure, float] = {}
    brought = _list_brought(game, seat, sum(next(iter(worths))))
    for column, figure in enumerate(Figure):
        amounts = {counts: row[column] for counts, row in brought.items()}
        mean = prospects.mean_after_keeping(keep, amounts.__getitem__)
        share = mean * _slope([(n, worths[counts]) for counts, n in amounts.items()])
        if mean >= LEAST_MEAN and share > 0:
            means[figure], shares[figure] = mean, share
    most = sorted(shares, key=lambda figure: -shares[figure])[:2]
    return {one: means[one] for one in most if shares[one] >= LEAST_SHARE * shares[most[0]]}


def _slope(points: Sequence[tuple[int, float]]) -> float:
    """Return the slope of the line that fits `points` best; 0 if all have one place."""
    mean = sum([x for x, _ in points]) / len(points)
    spread = sum([(x - mean) ** 2 for x, _ in points])
    return sum([(x - mean) * y for x, y in points]) / spread if spread else 0.0


def _list_brought(game: GameReading, seat: Seat, dice: int) -> Mapping[Counts, Sequence[int]]:
    """Return what each final roll brings, in the order of `Figure`."""
    looks = _looks_of(game, seat, effects_by_item(game.setup))
    before = game.state.monsters[seat]
    found: dict[Counts, Sequence[int]] = {}
    for _outcome, rolls in _list_outcomes(dice, looks):
        fork = game.at_final_dice(_spread(rolls[0]))
        Judgement(seat).finish_turn(fork, to_purchase=True)
        me = fork.state.monsters[seat]
        points, energy = me.points - before.points, me.energy - before.energy
        for counts in rolls:
            hearts = min(counts[Face.HEART], looks.useful_hearts)
            found[counts] = points, hearts, energy, counts[Face.CLAW]
    return found
