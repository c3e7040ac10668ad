"""Words: what a player wants of the table, said to all and taken back at will (PROTOCOL.md 9.2).

A word binds nobody and is in no log. Of the words of one seat about one matter the one with the
greatest serial number counts. Who has no link to its author is passed it on, as everything else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes, array, integer, unpack
from kotp2p.wire.entries import MAX_SEAT, Kind, Signed
from referee.model.answers import Seat


class Verb(IntEnum):
    WAIT = 0
    DROP = 1
    """Would go on without `seats` at that place."""
    ADJOURN = 2
    """Would stop here; `seats` are gone."""
    PAUSE = 3
    """Wants the clocks to stand; `height` is the number of the turn."""
    GO = 4
    """The pause is over."""


@dataclass(frozen=True, slots=True)
class Word:
    seat: Seat
    serial: int
    verb: Verb
    view: int
    height: int
    seats: tuple[Seat, ...]
    signed: Signed = field(repr=False)

    @property
    def about_clocks(self) -> bool:
        return self.verb in (Verb.PAUSE, Verb.GO)

    @property
    def place(self) -> tuple[int, int]:
        return (self.view, self.height)

    @staticmethod
    def sign(
        signer: Signer,
        game: bytes,
        seat: Seat,
        serial: int,
        verb: Verb,
        place: tuple[int, int],
        seats: tuple[Seat, ...] = (),
    ) -> Word:
        value = (game, seat, serial, int(verb), *place, seats)
        return Word(seat, serial, verb, *place, seats, Signed.make(signer, Kind.WORD, value))

    @staticmethod
    def parse(signed: Signed, game: bytes) -> Word:
        theirs, seat, serial, verb, view, height, seats = array(unpack(signed.body), 7)
        if theirs != game:
            raise BadBytes("a word about another game")
        return Word(
            integer(seat, 0, MAX_SEAT),
            integer(serial),
            Verb(integer(verb, 0, max(Verb))),
            integer(view),
            integer(height),
            tuple(integer(s, 0, MAX_SEAT) for s in array(seats, most=MAX_SEAT)),
            signed,
        )
