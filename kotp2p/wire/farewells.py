"""Farewells: a keeper and its bots leave the game for good (PROTOCOL.md 9.3).

Scope: the signed body of a farewell.
Not here: which farewell may be said, and what takes the place of an entry
(`kotp2p.game.farewells`).

Only keepers say farewell. One body is about all seats of a keeper, so no bot leaves alone: a host
could buy a new draw with each of its bots otherwise.

A farewell names the rounds of all drop votes that its keeper has signed in this view. A farewell
may come before such a vote. Other keepers then know whether to wait for that vote.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from kotp2p.wire.crypto import Signer, Tag, digest
from kotp2p.wire.encoding import BadBytes, array, integer, unpack_body
from kotp2p.wire.entries import MAX_HEIGHT, MAX_SEAT, MAX_VIEW, BodyKind, Signed
from kotp2p.wire.votes import MAX_ROUND
from referee.model.answers import Seat

MAX_NAMED_ROUNDS = 64
"""As many drop votes as are counted of one keeper in one view."""


@dataclass(frozen=True, slots=True)
class Farewell:
    """A keeper leaves. From this place on its seats owe nothing."""

    seat: Seat
    """The keeper."""
    view: int
    height: int
    rounds: tuple[int, ...]
    """The rounds of its drop votes in this view, ascending."""
    signed: Signed
    id: bytes = field(repr=False)

    @property
    def place(self) -> tuple[int, int]:
        return (self.view, self.height)

    @staticmethod
    def sign(
        signer: Signer,
        game: bytes,
        seat: Seat,
        view: int,
        height: int,
        rounds: Iterable[int] = (),
    ) -> Farewell:
        value = (game, seat, view, height, tuple(rounds))
        return Signed.sign(signer, BodyKind.STAND_IN, value, lambda s: Farewell.parse(s, game))

    @staticmethod
    def parse(signed: Signed, game: bytes) -> Farewell:
        """The farewell of a STAND_IN body; BadBytes if it is malformed or of another game.

        The signature is not checked here, nor whether its seat is a keeper.
        """
        seat, view, height, named = unpack_body(signed.body, game, 4)
        rounds = tuple(integer(r, 1, MAX_ROUND) for r in array(named, most=MAX_NAMED_ROUNDS))
        if list(rounds) != sorted(set(rounds)):
            raise BadBytes("rounds out of order")
        return Farewell(
            integer(seat, 0, MAX_SEAT),
            integer(view, 0, MAX_VIEW),
            integer(height, 0, MAX_HEIGHT),
            rounds,
            signed,
            digest(Tag.STAND_IN, signed.body),
        )
