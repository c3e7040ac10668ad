"""Lists of seats as frames and bodies carry them (PROTOCOL.md 2).

Scope: the one form of a set of seats.
Not here: which of the seats are at the table, which a reader of bytes cannot know.
"""

from __future__ import annotations

from kotp2p.referee.model.answers import Seat
from kotp2p.wire.encoding import BadBytes, array, integer

MAX_SEAT = 5


def ascending_seats(value: object, most: int = MAX_SEAT) -> tuple[Seat, ...]:
    """A list of seats: ascending, none twice. One set of seats has one encoding."""
    seats = tuple(integer(seat, 0, MAX_SEAT) for seat in array(value, most=most))
    if list(seats) != sorted(set(seats)):
        raise BadBytes("seats that do not ascend")
    return seats
