"""Refusals: why a body does not count, told apart by whose fault it is.

Scope: the exceptions that a chain and a ledger raise, and the cheats that one entry or two bodies
show by themselves.
Not here: what to do about them (`kotp2p.peer`, `kotp2p.votes`).

`Cheat` proves something against a seat, `Differs` against nobody. `Forged` only says that the
bytes are not what they claim. `Early`, `Stale` and `Fork` say that we cannot judge: an honest seat
may have sent them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from kotp2p.wire.entries import Entry, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.genesis import Player, signed_by_seat
from kotp2p.wire.proofs import CheatKind, CheatProof
from kotp2p.wire.votes import Vote
from referee.model.answers import Seat


class Cheat(Exception):
    """`seat` has signed what it must not; `proof` holds the bodies that show it."""

    def __init__(
        self, seat: Seat, kind: CheatKind, height: int, detail: str, *bodies: Signed
    ) -> None:
        super().__init__(f"seat {seat}: {kind} at height {height}: {detail}")
        self.seat = seat
        self.kind = kind
        self.height = height
        self.detail = detail
        self.proof = CheatProof(bodies)


class Differs(Exception):
    """A seat's digest of the position is not ours, though both sides followed the rules."""

    def __init__(self, seat: Seat, height: int) -> None:
        super().__init__(f"seat {seat}, height {height}")
        self.seat = seat
        self.height = height


class Forged(Exception):
    """A body whose signature is not its seat's, or of another game: says nothing about anybody."""


class NotSigned(Forged):
    """The signature is not that of its seat."""


class Early(Exception):
    """A body for a height or a view that we have not reached."""


class Stale(Exception):
    """A body of an earlier view: a drop came before it."""


class Fork(Exception):
    """An entry whose author has seen another past than we."""


REFUSALS = (Cheat, Differs, Forged, Early, Stale, Fork)
"""All that a ledger raises for a body that it does not take."""


class OwnFault(Exception):
    """This program was about to write or send what its own reader refuses: an error of this
    program, whatever it was sent before. That one action is left out."""


def cheat_shown_by(entry: Entry, kind: CheatKind, detail: str) -> Cheat:
    return Cheat(entry.seat, kind, entry.height, detail, entry.signed)


def require_signed_by_seat(
    players: Sequence[Player], seat: Seat, signed: Signed, what: str = "signature"
) -> None:
    """Raises Forged unless `seat` is at the table and has signed `signed`."""
    if not signed_by_seat(players, seat, signed):
        raise NotSigned(f"a {what} that is not its seat's")


SignatureCheck: TypeAlias = Callable[[Sequence[Player], Seat, Signed], None]
"""As `require_signed_by_seat`. A reader of a whole log may check elsewhere or later."""


def equivocation(one: Entry, other: Entry) -> Cheat:
    """Two different entries of one seat for one place."""
    return Cheat(
        one.seat,
        CheatKind.EQUIVOCATION,
        one.height,
        "two entries for one place",
        one.signed,
        other.signed,
    )


def entry_behind_farewell(farewell: Farewell, entry: Entry) -> Cheat:
    """A seat plays on though its keeper has left."""
    return Cheat(
        entry.seat,
        CheatKind.EQUIVOCATION,
        farewell.height,
        "an entry behind a farewell",
        farewell.signed,
        entry.signed,
    )


def drop_behind_farewell(farewell: Farewell, drop: Vote) -> Cheat:
    """A keeper has voted though its farewell says that it has not."""
    words = "a vote that its farewell does not name"
    return Cheat(
        drop.seat, CheatKind.EQUIVOCATION, drop.height, words, farewell.signed, drop.signed
    )


def two_farewells(one: Farewell, other: Farewell) -> Cheat:
    """A keeper cannot leave at two places."""
    words = "two farewells"
    return Cheat(one.seat, CheatKind.EQUIVOCATION, one.height, words, one.signed, other.signed)
