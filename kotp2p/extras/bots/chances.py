"""What a position is worth: the chance of each monster to win, by what it has.

Scope: one number for each monster, its *standing*. Chances are in the proportion of e to the
standings. The figures are those that explain best who won games between bots: the one place where
a bot's taste is written down.
Not here: names of cards and of rule sets; what is still to come this turn (`judgement`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from math import exp, log
from typing import TypeAlias

from kotp2p.referee.box.rulesets import Setup
from kotp2p.referee.game import GameReading
from kotp2p.referee.model.answers import Item, Seat
from kotp2p.referee.model.state import NO_ITEM, OUTSIDE, Monster, State

SURE = 0.995
"""No chance counts as more certain than this, nor as less than the rest, in `log_odds`."""
DECIMALS = 9
"""Of a chance, so that equal ones are equal on all machines, whatever their last bits are."""
OLDEST = 0.15
"""The least that `youth` comes to."""

CardWorths = Mapping[Item, float]
"""What cards add to a standing, by their items."""


@dataclass(frozen=True, slots=True)
class Supposed:
    """A position that no game has come to. Its State may be written to."""

    setup: Setup
    state: State


Position: TypeAlias = GameReading | Supposed
"""What is judged."""


@dataclass(frozen=True, slots=True)
class View:
    """What a seat knows of cards."""

    worths: CardWorths = field(default_factory=dict[Item, float])
    """What cards in play and on offer add to the standing of their owner."""
    gains: CardWorths = field(default_factory=dict[Item, float])
    """What it would add to the standing of this seat to have bought an offer."""


UNKNOWING = View()
"""Cards are worth what their price tells."""


Appraiser = Callable[[Position, Seat, View], Mapping[Seat, float]]
"""The standings of the living monsters of a game that goes on, as one seat sees them: by figures
(`standings_by_figures`), or by a network (`bots.learned`)."""


def winning_chance(position: Position, seat: Seat, view: View, appraise: Appraiser) -> float:
    """Return the chance of `seat` to win, from 0 to 1; its share where others win as well."""
    state = position.state
    if state.winners is not None:
        return 1 / len(state.winners) if seat in state.winners else 0.0
    if not state.monsters[seat].alive:
        return 0.0
    standings = appraise(position, seat, view)
    return round(exp(standings[seat]) / sum(map(exp, standings.values())), DECIMALS)


def standings_by_figures(position: Position, seat: Seat, view: View) -> Mapping[Seat, float]:
    """Return the standing of each monster by the figures; an `Appraiser`."""
    figures = figures_for(position)
    age = youth(position)
    energy = _energy_row(figures, age)
    found: dict[Seat, float] = {}
    for monster in position.state.monsters:
        if not monster.alive:
            continue
        standing = _bare_standing(position, monster, figures)
        standing += at(figures.hearts, monster.hearts)
        standing += cards_standing(position, monster, view.worths)
        if monster.seat == seat:
            offers = _gainful_offers(position, view.gains)
            standing += _energy_standing(figures, age, offers, monster.energy)
        else:
            standing += at(energy, monster.energy)
        found[monster.seat] = standing
    return found


def log_odds(chance: float) -> float:
    """Return a chance on the scale of standings, where gains of weak and strong compare."""
    bounded = min(max(chance, 1 - SURE), SURE)
    return log(bounded / (1 - bounded))


def figures_for(position: Position) -> Figures:
    monsters = position.state.monsters
    return figures_among(sum([m.alive for m in monsters]), len(monsters))


def figures_among(living: int, seats: int) -> Figures:
    """Return the figures for `living` monsters at a table of `seats` seats."""
    if seats <= FEW_SEATS:
        return DUEL_OF_FEW if living == 2 else THREE_OF_FEW
    return DUEL if living == 2 else CROWD


def card_standing(position: Position, item: Item) -> float:
    """Return what a card or tile adds to a standing, judged by its price."""
    setup = position.setup
    if item < len(setup.deck):
        return CARD_STANDING * youth(position) * setup.deck[item].cost
    return TILE_STANDING * youth(position) * setup.tile(item).step


def card_worth(position: Position, item: Item, worths: CardWorths) -> float:
    """Return what a card or tile adds to a standing, by its price if nothing better is known."""
    worth = worths.get(item)
    return card_standing(position, item) if worth is None else worth


def cards_standing(position: Position, m: Monster, worths: CardWorths) -> float:
    """Return what the cards and tiles in front of a monster add to its standing."""
    if not m.holdings:
        return 0.0
    items = [held.item if held.copies == NO_ITEM else held.copies for held in m.holdings]
    return sum([card_worth(position, item, worths) for item in items], 0.0)


def youth(position: Position) -> float:
    """Return how much of the game is still to come: 1 at its start, at least `OLDEST`."""
    lead = max([m.points for m in position.state.monsters if m.alive], default=0)
    return max(OLDEST, 1 - lead / position.setup.rules.goal)


def energy_worth(position: Position, gains: CardWorths) -> Callable[[int], float]:
    """Return the function from an amount of energy to what it adds to a standing.

    That is what it has been good for in general, or more if it reaches for an offer that is a gain.
    """
    offers = _gainful_offers(position, gains)
    return partial(_energy_standing, figures_for(position), youth(position), offers)


Offers: TypeAlias = tuple[tuple[int, float], ...]
"""The price of each offer that is a gain, and the gain."""


def _gainful_offers(position: Position, gains: CardWorths) -> Offers:
    if not gains:
        return ()
    deck = position.setup.deck
    offers = [(item, gains.get(item, 0.0)) for item in position.state.market if item is not None]
    return tuple([(deck[item].cost, gain) for item, gain in offers if gain > 0])


@lru_cache(maxsize=4096)
def _energy_standing(figures: Figures, youth: float, offers: Offers, energy: int) -> float:
    row = _energy_row(figures, youth)
    best = at(row, energy)
    for price, gain in offers:
        missing = price - energy
        if missing < len(REACH):
            best = max(best, chance_of_a_purchase(missing) * gain + at(row, -missing))
    return best


def chance_of_a_purchase(missing: int) -> float:
    """Return the chance to buy, next turn, a card for which `missing` energy is missing."""
    return REACH[max(missing, 0)] if missing < len(REACH) else 0.0


@cache
def _energy_row(figures: Figures, youth: float) -> Row:
    share = OLD_ENERGY + (1 - OLD_ENERGY) * youth
    return tuple([share * figure for figure in figures.energy])


def tokyo_standing(position: Position, seat: Seat, hearts: int, first: Seat) -> float:
    """Return what being in Tokyo with `hearts` adds to `seat`, before `first` plays."""
    state = position.state
    attackers = attackers_before(state, seat, first)
    rows = figures_for(position).tokyo
    found = at(rows[min(attackers, len(rows) - 1)], hearts)
    missing = position.setup.rules.goal - state.monsters[seat].points
    if 0 < missing <= POINTS_FOR_A_TURN_IN_TOKYO:
        found += LAST_POINTS_STANDING * chance_to_hold_out(hearts, attackers)
    return found


@cache
def chance_to_hold_out(hearts: int, attackers: int) -> float:
    """Return the chance that the attackers together deal fewer claws than `hearts`."""
    claws = [1.0]
    for _ in range(attackers):
        after = [0.0] * (len(claws) + len(BLOWS) - 1)
        for dealt, chance in enumerate(claws):
            for more, share in enumerate(BLOWS):
                after[dealt + more] += chance * share
        claws = after
    return sum(claws[: max(hearts, 0)])


def at(table: tuple[float, ...], number: int) -> float:
    """Return the figure for `number`, or that of the nearest end of the table."""
    if 0 <= number < len(table):
        return table[number]
    return table[-1] if number > 0 else table[0]


def attackers_before(state: State, seat: Seat, first: Seat) -> int:
    """Return how many monsters outside Tokyo play before `seat`, from `first` on."""
    count = 0
    seats = len(state.monsters)
    while first != seat:
        other = state.monsters[first]
        count += other.alive and other.place is OUTSIDE
        first = (first + 1) % seats
    return count


def _bare_standing(position: Position, m: Monster, figures: Figures) -> float:
    """Return a standing without hearts, energy and cards."""
    found = at(figures.points, m.points * POINTS_ON_DIAL // position.setup.rules.goal)
    if m.place is not OUTSIDE:
        found += tokyo_standing(position, m.seat, m.hearts, position.state.active)
    elif m.seat == position.state.active:
        found += figures.turn
    tokens = POISON_STANDING * m.poison + SHRINK_STANDING * m.shrink
    return found + tokens + STEP_STANDING * m.wickedness


# -- what things add to a standing, in numbers ---------------------------------------------
#
# Values, each with what it measures. They come from a conditional logit model (McFadden,
# "Conditional logit analysis of qualitative choice behavior", 1974) of who won 6,000 games of
# bots with random preferences, seen at the start of each turn. They are made smooth by hand.
# Energy and cards have been raised since: up to twice as much changes no win rate, and a table
# buys more.


Row = tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Figures:
    """The figures of a standing, in rows by a number of hearts, points or energy."""

    hearts: Row
    points: Row
    energy: Row
    """While the game is young; see `OLD_ENERGY`."""
    tokyo: tuple[Row, ...]
    """By the number of monsters outside that play before the one in Tokyo does; then by hearts."""
    turn: float
    """The own turn has begun, outside Tokyo."""


DUEL = Figures(
    hearts=(0.0, 0.0, 0.35, 0.9, 1.45, 1.95, 2.25, 2.5, 2.65, 2.75, 2.85, 2.95, 3.05),
    points=(
        0.0, 0.0, 0.0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.14, 0.2, 0.28,
        0.38, 0.55, 0.75, 1.05, 1.45, 1.9, 2.45, 3.05, 3.6, 4.6,
    ),
    energy=(0.0, 0.13, 0.25, 0.34, 0.4, 0.46, 0.52, 0.58, 0.63, 0.67, 0.69, 0.71, 0.73),
    tokyo=(
        (0.0, 0.05, 0.08, 0.12, 0.18, 0.3, 0.4, 0.55, 0.68, 0.75, 0.75, 0.75, 0.75),
        (-1.2, -1.2, -1.1, -0.9, -0.6, -0.3, -0.1, 0.1, 0.28, 0.38, 0.4, 0.4, 0.4),
    ),
    turn=0.25,
)  # fmt: skip
"""Two monsters are left."""
CROWD = Figures(
    hearts=(0.0, 0.0, 0.35, 0.82, 1.3, 1.75, 2.08, 2.36, 2.63, 2.9, 3.15, 3.3, 3.4),
    points=(
        0.0, 0.08, 0.17, 0.27, 0.38, 0.5, 0.62, 0.76, 0.92, 1.1, 1.3,
        1.52, 1.82, 2.18, 2.56, 2.96, 3.42, 4.0, 4.5, 4.95, 5.9,
    ),
    energy=(0.0, 0.13, 0.25, 0.36, 0.46, 0.54, 0.61, 0.65, 0.69, 0.71, 0.73, 0.75, 0.77),
    tokyo=(
        (0.05, 0.05, 0.1, 0.2, 0.3, 0.42, 0.5, 0.55, 0.58, 0.6, 0.62, 0.62, 0.62),
        (-0.6, -0.6, -0.5, -0.35, -0.1, 0.15, 0.3, 0.4, 0.45, 0.5, 0.52, 0.54, 0.55),
        (-1.2, -1.2, -1.1, -0.9, -0.65, -0.4, -0.2, -0.08, 0.05, 0.12, 0.16, 0.2, 0.22),
        (-1.3, -1.3, -1.2, -1.0, -0.75, -0.5, -0.35, -0.22, -0.12, -0.06, 0.0, 0.02, 0.04),
        (-1.3, -1.3, -1.2, -1.0, -0.8, -0.62, -0.48, -0.35, -0.25, -0.2, -0.18, -0.16, -0.15),
    ),
    turn=0.2,
)  # fmt: skip
"""More than two monsters are left."""
FEW_SEATS = 3
"""A table of this many seats or fewer has figures of its own for Tokyo. Few others take it over
there, and a monster that stays is worn down."""
DUEL_OF_FEW = replace(
    DUEL,
    tokyo=(
        DUEL.tokyo[0],
        (-1.5, -1.5, -1.4, -1.2, -1.0, -0.8, -0.65, -0.5, -0.4, -0.35, -0.3, -0.3, -0.3),
    ),
)
THREE_OF_FEW = replace(
    CROWD,
    tokyo=(
        CROWD.tokyo[0],
        (-1.0, -1.0, -0.9, -0.6, -0.45, -0.25, -0.1, 0.0, 0.1, 0.14, 0.18, 0.2, 0.22),
        (-1.45, -1.45, -1.35, -1.1, -0.86, -0.67, -0.53, -0.42, -0.34, -0.28, -0.24, -0.22, -0.2),
    ),
)
POINTS_ON_DIAL = 20
"""What the rows of points are made for; the points of another goal are scaled to it."""
REACH = (0.7, 0.5, 0.36, 0.24, 0.14, 0.07, 0.03)
"""The chance to buy a card in the next turn, by the energy that is missing for it. Another player
may buy it before."""
OLD_ENERGY = 0.17
"""The share of its standing that energy keeps in a game that is nearly over. The rest goes as the
game grows old, since less can be bought with it that is still of use."""
CARD_STANDING = 0.175
"""A card in front of a monster, for each energy of its price, while the game is young."""
TILE_STANDING = 0.2
"""A tile in front of a monster, for each step of its place on the track, likewise."""
POISON_STANDING = -1.0
SHRINK_STANDING = -0.9
STEP_STANDING = 0.09
"""A step on the wickedness track."""
ROUNDS_OF_A_GAME = 5.5
"""How many more rounds a game lasts that has just begun."""
POINTS_FOR_A_TURN_IN_TOKYO = 2
LAST_POINTS_STANDING = 3.0
"""The next turn in Tokyo wins, if the monster is still alive there."""
BLOWS = (0.5, 0.27, 0.14, 0.065, 0.02, 0.005)
"""How likely a monster outside Tokyo deals 0, 1, 2, … claws in its turn."""
