"""Line-ups, the facts and wishes that lead to them, and proofs of cheating, byte by byte.

Scope: the bodies LINE-UP, LEAVE, READY, WISH and HERE (PROTOCOL.md 9), and the bytes of a proof.

A line-up says who plays from now on, and from where the game goes on. It is signed by all its
members: each signature is an *assent*. Line-up 0 is the genesis. All that is signed here is signed
by keepers, so the field `seat` is a keeper's own seat everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum, unique
from functools import lru_cache, partial

from kotp2p.referee.model.answers import Seat
from kotp2p.wire import encoding, entries
from kotp2p.wire.crypto import HASH_BYTES, SIGNATURE_BYTES, Signer, Tag, digest
from kotp2p.wire.encoding import BadBytes, array, integer, octets
from kotp2p.wire.entries import MAX_ATTEMPT, Body, BodyKind, Signed

MAX_KEEPERS = entries.MAX_SEAT + 1
_SEAT = partial(integer, most=entries.MAX_SEAT)
_HASH = partial(octets, size=HASH_BYTES)
_INSTANCE = partial(octets, size=entries.INSTANCE_BYTES)


# -- the plan --------------------------------------------------------------------------------


@unique
class Reason(IntEnum):
    """Why a line-up concerns a keeper."""

    CHEATED = 1
    """A proof convicts the keeper: its monster is out."""
    LEFT = 2
    ABSENT = 3
    """The others go on without the keeper: bots keep its seats."""
    AGAIN = 4
    """Another process of a member plays from now on."""
    BACK = 5
    """A keeper that was absent has its own seat again."""

    @property
    def puts_out(self) -> bool:
        return self <= Reason.ABSENT


@dataclass(frozen=True, slots=True)
class Change:
    """What a line-up changes about one keeper."""

    keeper: Seat
    reason: Reason
    instance: bytes = b""
    """Of the process that plays from now on; empty for a keeper that is put out."""

    def value(self) -> encoding.Value:
        return (self.keeper, int(self.reason), self.instance or None)

    @staticmethod
    def parse(value: object) -> Change:
        keeper, number, instance = array(value, 3)
        reason = Reason(integer(number, 1, max(Reason)))
        if (instance is None) != reason.puts_out:
            raise BadBytes("the process of a keeper that is out, or none of one that plays")
        named = b"" if instance is None else octets(instance, entries.INSTANCE_BYTES)
        return Change(integer(keeper, 0, entries.MAX_SEAT), reason, named)


Plan = tuple[Change, ...]


def _parse_plan(value: object) -> Plan:
    plan = tuple(Change.parse(item) for item in array(value, most=MAX_KEEPERS))
    keepers = [change.keeper for change in plan]
    if keepers != sorted(set(keepers)):
        raise BadBytes("keepers that do not ascend")
    return plan


# -- line-ups --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LineUp:
    """The players from here on; the terms of the literature: a view, or a configuration."""

    attempt: int
    """Greater than that of the predecessor. Attempts are the ballots of the literature."""
    predecessor: bytes
    """The id of the line-up from which this one comes."""
    height: int
    """The base: the place on the predecessor's line from which the game goes on."""
    head: bytes
    position: bytes
    """The digest of the position at the base, after the plan."""
    plan: Plan
    openings: tuple[bytes, ...] | None
    """None: no open gather is kept. Else the ids of the openings that count of contributors that
    the plan puts out, in seat order."""
    body: bytes = field(repr=False)
    id: bytes = field(repr=False)

    @staticmethod
    def build(
        game: bytes,
        attempt: int,
        predecessor: bytes,
        base: tuple[int, bytes],
        position: bytes,
        plan: Plan,
        openings: tuple[bytes, ...] | None,
    ) -> LineUp:
        changes = tuple(change.value() for change in plan)
        value = (game, attempt, predecessor, *base, position, changes, openings)
        return LineUp.parse(
            encoding.pack_readable(value, lambda body: LineUp.parse(body, game)), game
        )

    @staticmethod
    @lru_cache(entries.READINGS_KEPT)
    def parse(body: bytes, game: bytes) -> LineUp:
        fields = encoding.unpack_body(body, game, 7)
        attempt, predecessor, height, head, position, plan, openings = fields
        return LineUp(
            integer(attempt, 1, MAX_ATTEMPT),
            octets(predecessor, HASH_BYTES),
            integer(height, 0, entries.MAX_HEIGHT),
            octets(head, HASH_BYTES),
            octets(position, HASH_BYTES),
            _parse_plan(plan),
            None
            if openings is None
            else encoding.octets_in_array(openings, HASH_BYTES, MAX_KEEPERS),
            body,
            digest(Tag.LINE_UP, body),
        )

    def in_attempt(self, attempt: int, game: bytes) -> LineUp:
        """Return the same line-up of another attempt."""
        place = (self.predecessor, self.base, self.position)
        return LineUp.build(game, attempt, *place, self.plan, self.openings)

    @property
    def rank(self) -> tuple[int, bytes]:
        """Return the rank; of two line-ups that have begun the greater one counts."""
        return (self.attempt, self.id)

    @property
    def base(self) -> tuple[int, bytes]:
        return (self.height, self.head)

    def find(self, keeper: Seat) -> Change | None:
        return next((change for change in self.plan if change.keeper == keeper), None)

    def names(self, *reasons: Reason) -> tuple[Seat, ...]:
        return tuple(change.keeper for change in self.plan if change.reason in reasons)

    def assent(self, signer: Signer) -> bytes:
        """Sign the line-up. A keeper that has assented signs nothing of a lower attempt."""
        return signer.sign(Tag.LINE_UP, self.body)

    def signed(self, seals: Mapping[Seat, bytes]) -> Signed:
        return Signed(BodyKind.LINE_UP, self.body, entries.pack_seals(seals))

    def proving(self, seal: bytes) -> Signed:
        """Return the line-up with one assent, as a proof has it."""
        return Signed(BodyKind.LINE_UP, self.body, octets(seal, SIGNATURE_BYTES))


@dataclass(frozen=True, slots=True)
class Ready(Body):
    """A keeper finds this line-up in this attempt: the flush of view synchrony."""

    KIND = BodyKind.READY
    READERS = (_SEAT, partial(integer, least=1, most=MAX_ATTEMPT), _HASH, _INSTANCE)
    seat: Seat
    attempt: int
    lineup: bytes
    instance: bytes
    signed: Signed = field(repr=False)


# -- facts and wishes ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Leave(Body):
    """A keeper leaves for good. It signs nothing after this."""

    KIND = BodyKind.LEAVE
    READERS = (_SEAT, partial(integer, most=MAX_ATTEMPT), partial(integer, most=MAX_ATTEMPT))
    seat: Seat
    line_up: int
    attempt: int
    """The greatest attempt to which it has assented. It has left in those above."""
    signed: Signed = field(repr=False)

    def __post_init__(self) -> None:
        if self.attempt < self.line_up:
            raise BadBytes("a LEAVE from before its line-up")


STOP, BOT = 1, 2
"""The flags of a WISH: stop for today; let a bot play for me."""


def _read_refused(value: object) -> tuple[tuple[Seat, bytes], ...]:
    pairs = [array(item, 2) for item in array(value, most=MAX_KEEPERS)]
    refused = tuple((_SEAT(keeper), _INSTANCE(instance)) for keeper, instance in pairs)
    if [keeper for keeper, _ in refused] != sorted({keeper for keeper, _ in refused}):
        raise BadBytes("keepers that do not ascend")
    return refused


@dataclass(frozen=True, slots=True)
class Wish(Body):
    """What a keeper wants; of one keeper that with the greatest serial counts."""

    KIND = BodyKind.WISH
    READERS = (
        _SEAT, integer, partial(entries.ascending_seats, most=MAX_KEEPERS), _read_refused,
        partial(integer, most=STOP | BOT),
    )  # fmt: skip
    seat: Seat
    serial: int
    without: tuple[Seat, ...]
    refused: tuple[tuple[Seat, bytes], ...]
    """Processes that are not wanted back: their keepers and instances, ascending."""
    flags: int
    signed: Signed = field(repr=False)

    @property
    def stops(self) -> bool:
        return bool(self.flags & STOP)

    @property
    def is_away(self) -> bool:
        return bool(self.flags & BOT)

    @property
    def rank(self) -> tuple[int, bytes]:
        """Return the rank; of the wishes of one keeper the greatest counts."""
        return (self.serial, self.signed.body)


def sign_wish(
    signer: Signer,
    game: bytes,
    seat: Seat,
    serial: int,
    *,
    without: tuple[Seat, ...] = (),
    refused: tuple[tuple[Seat, bytes], ...] = (),
    stops: bool = False,
    is_away: bool = False,
) -> Wish:
    flags = STOP * stops + BOT * is_away
    return Wish.sign(signer, game, seat, serial, without, refused, flags)


@dataclass(frozen=True, slots=True)
class Here(Body):
    """A process wants to play its keeper's seat; of one keeper the greatest instance counts."""

    KIND = BodyKind.HERE
    READERS = (_SEAT, _INSTANCE)
    seat: Seat
    instance: bytes
    signed: Signed = field(repr=False)


# -- proofs of cheating (PROTOCOL.md 9.6) --------------------------------------------------


MAX_PROOF_BYTES = 4096
"""The limit of a whole proof. Two bodies of the greatest size that their forms allow fit in it."""

_PROVING_KINDS = (BodyKind.PLAY, BodyKind.LINE_UP, BodyKind.LEAVE, BodyKind.SHARE)


@dataclass(frozen=True, slots=True)
class CheatProof:
    """The evidence itself: signed bodies, unchanged, that anybody can verify."""

    bodies: tuple[Signed, ...]
    id: bytes = field(init=False, repr=False, compare=False)
    """What copies of the game know it by."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", digest(Tag.PROOF, self.pack()))

    def pack(self) -> bytes:
        return encoding.pack(
            tuple(part for s in self.bodies for part in (int(s.kind), s.body, s.signature))
        )

    @property
    def signed(self) -> Signed:
        return Signed(BodyKind.CHEAT_PROOF, self.pack(), b"")

    @staticmethod
    def parse(signed: Signed) -> CheatProof:
        if signed.signature:
            raise BadBytes("a proof with a signature")
        return CheatProof.unpack(signed.body)

    @staticmethod
    def unpack(data: bytes) -> CheatProof:
        """Return the proof in `data`, true or not; raise BadBytes if it is none."""
        if len(data) > MAX_PROOF_BYTES:
            raise BadBytes("a proof that is too long")
        parts = array(encoding.unpack(data), most=6)
        if len(parts) not in (3, 6):
            raise BadBytes("a proof is one body or two")
        return CheatProof(tuple(_parse_signed(*parts[i : i + 3]) for i in range(0, len(parts), 3)))


def _parse_signed(kind: object, body: object, signature: object) -> Signed:
    found = integer(kind)
    if found not in _PROVING_KINDS:
        raise BadBytes("a body that proves nothing")
    return Signed(BodyKind(found), octets(body), octets(signature, SIGNATURE_BYTES))


class CheatKind(StrEnum):
    """The ways to cheat that a log or a proof can show."""

    ILLEGAL_MOVE = "illegal-move"
    WRONG_OPENING = "wrong-opening"
    """The seat has opened another value than it had committed to."""
    EQUIVOCATION = "equivocation"
    """The keeper has signed two bodies that exclude each other."""
    COPIED_COMMITMENT = "copied-commitment"
    WRONG_SHARE = "wrong-share"
    BAD_ENTRY = "bad-entry"
    """The seat has signed an entry that no unmodified program writes."""
