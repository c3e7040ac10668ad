"""Intents: a player tells all others a wish, and can take it back (PROTOCOL.md 9.8).

Scope: the signed body of kind WORD. An intent binds nobody and stands in no log. Of the intents of
one seat, the one with the greatest serial number counts, once for the clocks and once for votes.
Not here: what a peer does about intents (`kotp2p.wishes`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import integer, unpack_body
from kotp2p.wire.entries import MAX_HEIGHT, MAX_SEAT, MAX_VIEW, BodyKind, Signed
from kotp2p.wire.seat_lists import ascending_seats
from referee.model.answers import Seat


class IntentKind(IntEnum):
    """What a player wants of the table."""

    WAIT = 0
    """The player wants to wait, or takes a DROP or an ADJOURN back."""
    DROP = 1
    """The player would go on without `seats` at that place."""
    ADJOURN = 2
    """The player would stop here for today; `seats` are gone."""
    PAUSE = 3
    """The player wants the clocks to stand; `height` is the number of the turn."""
    GO = 4
    """The player ends its pause."""


@dataclass(frozen=True, slots=True)
class Intent:
    """A signed wish of one player."""

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
    def rank(self) -> tuple[int, bytes]:
        """Of the intents of one seat the one of the greatest rank counts. Its author may have
        signed two with one serial number."""
        return (self.serial, self.signed.body)

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
        return Signed.sign(signer, BodyKind.WORD, value, lambda signed: Intent.parse(signed, game))

    @staticmethod
    def parse(signed: Signed, game: bytes) -> Intent:
        seat, serial, verb, view, height, seats = unpack_body(signed.body, game, 6)
        return Intent(
            integer(seat, 0, MAX_SEAT),
            integer(serial),
            IntentKind(integer(verb, 0, max(IntentKind))),
            integer(view, 0, MAX_VIEW),
            integer(height, 0, MAX_HEIGHT),
            ascending_seats(seats),
            signed,
        )
