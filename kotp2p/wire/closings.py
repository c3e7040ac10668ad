"""Closings: what seats sign to end a game or to break it off (PROTOCOL.md 9.4 and 9.5).

Scope: the two bodies of a CLOSE, and the list of signatures behind one body. Unlike an entry, a
closing is one body that several seats sign, so the body itself names no author.
Not here: which seats have to sign (`kotp2p.membership`).
"""

from __future__ import annotations

from dataclasses import dataclass

from kotp2p.wire.crypto import HASH_BYTES, SIGNATURE_BYTES
from kotp2p.wire.encoding import (
    BadBytes,
    Unwritable,
    array,
    integer,
    octets,
    pack_readable,
    unpack,
    unpack_body,
)
from kotp2p.wire.entries import MAX_HEIGHT, MAX_SEAT, MAX_VIEW
from kotp2p.wire.seat_lists import ascending_seats
from referee.model.answers import Seat

BREAK_MARK = 1
"""Stands in the body of a `Break`, so that nobody can take it for the body of an `End`."""


@dataclass(frozen=True, slots=True)
class End:
    """The game is over: where it ended, who has won, and the digest of the last position."""

    height: int
    head: bytes
    winners: tuple[Seat, ...]
    position: bytes

    def body(self, game: bytes) -> bytes:
        """Raises Unwritable if no reader would take it."""
        value = (game, self.height, self.head, self.winners, self.position)
        return pack_readable(value, lambda packed: End.parse(packed, game))

    @staticmethod
    def parse(body: bytes, game: bytes) -> End:
        """Raises BadBytes if the body is malformed or belongs to another game."""
        height, head, winners, position = unpack_body(body, game, 4)
        return End(
            integer(height, 0, MAX_HEIGHT),
            octets(head, HASH_BYTES),
            ascending_seats(winners, most=MAX_SEAT + 1),
            octets(position, HASH_BYTES),
        )


@dataclass(frozen=True, slots=True)
class Break:
    """The signers stop here and may resume another day.

    Either all live seats have agreed, or all but `absent`.
    """

    view: int
    height: int
    head: bytes
    absent: tuple[Seat, ...]
    """The absent seats, ascending; empty if nobody is absent."""

    @property
    def place(self) -> tuple[int, int, bytes]:
        return (self.view, self.height, self.head)

    def body(self, game: bytes) -> bytes:
        """Raises Unwritable if no reader would take it."""
        value = (game, BREAK_MARK, self.view, self.height, self.head, self.absent)
        return pack_readable(value, lambda packed: Break.parse(packed, game))

    @staticmethod
    def parse(body: bytes, game: bytes) -> Break:
        """Raises BadBytes if the body is malformed or belongs to another game."""
        mark, view, height, head, absent = unpack_body(body, game, 5)
        integer(mark, BREAK_MARK, BREAK_MARK)
        return Break(
            integer(view, 0, MAX_VIEW),
            integer(height, 0, MAX_HEIGHT),
            octets(head, HASH_BYTES),
            ascending_seats(absent),
        )


def parse_closing(body: bytes, game: bytes) -> End | Break:
    """The content of a CLOSE body; BadBytes if it is malformed or of another game."""
    if len(array(unpack(body))) == 6:
        return Break.parse(body, game)
    return End.parse(body, game)


def pack_seals(seals: dict[Seat, bytes]) -> bytes:
    """The signatures of several seats over one body: one byte of seat, then 64 bytes, by seat.

    Raises Unwritable for seals that no reader would take.
    """
    joined = b"".join(bytes((seat,)) + seals[seat] for seat in sorted(seals))
    try:
        unpack_seals(joined)
    except BadBytes as fault:
        raise Unwritable(str(fault)) from fault
    return joined


def unpack_seals(data: bytes) -> dict[Seat, bytes]:
    """The signatures by seat. Raises BadBytes unless the seats ascend and there is at least one."""
    size = 1 + SIGNATURE_BYTES
    if not data or len(data) % size:
        raise BadBytes("no list of signatures")
    seals = {
        integer(data[i], 0, MAX_SEAT): data[i + 1 : i + size] for i in range(0, len(data), size)
    }
    if len(seals) * size != len(data) or list(seals) != sorted(seals):
        raise BadBytes("signatures out of order")
    return seals
