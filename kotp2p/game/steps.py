"""What a ledger can stand at, and what it says of a body that is offered to it.

A step is what the referee's node means for the protocol (PROTOCOL.md 5.1). The refusals are told
apart by whose fault they are: `Cheat` proves something against a seat, `Differs` against nobody,
`Forged` only says that the bytes are not what they claim, `Early` and `Fork` that we cannot judge.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from kotp2p.game.slots import GatherPlan, Slots
from kotp2p.wire.commitments import Stream
from kotp2p.wire.entries import Entry, Farewell, Signed
from kotp2p.wire.proofs import CheatKind
from kotp2p.wire.votes import Certificate
from referee.game import Game
from referee.model.answers import Seat
from referee.model.decisions import Chance, ChanceKind, Over
from referee.model.events import Event
from referee.model.state import State


@dataclass(frozen=True, slots=True)
class Solo:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Sharing:
    """The owner of the half-open slot owes a share to `taker`."""

    seat: Seat
    taker: Seat
    key: bytes
    """The taker's X25519 key."""
    slot: int


@dataclass(frozen=True, slots=True)
class Gather:
    seats: tuple[Seat, ...]
    plan: GatherPlan


@dataclass(frozen=True, slots=True)
class Renewal:
    """The first gather of a new view: commitments only, of slots that nobody has opened."""

    seats: tuple[Seat, ...]
    dice: int
    """The first slot of each stream that is committed to."""
    cards: int


@dataclass(frozen=True, slots=True)
class Finished:
    winners: tuple[Seat, ...]


Step: TypeAlias = Solo | Sharing | Gather | Renewal | Finished


class Cheat(Exception):
    """`seat` has signed what it must not; `proof` are the bodies that show it."""

    def __init__(
        self, seat: Seat, kind: CheatKind, height: int, detail: str, *proof: Signed
    ) -> None:
        super().__init__(f"seat {seat}: {kind} at height {height}: {detail}")
        self.seat = seat
        self.kind = kind
        self.height = height
        self.detail = detail
        self.proof = proof


class Differs(Exception):
    """A seat's digest of the position is not ours, though both sides followed the rules."""

    def __init__(self, seat: Seat, height: int) -> None:
        super().__init__(f"seat {seat}, height {height}")
        self.seat = seat
        self.height = height


class Forged(Exception):
    """A body whose signature is not its seat's, or of another game: says nothing about anybody."""


class Early(Exception):
    """A body for a height or a view that we have not reached."""


class Stale(Exception):
    """A body of an earlier view: a drop came before it."""


class Fork(Exception):
    """An entry whose author has seen another past than we."""


@dataclass(slots=True)
class Moved:
    """What an accepted body has done."""

    events: list[Event] = field(default_factory=list)
    looked: Seat | None = None
    """A look was granted: this seat can now work out the top card."""
    dropped: tuple[Certificate, ...] = ()
    """Seats were dropped by votes."""
    rewound: bool = False
    """Steps of the earlier view do not count any more: the game stands elsewhere than before
    and `events` are of the new view alone."""
    before: State | None = None
    """With `rewound`: where the game has gone back to, before `events`."""
    caught: tuple[Cheat, ...] = ()
    """A vote proves these, or is itself the proof."""
    share: Entry | None = None
    """With `looked`: the share that grants it (a second look)."""


def next_step(game: Game, slots: Slots, renewing: bool, look_key: bytes | None) -> Step:
    """What the referee's node means. `renewing`: a view has just begun; `look_key`: the key of a
    second look that has just been asked for."""
    pending, held = game.pending, slots.half_open
    match pending:
        case Over(winners=winners):
            return Finished(winners)
        case _ if renewing:
            seats = tuple(game.state.seats_alive())
            return Renewal(seats, slots.next_slot[Stream.DICE], slots.next_slot[Stream.CARDS])
        case Chance(kind=ChanceKind.LOOK, seat=taker) if held is not None and look_key is not None:
            assert taker is not None
            return Sharing(held.owner, taker, look_key, held.slot)
        case Chance():
            return Gather(tuple(game.state.seats_alive()), slots.plan_gather(pending))
        case _:
            return Solo(pending.seat)


def cheat_shown_by(entry: Entry, kind: CheatKind, detail: str) -> Cheat:
    return Cheat(entry.seat, kind, entry.height, detail, entry.signed)


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
    """A seat that has left plays on."""
    return Cheat(
        farewell.seat,
        CheatKind.EQUIVOCATION,
        farewell.height,
        "an entry behind its farewell",
        farewell.signed,
        entry.signed,
    )


def two_farewells(one: Farewell, other: Farewell) -> Cheat:
    """A seat cannot leave at two places."""
    words = "two farewells"
    return Cheat(one.seat, CheatKind.EQUIVOCATION, one.height, words, one.signed, other.signed)
