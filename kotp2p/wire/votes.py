"""Votes: how the present seats go on without absent ones (PROTOCOL.md 9.2).

Scope: the signed bodies of votes, and the certificate that enough of them make.
Not here: when a peer votes (`kotp2p.votes`), and what follows from a certificate
(`kotp2p.game.ledger`).

A drop vote binds its signer: it never builds on an entry of the accused at that place. An
objection of another keeper (`HELD`) releases it: that keeper shows that it has such an entry and
does not vote. The votes of all live keepers outside the accused are a certificate. It stands in for
the accused at that place and beats whatever they may have signed there.

A keeper is a person's seat. It is accused together with the bots that its process plays, and has
one vote for all of them. A keeper that changes its mind about the accused votes again in a later
*round*, and the later round wins. A vote may name proofs of cheating by their ids
(`kotp2p.wire.proofs`). The keepers that these convict do not count for the majority. The proofs
themselves travel apart, so every vote is small, and so is every contradiction of two votes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from typing import TypeAlias

from kotp2p.wire.crypto import HASH_BYTES, Signer, Tag, digest
from kotp2p.wire.encoding import BadBytes, integer, octets, octets_in_array, unpack_body
from kotp2p.wire.entries import MAX_HEIGHT, MAX_SEAT, MAX_VIEW, READINGS_KEPT, BodyKind, Signed
from kotp2p.wire.genesis import Player
from kotp2p.wire.seat_lists import ascending_seats
from referee.model.answers import Seat

MAX_ROUND = 1000
Matter: TypeAlias = tuple[int, int, tuple[Seat, ...]]
"""The proposal that drop votes of one view are about: height, round, accused."""
MAX_PROOFS = 5
"""A vote names at most one proof for each other keeper."""


class VoteChoice(IntEnum):
    """What a vote says about its seats."""

    DROP = 1
    """The signer goes on without these seats, and builds on none of their entries there."""
    HELD = 2
    """The signer has entries of these seats at that place and does not vote against them there:
    not for being silent, and not now because of these proofs. HELD stands in no log."""


@dataclass(frozen=True, slots=True)
class Vote:
    """A signed vote of one keeper about other keepers and their bots."""

    view: int
    round: int
    """In a DROP: at least 1, and greater than in all earlier votes of the seat in this view. In a
    HELD: 0."""
    height: int
    head: bytes
    """The head before that height."""
    seat: Seat
    """The keeper that votes."""
    choice: VoteChoice
    seats: tuple[Seat, ...]
    """Ascending. In a DROP: the accused, with all seats of a keeper together."""
    proofs: tuple[bytes, ...]
    """Ids of proofs, ascending. In a DROP: against those accused that have cheated. In a HELD:
    those of the DROP that it answers."""
    signed: Signed = field(repr=False)

    @property
    def place(self) -> tuple[int, int]:
        return (self.view, self.height)

    @property
    def matter(self) -> Matter:
        return (self.height, self.round, self.seats)

    @staticmethod
    def sign(
        signer: Signer,
        game: bytes,
        place: tuple[int, int],
        head: bytes,
        seat: Seat,
        choice: VoteChoice,
        seats: tuple[Seat, ...],
        round: int = 0,
        proofs: Iterable[bytes] = (),
    ) -> Vote:
        view, height = place
        named = tuple(sorted(proofs))
        value = (game, view, round, height, head, seat, int(choice), seats, named)
        return Signed.sign(signer, BodyKind.VOTE, value, lambda signed: Vote.parse(signed, game))

    @staticmethod
    @lru_cache(READINGS_KEPT)
    def parse(signed: Signed, game: bytes) -> Vote:
        """The vote of a VOTE body; BadBytes if it is malformed or of another game.

        The signature is not checked here, nor whether its proofs are known.
        """
        fields = unpack_body(signed.body, game, 8)
        view, round_, height, head, seat, what, seats, named = fields
        # One set of seats has one spelling, so that matters can be compared as values.
        accused, voter = ascending_seats(seats), integer(seat, 0, MAX_SEAT)
        if not accused or voter in accused:
            raise BadBytes("a vote about nobody, or about oneself")
        choice = VoteChoice(integer(what, 1, 2))
        proofs = octets_in_array(named, HASH_BYTES, MAX_PROOFS)
        if list(proofs) != sorted(set(proofs)):
            raise BadBytes("proofs out of order")
        drop = choice is VoteChoice.DROP  # a HELD belongs to no round
        return Vote(
            integer(view, 0, MAX_VIEW),
            integer(round_, int(drop), MAX_ROUND if drop else 0),
            integer(height, 0, MAX_HEIGHT),
            octets(head, HASH_BYTES),
            voter,
            choice,
            accused,
            proofs,
            signed,
        )


@dataclass(frozen=True, slots=True)
class Certificate:
    """All keepers that must agree have voted, or have left the table: `seats` are out."""

    view: int
    """The view that the certificate ends. The next view is this view plus the round."""
    round: int
    height: int
    seats: tuple[Seat, ...]
    voters: tuple[Seat, ...]
    bodies: tuple[Signed, ...] = field(repr=False)
    """The votes by seat, each proof right before the first that names it. Of a keeper that has left
    and needs no vote its farewell, or the proof that alone shows it."""
    id: bytes = field(repr=False)

    @property
    def next_view(self) -> int:
        return self.view + self.round


def keepers_of(players: Sequence[Player], seats: Collection[Seat]) -> set[Seat]:
    """The keepers that play `seats`."""
    return {players[seat].keeper for seat in seats}


def seats_kept_by(
    players: Sequence[Player], keepers: Collection[Seat], alive: Collection[Seat]
) -> set[Seat]:
    """The seats of `alive` that `keepers` play."""
    return {seat for seat in alive if players[seat].keeper in keepers}


def needed_keepers(
    players: Sequence[Player], alive: Collection[Seat], accused: Collection[Seat]
) -> set[Seat]:
    """The keepers of `alive` whose votes are needed: all but those of the accused."""
    return keepers_of(players, alive) - keepers_of(players, accused)


def is_majority(needed: int, honest: int) -> bool:
    """Whether the needed keepers are more than half of the live ones that are not convicted."""
    return 2 * needed > honest


def certificate_id(
    game: bytes, head: bytes, view: int, round: int, height: int, seats: tuple[Seat, ...]
) -> bytes:
    """The id of a certificate. It names the outcome, not the votes.

    So two peers that have collected different votes for one outcome have the same certificate.
    """
    return digest(Tag.DROPPED, game, head, view, round, height, bytes(seats))
