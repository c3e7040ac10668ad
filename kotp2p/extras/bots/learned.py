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
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple, TypeVar

from kotp2p.extras.bots.chances import (
    POINTS_FOR_A_TURN_IN_TOKYO,
    POINTS_ON_DIAL,
    Position,
    View,
    card_worth,
    cards_standing,
    chance_of_a_purchase,
    chance_to_hold_out,
)
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.state import CITY, OUTSIDE, Place

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
SIGHTS_KEPT = 10_000
HEARTS_UNIT, CARDS_UNIT, WICKEDNESS_UNIT = 10, 3, 10
"""Amounts are divided by these, so that all are near 1."""

Row = Sequence[float]
T = TypeVar("T")


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

    def standing(self, sight: Sight) -> float:
        rows = [table[kind] for table, kind in zip(self.tables, sight.kinds, strict=True)]
        for amount, row in zip(sight.amounts, self.amounts, strict=True):
            if amount:
                rows.append([amount * part for part in row])
        hidden = map(sum, zip(self.bias, *rows, strict=True))
        return sum([weight * unit for weight, unit in zip(self.weights, hidden, strict=True)
                    if unit > 0])  # fmt: skip


@cache
def load_network() -> Network:
    text = resources.files("kotp2p.extras.bots").joinpath("learned.json").read_text("ascii")
    return Network(**json.loads(text))


@lru_cache(SIGHTS_KEPT)
def _standing(sight: Sight) -> float:
    """Return the standing by the network in the package; half of the sights come again."""
    return load_network().standing(sight)


def standings_by_network(position: Position, seat: Seat, view: View) -> Mapping[Seat, float]:
    """Return the standings by the network; an `Appraiser`."""
    if len(position.state.seats_alive()) == 1:
        return {seat: 0.0}  # nobody is left to be compared with
    return {of: _standing(sight) for of, sight in see_table(position, view).items()}


def see_table(position: Position, view: View) -> Mapping[Seat, Sight]:
    """Return what is seen of each living monster, of which there are two at least."""
    table = _Table(position, view)
    attackers = 0
    found: dict[Seat, Sight] = {}
    for turns, monster in enumerate(table.monsters):
        found[monster.seat] = table.see(turns, attackers)
        attackers += monster.place is OUTSIDE
    return found


class _Table:
    """What the sights of all monsters of a position share, in the order of their turns."""

    def __init__(self, position: Position, view: View) -> None:
        state, setup, worths = position.state, position.setup, view.worths
        self._goal = goal = setup.rules.goal
        in_turn = state.monsters[state.active :] + state.monsters[: state.active]
        self.monsters = monsters = [m for m in in_turn if m.alive]
        self._hearts = [m.hearts for m in monsters]
        self._in_tokyo = [m.hearts for m in monsters if m.place is not OUTSIDE]
        self._points = [min(m.points * POINTS_ON_DIAL // goal, POINTS_ON_DIAL) for m in monsters]
        self._best_points = sorted(self._points, reverse=True)
        self._cards = [cards_standing(position, m, worths) for m in monsters]
        market = [item for item in state.market if item is not None]
        self._offers = [(setup.deck[i].cost, card_worth(position, i, worths)) for i in market]

    def see(self, turns: int, attackers: int) -> Sight:
        """Return what is seen of the monster that is on turn after `turns` others.

        `attackers` is the number of monsters outside Tokyo that play before it.
        """
        m, own_cards, own_points = self.monsters[turns], self._cards[turns], self._points[turns]
        rivals = len(self.monsters) - 1
        hearts = _without(self._hearts, m.hearts)
        points = _without(self._best_points, own_points)
        cards = _without(self._cards, own_cards)
        in_reach = [chance_of_a_purchase(price - m.energy) * worth for price, worth in self._offers]
        in_tokyo, holding_out = self._in_tokyo, 0.0
        if m.place is not OUTSIDE:
            in_tokyo = _without(in_tokyo, m.hearts)
            holding_out = chance_to_hold_out(m.hearts, attackers)
        return Sight(
            (
                min(m.hearts, MOST_HEARTS),
                own_points,
                min(m.energy, MOST_ENERGY),
                points[0],
                min(*hearts, MOST_HEARTS),
                min(*in_tokyo, MOST_HEARTS) + 1 if in_tokyo else 0,
                points[1] if rivals > 1 else 0,
                _number_of_place(m.place, turns, attackers),
                turns,
                rivals + 1,
            ),
            (
                holding_out,
                holding_out if self._goal - m.points <= POINTS_FOR_A_TURN_IN_TOKYO else 0.0,
                m.poison,
                m.shrink,
                m.wickedness / WICKEDNESS_UNIT,
                own_cards,
                len(m.holdings) / CARDS_UNIT,
                max(in_reach, default=0.0),
                sum(hearts) / rivals / HEARTS_UNIT,
                sum(cards) / rivals,
                max(cards),
                sum(points) / rivals / POINTS_ON_DIAL,
            ),
        )  # fmt: skip


def _without(numbers: Sequence[T], own: T) -> list[T]:
    left = list(numbers)
    left.remove(own)
    return left


def _number_of_place(place: Place, turns: int, attackers: int) -> int:
    if place is OUTSIDE:
        return 0
    first = 1 if place is CITY else 1 + MOST_ATTACKERS + 2
    return first if turns == 0 else first + 1 + min(attackers, MOST_ATTACKERS)
