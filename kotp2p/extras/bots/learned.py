"""What a position is worth to `hard`: a small network that has learned from games who wins.

Scope: what the network sees of each monster, and the standing that it makes of it. It sees numbers
alone, no names of cards.
Not here: how it learns (`bench.learning`); how chances follow from standings (`chances`).

The network has one hidden layer. A kind of thing, as the hearts of a monster, adds a row of its
table to that layer, and an amount adds its multiple of a row. So a standing needs no library. What
a monster has, and what its rivals have, add up apart and are kept: few of the positions of a turn
differ in both.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from operator import add
from pathlib import Path
from typing import NamedTuple, TypeAlias

from kotp2p.extras.bots import chances
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.state import CITY, OUTSIDE, Place

MOST_HEARTS = 12
MOST_ENERGY = 12
MOST_ATTACKERS = 5
MOST_SEATS = 6
WITH_HEARTS, WITH_POINTS = MOST_HEARTS + 1, chances.POINTS_ON_DIAL + 1
PLACES = 1 + 2 * (MOST_ATTACKERS + 2)
"""Outside; and for each place in Tokyo: on turn, or by the attackers before the own turn."""
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
HEARTS_UNIT, CARDS_UNIT, WICKEDNESS_UNIT = 10, 3, 10
"""Amounts are divided by these, so that all are near 1."""
ROWS_KEPT = 4096

Row: TypeAlias = Sequence[float]
"""What is added to each unit of the hidden layer."""
Sight: TypeAlias = Mapping[str, float]
"""The numbers and amounts that the network is given, by the names of their kinds."""


class Shown(NamedTuple):
    """What a monster shows to its rivals."""

    hearts: int
    points: int
    """On a dial of 20."""
    is_in_tokyo: bool
    cards: float
    """What they add to its standing."""


class Own(NamedTuple):
    """What a monster sees of itself."""

    shown: Shown
    energy: int
    place: Place
    monsters: int
    turns: int
    """Of others, until its own."""
    attackers: int
    """Monsters outside Tokyo that play before it."""
    is_near_the_goal: bool
    """A turn in Tokyo wins."""
    poison: int
    shrink: int
    wickedness: int
    holdings: int
    offers: chances.Offers


Rivals: TypeAlias = tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Network:
    tables: Mapping[str, Sequence[Row]]
    """For each kind a row for each of its numbers."""
    amounts: Mapping[str, Row]
    weights: Row
    """How much each unit of the hidden layer counts in the standing."""

    def add_up(self, seen: Sight) -> Row:
        """Return the sum of the rows for what is seen, a whole sight or a part of one."""
        rows = [row[int(seen[kind])] for kind, row in self.tables.items() if kind in seen]
        for name, row in self.amounts.items():
            if amount := seen.get(name):
                rows.append([amount * part for part in row])
        return list(map(sum, zip(*rows, strict=True)))

    def standing(self, own: Row, rivals: Row) -> float:
        hidden: Iterable[float] = map(add, own, rivals)
        return sum([weight * unit for weight, unit in zip(self.weights, hidden, strict=True)
                    if unit > 0])  # fmt: skip


@cache
def load_network() -> Network:
    return Network(**json.loads(Path(__file__).with_name("learned.json").read_text("ascii")))


def standings_by_network(
    position: chances.Position, seat: Seat, view: chances.View
) -> Mapping[Seat, float]:
    """Return the standings by the network; an `Appraiser`."""
    if len(position.state.seats_alive()) == 1:
        return {seat: 0.0}  # nobody is left to be compared with
    standing = load_network().standing
    return {
        of: standing(_row_of_own(own), _row_of_rivals(rivals))
        for of, own, rivals in _look_around(position, view)
    }


@lru_cache(ROWS_KEPT)
def _row_of_own(own: Own) -> Row:
    return load_network().add_up(_see_own(own))


@lru_cache(ROWS_KEPT)
def _row_of_rivals(rivals: Rivals) -> Row:
    return load_network().add_up(_see_rivals(rivals))


def see_table(position: chances.Position, view: chances.View) -> Mapping[Seat, Sight]:
    """Return what is seen of each living monster, of which there are two at least."""
    return {
        seat: {**_see_own(own), **_see_rivals(rivals)}
        for seat, own, rivals in _look_around(position, view)
    }


def _look_around(position: chances.Position, view: chances.View) -> list[tuple[Seat, Own, Rivals]]:
    state, rules = position.state, position.setup.rules
    in_turn = state.monsters[state.active :] + state.monsters[: state.active]
    monsters = [m for m in in_turn if m.alive]
    all_shown = tuple(
        [
            Shown(
                m.hearts,
                min(m.points * chances.POINTS_ON_DIAL // rules.goal, chances.POINTS_ON_DIAL),
                m.place is not OUTSIDE,
                chances.cards_standing(position, m, view.worths),
            )
            for m in monsters
        ]
    )
    offers = _list_offers(position, view)
    attackers = 0
    found: list[tuple[Seat, Own, Rivals]] = []
    for turns, m in enumerate(monsters):
        is_near = rules.goal - m.points <= chances.POINTS_FOR_A_TURN_IN_TOKYO
        own = Own(
            all_shown[turns],
            m.energy,
            m.place,
            len(monsters),
            turns,
            attackers,
            is_near,
            m.poison,
            m.shrink,
            m.wickedness,
            len(m.holdings),
            offers,
        )
        found.append((m.seat, own, all_shown[:turns] + all_shown[turns + 1 :]))
        attackers += m.place is OUTSIDE
    return found


def _list_offers(position: chances.Position, view: chances.View) -> chances.Offers:
    """Return the price of each offer, and what it adds to a standing."""
    deck, market = position.setup.deck, position.state.market
    items = [item for item in market if item is not None]
    return tuple([(deck[i].cost, chances.card_worth(position, i, view.worths)) for i in items])


def _see_own(own: Own) -> Sight:
    shown = own.shown
    holding_out = (
        chances.chance_to_hold_out(shown.hearts, own.attackers) if shown.is_in_tokyo else 0.0
    )
    in_reach = [
        chances.chance_of_a_purchase(price - own.energy) * worth for price, worth in own.offers
    ]
    return {
        "hearts": min(shown.hearts, MOST_HEARTS),
        "points": shown.points,
        "energy": min(own.energy, MOST_ENERGY),
        "place": _number_of_place(own),
        "turns until the own": own.turns,
        "monsters": own.monsters,
        "chance to hold out in Tokyo": holding_out,
        "the same, if that wins": holding_out if own.is_near_the_goal else 0.0,
        "poison": own.poison,
        "shrink": own.shrink,
        "wickedness": own.wickedness / WICKEDNESS_UNIT,
        "worth of the cards": shown.cards,
        "cards": own.holdings / CARDS_UNIT,
        "worth of the best offer in reach": max(in_reach, default=0.0),
    }


def _see_rivals(rivals: Rivals) -> Sight:
    hearts, points, _, cards = zip(*rivals, strict=True)
    in_tokyo = [min(rival.hearts, MOST_HEARTS) + 1 for rival in rivals if rival.is_in_tokyo]
    return {
        "points of the best rival": max(points),
        "hearts of the weakest rival": min(*hearts, MOST_HEARTS),
        "hearts of the weakest rival in Tokyo, and one": min(in_tokyo, default=0),
        "points of the second-best rival": sorted((0, *points))[-2],
        "mean hearts of the rivals": sum(hearts) / len(rivals) / HEARTS_UNIT,
        "mean worth of the cards of a rival": sum(cards) / len(rivals),
        "most worth of the cards of a rival": max(cards),
        "mean points of the rivals": sum(points) / len(rivals) / chances.POINTS_ON_DIAL,
    }


def _number_of_place(own: Own) -> int:
    if own.place is OUTSIDE:
        return 0
    first = 1 if own.place is CITY else 1 + MOST_ATTACKERS + 2
    return first if own.turns == 0 else first + 1 + min(own.attackers, MOST_ATTACKERS)
