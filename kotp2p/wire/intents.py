"""Words: what a player wants of the table, said to all and taken back at will (PROTOCOL.md 9.2).

A word binds nobody and is in no log. Of the words of one seat about one matter the one with the
greatest serial number counts. A word is passed on to peers without a link to its author, as
everything else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes, array, integer, unpack
from kotp2p.wire.entries import MAX_SEAT, BodyKind, Signed
from referee.model.answers import Seat


class IntentKind(IntEnum):
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
class Intent:
    seat: Seat
    serial: int
    kind: IntentKind
    view: int
    height: int
    seats: tuple[Seat, ...]
    signed: Signed = field(repr=False)

    @property
    def is_about_clocks(self) -> bool:
        return self.kind in (IntentKind.PAUSE, IntentKind.GO)

    @property
    def place(self) -> tuple[int, int]:
        return (self.view, self.height)

    @staticmethod
    def sign(
        signer: Signer,
        game: bytes,
        seat: Seat,
        serial: int,
        verb: IntentKind,
        place: tuple[int, int],
        seats: tuple[Seat, ...] = (),
    ) -> Intent:
        value = (game, seat, serial, int(verb), *place, seats)
        return Intent(seat, serial, verb, *place, seats, Signed.sign(signer, BodyKind.WORD, value))

    @staticmethod
    def parse(signed: Signed, game: bytes) -> Intent:
        theirs, seat, serial, verb, view, height, seats = array(unpack(signed.body), 7)
        if theirs != game:
            raise BadBytes("a word about another game")
        return Intent(
            integer(seat, 0, MAX_SEAT),
            integer(serial),
            IntentKind(integer(verb, 0, max(IntentKind))),
            integer(view),
            integer(height),
            tuple(integer(s, 0, MAX_SEAT) for s in array(seats, most=MAX_SEAT)),
            signed,
        )
