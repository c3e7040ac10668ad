"""What closed the steps of a chain, in the order in which others are sent it, and in the log's.

Scope: orders and counts of what has closed steps.
Not here: how a step closes (`chain`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from kotp2p.wire.entries import Entry, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.votes import Certificate
from referee.model.answers import Seat


@dataclass(frozen=True, slots=True)
class StandIn:
    """What takes the place of an entry that a seat will never sign: the seat is out."""

    seat: Seat
    farewell: Farewell
    """The keeper of the seat has signed it."""


ClosingItem: TypeAlias = Entry | StandIn | Certificate
"""What closes a step, or a seat's part of it."""


@dataclass(slots=True)
class StepStart:
    """How the game stood when a height began. Votes about it are judged by the seats here."""

    alive: tuple[Seat, ...]
    asked: tuple[Seat, ...]
    """The seats that it asks, also those that have signed their entry or have left by now."""
    turn: int
    """The turns that had begun."""


def bodies_of(item: ClosingItem) -> tuple[Signed, ...]:
    if isinstance(item, Entry):  # most are, and this is asked for each of a whole game
        return (item.signed,)
    return (item.farewell.signed,) if isinstance(item, StandIn) else item.bodies


def bodies_since(closed: Sequence[tuple[ClosingItem, ...]], height: int) -> list[Signed]:
    """All entries and votes from `height` on, in an order that another ledger accepts. Farewells
    are left out: they are sent before all else, as a stand-in may be due at any height."""
    return [
        signed
        for done in closed[height:]
        for item in done
        if not isinstance(item, StandIn)
        for signed in bodies_of(item)
    ]


def canonical_bodies(closed: Iterable[tuple[ClosingItem, ...]]) -> list[Signed]:
    """The winning sequence by (height, seat), each body once (PROTOCOL.md 10.4)."""
    return list(dict.fromkeys([s for done in closed for item in done for s in bodies_of(item)]))


def has_stood_in(done: Iterable[ClosingItem], seat: Seat) -> bool:
    """Whether a stand-in of `seat` is among what closed a step."""
    return any(isinstance(item, StandIn) and item.seat == seat for item in done)


def height_left(closed: Sequence[tuple[ClosingItem, ...]], keeper: Seat) -> int | None:
    """The first height at which the farewell of `keeper` has stood in, for any of its seats."""
    for height, done in enumerate(closed):
        if any(isinstance(item, StandIn) and item.farewell.seat == keeper for item in done):
            return height
    return None


def certificates(closed: Iterable[tuple[ClosingItem, ...]]) -> list[Certificate]:
    """Those that have put seats out, in their order."""
    return [item for done in closed for item in done if isinstance(item, Certificate)]


def count_entries(closed: Sequence[tuple[ClosingItem, ...]]) -> int:
    """Entries and stand-ins: one for each seat that a certificate drops."""
    return sum(map(len, closed)) + sum(len(c.seats) - 1 for c in certificates(closed))
