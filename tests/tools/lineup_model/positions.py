"""The game, as small as the rules of line-ups allow.

A turn has a decision, a roll and at times a look. A roll may take a monster out. Contributions
follow from a seed, an origin and a slot. All windows are long enough, so a commitment is its
origin.
"""

from enum import IntEnum
from typing import NamedTuple

from tests.tools.lineup_model.bodies import Entry, Kind, digest

ILLEGAL = 9
"""The content of an entry that the referee refuses: an offence."""
DECISIONS = 3
VARIANTS = 3
"""Bodies that one opening can have: the contribution is committed to, what stands beside is not."""


class Phase(IntEnum):
    DECISION = 1
    ROLL = 2
    LOOK = 3
    END = 4


class Step(IntEnum):
    DECISION = 1
    ROLL = 2
    LOOK = 3
    END = 4
    ROWS = 5
    FINISHED = 6


DRAWS = (Step.ROLL, Step.LOOK)
GATHERS = (*DRAWS, Step.ROWS, Step.END)


class Position(NamedTuple):
    alive: frozenset[int]
    """The seats whose monster lives."""
    turn: int
    seat: int
    phase: Phase
    last: int
    """The number of turns in a game."""

    @property
    def draw(self) -> tuple[int, int, int]:
        """Kind, seat and number of what is asked."""
        return self.phase, self.seat, self.turn

    @property
    def mark(self) -> int:
        return digest(tuple(sorted(self.alive)), self.turn, self.seat, self.phase)


class Gather(NamedTuple):
    """A gather for a draw, as it was when it was reached. A kept one stays what it is."""

    attempt: int
    """The line-up that its openings name."""
    contributors: frozenset[int]
    members: frozenset[int]
    """Who has been a member ever since."""
    pinned: tuple[Entry, ...]
    """The openings of contributors that are out."""
    origins: tuple[tuple[int, int], ...]
    slot: int


def opened(seats: int, last: int) -> Position:
    return Position(frozenset(range(seats)), 0, 0, Phase.DECISION, last)


def _next_turn(position: Position) -> Position:
    alive, seat, turn = position.alive, position.seat, position.turn + 1
    if len(alive) <= 1 or turn >= position.last:
        return position._replace(turn=turn, phase=Phase.END)
    around = sorted(alive, key=lambda s: (s <= seat, s))
    return position._replace(turn=turn, seat=around[0], phase=Phase.DECISION)


def after_step(position: Position, result: int) -> Position:
    """The position after a decision, a roll or a look has closed."""
    if position.phase == Phase.DECISION:
        return position._replace(phase=Phase.ROLL)
    if position.phase == Phase.ROLL:
        alive = position.alive
        if result % 8 == 0 and len(alive) > 1:
            alive = alive - {sorted(alive)[result // 8 % len(alive)]}
            position = position._replace(alive=alive)
        if position.turn % 3 == 2 and position.seat in alive and len(alive) > 1:
            return position._replace(phase=Phase.LOOK)
    return _next_turn(position)


def without(position: Position, seats: frozenset[int]) -> Position:
    alive = position.alive - seats
    if alive == position.alive or position.phase == Phase.END:
        return position._replace(alive=alive)
    position = position._replace(alive=alive)
    return position if position.seat in alive and len(alive) > 1 else _next_turn(position)


def contribution(keeper: int, origin: int, slot: int) -> int:
    return digest(4711, keeper, origin, slot)


KIND_OF = {
    Step.DECISION: Kind.DECISION,
    Step.ROLL: Kind.OPENING,
    Step.LOOK: Kind.OPENING,
    Step.ROWS: Kind.ROWS,
    Step.END: Kind.END,
}
