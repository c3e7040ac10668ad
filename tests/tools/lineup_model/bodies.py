"""What keepers sign (LINEUPS rules 2, 4 and 5), and what is hashed.

A body is equal to another one if all its fields are. Signatures are not modelled: the adversary
makes bodies in the name of hostile keepers alone, and nobody but an honest keeper's own processes
makes one in its name.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tests.tools.lineup_model.lineups import LineUp

MASK = (1 << 61) - 1


def digest(*parts: object) -> int:
    """Hash numbers, and tuples of numbers, alike in every run."""
    return hash(parts) & MASK


class Kind(IntEnum):
    """What an entry gives."""

    DECISION = 1
    OPENING = 2
    ROWS = 3
    END = 4


class Entry(NamedTuple):
    """A signed step of the game. It names its line-up by the attempt.

    In a kept gather these are two: the line-up in which the gather was reached, and `under`, that
    in which the entry is signed.
    """

    keeper: int
    attempt: int
    height: int
    prev: int
    kind: Kind
    what: tuple[int, ...]
    under: int


class Ready(NamedTuple):
    """*This is what I find.* It names the line-up by its id, so a reader can only compare it."""

    keeper: int
    attempt: int
    number: int
    instance: int


class Assent(NamedTuple):
    """A signature under a line-up. It carries the line-up."""

    keeper: int
    lineup: LineUp


class Leave(NamedTuple):
    """The last word of a keeper: the line-up that it is in, its greatest assented attempt."""

    keeper: int
    lineup: LineUp
    attempt: int


class Wish(NamedTuple):
    """Whom a keeper would go on without, and which processes (keeper, instance) it refuses."""

    keeper: int
    serial: int
    absent: frozenset[int]
    refused: frozenset[tuple[int, int]]


class Here(NamedTuple):
    """The process that wants to play this keeper's seat. The greatest instance counts."""

    keeper: int
    instance: int
    tag: str = "here"
    """Keeps a HERE from being equal to a tuple of another kind."""


class Proof(NamedTuple):
    """What convicts a keeper. It travels as one, so that nobody forgets half of it."""

    keeper: int
    bodies: tuple[Entry | Assent | Leave, ...]


Body = Entry | Ready | Assent | Leave | Wish | Here | Proof
