"""What a position is worth to `hard`: a small network that has learned from games who wins.

Scope: what the network sees of each monster, and the standing that it makes of it. It sees numbers
alone, no names of cards.
Not here: how it learns (`bench.learning`); how chances follow from standings (`chances`).

The network has one hidden layer. A kind of thing, as the hearts of a monster, adds a row of its
table to that layer, and an amount adds its multiple of a row. So a standing costs a few hundred
additions, and needs no library.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import NamedTuple

from kotp2p.bots.chances import (
    POINTS_FOR_A_TURN_IN_TOKYO,
    POINTS_ON_DIAL,
    Position,
    View,
    at,
    card_standing,
    cards_standing,
    chance_of_a_purchase,
    chance_to_hold_out,
    figures_for,
)
from kotp2p.bots.tempers import EVEN, Temper
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.state import Monster, Place

MOST_HEARTS = 12
MOST_ENERGY = 12
MOST_ATTACKERS = 5
MOST_SEATS = 6
WITH_HEARTS, WITH_POINTS = MOST_HEARTS + 1, POINTS_ON_DIAL + 1
PLACES = 1 + 2 * (MOST_ATTACKERS + 2)
"""Outside; and for each place in Tokyo: on turn, or by the number of attackers before the own
turn."""
STEPPED = {
    "hearts": WITH_HEARTS,
    "points": WITH_POINTS,
    "energy": MOST_ENERGY + 1,
    "points of the best rival": WITH_POINTS,
    "hearts of the weakest rival": WITH_HEARTS,
    "hearts of the weakest rival in Tokyo, and one": WITH_HEARTS + 1,
    "points of the second-best rival": WITH_POINTS,
}
"""Kinds in which a number is one more than the last, each with the number of rows of its table."""
NAMED = {"place": PLACES, "turns until the own": MOST_SEATS, "monsters": MOST_SEATS + 1}
"""Kinds in which a number is a name."""
AMOUNTS = (
    "chance to hold out in Tokyo",
    "the same, if that wins",
    "poison",
    "shrink",
    "wickedness",
    "worth of the cards",
    "cards",
    "worth of the best offer in reach",
    "mean hearts of the rivals",
    "mean worth of the cards of a rival",
    "most worth of the cards of a rival",
    "mean points of the rivals",
)
MOST_SUMS = 10_000
HEARTS_UNIT, CARDS_UNIT, WICKEDNESS_UNIT = 10, 3, 10
"""Amounts are divided by these, so that all are near 1."""

Row = Sequence[float]


class Sight(NamedTuple):
    """What the network sees of one monster and its rivals."""

    kinds: tuple[int, ...]
    """A number of each kind, in the order of `STEPPED` and `NAMED`."""
    amounts: tuple[float, ...]
    """They are in the order of `AMOUNTS`."""


@dataclass(frozen=True, slots=True)
class Network:
    tables: Sequence[Sequence[Row]]
    """A table for each kind, with a row of the hidden layer for each of its numbers."""
    amounts: Sequence[Row]
    bias: Row
    weights: Row
    """How much each unit of the hidden layer counts in the standing."""
    _sums: dict[tuple[int, ...], Row] = field(default_factory=dict, compare=False)
    """The hidden layer by kinds, as they come again and again within a turn."""

    def standing(self, sight: Sight) -> float:
        hidden = self._add_kinds(sight.kinds)
        for amount, row in zip(sight.amounts, self.amounts, strict=True):
            if amount:
                hidden = [unit + amount * part for unit, part in zip(hidden, row, strict=True)]
        return sum([weight * unit for weight, unit in zip(self.weights, hidden, strict=True)
                    if unit > 0])  # fmt: skip

    def _add_kinds(self, kinds: tuple[int, ...]) -> Row:
        """Return the hidden layer without the amounts."""
        found = self._sums.get(kinds)
        if found is None:
            rows = [table[kind] for table, kind in zip(self.tables, kinds, strict=True)]
            if len(self._sums) == MOST_SUMS:
                self._sums.clear()
            found = self._sums[kinds] = [*map(sum, zip(*rows, self.bias, strict=True))]
        return found


@cache
def load_network() -> Network:
    text = resources.files("kotp2p.bots").joinpath("learned.json").read_text("ascii")
    return Network(**json.loads(text))


def standings_by_network(
    position: Position, seat: Seat, temper: Temper, view: View
) -> Mapping[Seat, float]:
    """Return the standings by the network; an `Appraiser`.

    A temper adds to them what it adds to the figures.
    """
    if len(position.state.seats_alive()) == 1:
        return {seat: 0.0}  # nobody is left to be compared with
    network = load_network()
    found = {of: network.standing(sight) for of, sight in see_table(position, view).items()}
    if temper == EVEN:
        return found
    return {of: found[of] + _leaning(position, seat, of, temper, view) for of in found}


def _leaning(position: Position, seat: Seat, of: Seat, temper: Temper, view: View) -> float:
    monster = position.state.monsters[of]
    figures = figures_for(position)
    hearts = at(figures.hearts, monster.hearts)
    if of != seat:
        return (temper.blows - 1) * hearts
    cards = cards_standing(position, monster, view.worths)
    energy = at(figures.energy, monster.energy)
    return (temper.hearts - 1) * hearts + (temper.cards - 1) * cards + (temper.energy - 1) * energy


@dataclass(frozen=True, slots=True)
class _Table:
    """The facts that the sights of all monsters of a position share."""

    position: Position
    living: tuple[Seat, ...]
    """In the order of their turns, the one on turn first."""
    points: Mapping[Seat, int]
    """They stand on a dial of `POINTS_ON_DIAL`."""
    cards: Mapping[Seat, float]
    """The worth of the cards in front of each."""
    offers: Sequence[tuple[int, float]]
    """The price and the worth of each."""


def see_table(position: Position, view: View) -> Mapping[Seat, Sight]:
    """Return what is seen of each living monster, of which there are two at least."""
    state, goal = position.state, position.setup.rules.goal
    seats = len(state.monsters)
    order = [(state.active + i) % seats for i in range(seats)]
    living = tuple([seat for seat in order if state.monsters[seat].alive])
    monsters = [state.monsters[seat] for seat in living]
    offers = []
    for item in state.market:
        if item is not None:
            worth = view.worths.get(item)
            price = position.setup.deck[item].cost
            offers.append((price, card_standing(position, item) if worth is None else worth))
    table = _Table(
        position,
        living,
        {m.seat: min(max(m.points * POINTS_ON_DIAL // goal, 0), POINTS_ON_DIAL) for m in monsters},
        {m.seat: cards_standing(position, m, view.worths) for m in monsters},
        offers,
    )
    attackers = 0
    found: dict[Seat, Sight] = {}
    for turns, monster in enumerate(monsters):
        found[monster.seat] = _see_monster(table, monster, turns, attackers)
        attackers += monster.place is Place.OUTSIDE
    return found


def _see_monster(table: _Table, m: Monster, turns: int, attackers: int) -> Sight:
    """Return what is seen of a monster, which is on turn after `turns` others.

    `attackers` is the number of monsters outside Tokyo that play before it.
    """
    rivals = [table.position.state.monsters[seat] for seat in table.living if seat != m.seat]
    hearts = [rival.hearts for rival in rivals]
    in_tokyo = [rival.hearts for rival in rivals if rival.place is not Place.OUTSIDE]
    points = sorted([table.points[rival.seat] for rival in rivals], reverse=True)
    cards = [table.cards[rival.seat] for rival in rivals]
    holding_out = 0.0 if m.place is Place.OUTSIDE else chance_to_hold_out(m.hearts, attackers)
    missing = table.position.setup.rules.goal - m.points
    return Sight(
        (
            _within(m.hearts, MOST_HEARTS),
            table.points[m.seat],
            _within(m.energy, MOST_ENERGY),
            points[0],
            _within(min(hearts), MOST_HEARTS),
            _within(min(in_tokyo), MOST_HEARTS) + 1 if in_tokyo else 0,
            points[1] if len(points) > 1 else 0,
            _number_of_place(m.place, turns, attackers),
            turns,
            len(table.living),
        ),
        (
            holding_out,
            holding_out if missing <= POINTS_FOR_A_TURN_IN_TOKYO else 0.0,
            m.poison,
            m.shrink,
            m.wickedness / WICKEDNESS_UNIT,
            table.cards[m.seat],
            len(m.holdings) / CARDS_UNIT,
            max([chance_of_a_purchase(price - m.energy) * worth for price, worth in table.offers],
                default=0.0),
            sum(hearts) / len(rivals) / HEARTS_UNIT,
            sum(cards) / len(rivals),
            max(cards),
            sum(points) / len(rivals) / POINTS_ON_DIAL,
        ),
    )  # fmt: skip


def _number_of_place(place: Place, turns: int, attackers: int) -> int:
    if place is Place.OUTSIDE:
        return 0
    first = 1 if place is Place.CITY else 1 + MOST_ATTACKERS + 2
    return first if turns == 0 else first + 1 + min(attackers, MOST_ATTACKERS)


def _within(number: int, most: int) -> int:
    return min(max(number, 0), most)
