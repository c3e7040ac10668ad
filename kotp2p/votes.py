"""Votes: how the seats that are there go on without those that are not (PROTOCOL.md 9.2).

A drop vote binds: its signer never builds on an entry of the accused at that place, unless
another keeper shows (`HELD`) that it had that entry first and will not vote. When every live
keeper outside the accused has voted, the votes are a certificate: it stands in for the accused
and beats whatever they may have signed there. A keeper and its bots are accused together and
have one vote. What follows from a certificate is the business of `kotp2p.ledger`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from kotp2p.crypto import HASH, Signer, Tag, digest
from kotp2p.encoding import BadBytes, array, integer, octets, unpack
from kotp2p.entries import MAX_HEIGHT, MAX_SEAT, MAX_VIEW, Kind, Signed
from kotp2p.front import Player
from referee.answers import Seat


class Choice(IntEnum):
    DROP = 1
    HELD = 2
    """The signer has entries of these seats at that place, and will not vote against them there.
    Only on links, never in a log."""


@dataclass(frozen=True, slots=True)
class Vote:
    view: int
    height: int
    head: bytes
    """The head before that height."""
    seat: Seat
    """A keeper."""
    choice: Choice
    seats: tuple[Seat, ...]
    """Ascending. DROP: the accused, all of a keeper together."""
    signed: Signed = field(repr=False)

    @property
    def place(self) -> tuple[int, int]:
        return (self.view, self.height)

    @staticmethod
    def sign(
        signer: Signer,
        game: bytes,
        place: tuple[int, int],
        head: bytes,
        seat: Seat,
        choice: Choice,
        seats: tuple[Seat, ...],
    ) -> Vote:
        view, height = place
        value = (game, view, height, head, seat, int(choice), seats)
        return Vote(view, height, head, seat, choice, seats, Signed.make(signer, Kind.VOTE, value))

    @staticmethod
    def parse(signed: Signed, game: bytes) -> Vote:
        theirs, view, height, head, seat, choice, seats = array(unpack(signed.body), 7)
        if theirs != game:
            raise BadBytes("a vote of another game")
        accused = tuple(integer(s, 0, MAX_SEAT) for s in array(seats, most=MAX_SEAT))
        voter = integer(seat, 0, MAX_SEAT)
        if not accused or list(accused) != sorted(set(accused)) or voter in accused:
            raise BadBytes("a vote about nobody, twice about one, or about oneself")
        return Vote(
            integer(view, 0, MAX_VIEW),
            integer(height, 0, MAX_HEIGHT),
            octets(head, HASH),
            voter,
            Choice(integer(choice, 1, 2)),
            accused,
            signed,
        )


@dataclass(frozen=True, slots=True)
class Certificate:
    """All that must agree have voted, or have left the table: `seats` are out."""

    view: int
    """The view that it ends; the next one has as many more as there are accused."""
    height: int
    seats: tuple[Seat, ...]
    voters: tuple[Seat, ...]
    bodies: tuple[Signed, ...] = field(repr=False)
    """Votes, and farewells of those that needed no vote, by seat."""
    id: bytes = field(repr=False)


def keepers(players: Sequence[Player], seats: Collection[Seat]) -> set[Seat]:
    """Who plays `seats`."""
    return {players[seat].keeper for seat in seats}


def kept_by(players: Sequence[Player], who: Collection[Seat], alive: Collection[Seat]) -> set[Seat]:
    """The seats of `alive` that `who` play."""
    return {seat for seat in alive if players[seat].keeper in who}


def enough(voters: int, keepers: int) -> bool:
    """More than half of the live keepers must be left to decide."""
    return 2 * voters > keepers


def certificate_id(
    game: bytes, head: bytes, view: int, height: int, seats: tuple[Seat, ...]
) -> bytes:
    return digest(Tag.DROPPED, game, head, view, height, bytes(seats))
