"""Refusals: why a body does not count, told apart by whose fault it is.

Scope: the exceptions that a chain and a ledger raise, and the cheats that one entry or two bodies
show by themselves.
Not here: what to do about them (`kotp2p.peer`).

`Cheat` proves something against a seat, `Differs` against nobody. `Forged` only says that the
bytes are not what they claim. `Early`, `Stale` and `Fork` say that we cannot judge: an honest seat
may have sent them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from kotp2p.referee.model.answers import Seat
from kotp2p.wire.entries import Entry, Signed
from kotp2p.wire.genesis import Player, signed_by_keeper
from kotp2p.wire.lineups import CheatKind, CheatProof


class Cheat(Exception):
    """The keeper `seat` has signed what it must not; `proof` holds the bodies that show it."""

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
    """A body for a height or a line-up that we have not reached."""


class Stale(Exception):
    """A body of a line-up, or of a keeper, that does not count here."""


class Fork(Exception):
    """An entry whose author has seen another past than we."""


REFUSALS = (Cheat, Differs, Forged, Early, Stale, Fork)
"""All that a ledger raises for a body that it does not take."""


class OwnFault(Exception):
    """This program was about to write or send what its own reader refuses: an error of this
    program, whatever it was sent before. That one action is left out."""


def cheat_shown_by(keeper: Seat, entry: Entry, kind: CheatKind, detail: str) -> Cheat:
    """An entry that the game refuses, signed by `keeper`."""
    return Cheat(keeper, kind, entry.height, detail, entry.signed)


def require_signed_by_keeper(
    players: Sequence[Player], seat: Seat, signed: Signed, what: str = "signature"
) -> None:
    """Raises Forged unless the keeper `seat` is at the table and has signed `signed`."""
    if not signed_by_keeper(players, seat, signed):
        raise NotSigned(f"a {what} that is not its keeper's")


SignatureCheck: TypeAlias = Callable[[Sequence[Player], Seat, Signed], None]
"""As `require_signed_by_keeper`. A reader of a whole log may check elsewhere or later."""


def equivocation(keeper: Seat, one: Entry, other: Entry) -> Cheat:
    """Two different entries for one place and past, both signed by `keeper`."""
    detail = "two entries for one place"
    return shown_by_two(keeper, one.height, detail, one.signed, other.signed)


def shown_by_two(seat: Seat, height: int, detail: str, one: Signed, other: Signed) -> Cheat:
    """Two bodies of one keeper that exclude each other, in the order in which a proof has them."""
    return Cheat(seat, CheatKind.EQUIVOCATION, height, detail, one, other)
