"""What things add to a standing, in numbers: the one place where a bot's taste is written down.

Scope: values, each with what it measures. They come from a conditional logit model (McFadden,
"Conditional logit analysis of qualitative choice behavior", 1974) of who won 6,000 games of bots
with random preferences, seen at the start of each turn. They are made smooth by hand. Energy and
cards have been raised since: up to twice as much changes no win rate, and a table buys more.
Not here: how they are put together (`chances`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

Row = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """Rows are indexed by a number of hearts, points or energy."""

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
"""A table of so many seats at the most has figures of its own for Tokyo. Few others take it over
there, and a monster that stays is worn down. With the figures of a larger table the first of three
players won 23 games of 100, and the third one 46."""
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
"""How likely a card is bought in the next turn for which so many energy are missing. Somebody else
may buy it before."""
OLD_ENERGY = 0.17
"""What share of its standing energy keeps in a game that is as good as over. The rest goes as the
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
