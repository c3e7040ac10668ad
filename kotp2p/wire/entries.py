"""Entries: what a seat signs, byte by byte (PROTOCOL.md 5).

An entry is `[version, game, view, height, prev, seat, type, payload]`. Its id hashes the body
without the signature, so nobody can make two ids of one statement. Entries hold no clock and no
fresh randomness: signing the same answer again gives the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from kotp2p.wire.answer_codec import Secret, answer_to_value, parse_answer
from kotp2p.wire.commitments import CARD_WINDOW, DICE_WINDOW, Stream
from kotp2p.wire.crypto import (
    HASH_BYTES,
    KEY_BYTES,
    SIGNATURE_BYTES,
    Signer,
    Tag,
    digest,
    is_valid_signature,
)
from kotp2p.wire.encoding import (
    BadBytes,
    Value,
    array,
    integer,
    octets,
    optional_octets,
    pack,
    unpack,
)
from referee.model.answers import Answer, Seat

ENTRY_VERSION = 1
MAX_SEAT = 5
MAX_HEIGHT = 1_000_000
MAX_VIEW = 10_000
"""Far above the rounds of all votes of a game."""
SEALED_SHARE_BYTES = 48
"""A sealed contribution: 32 bytes and their tag."""


class BodyKind(IntEnum):
    """What a signed body is: the first field of its frame and of its record."""

    GENESIS = 1
    PLAY = 2
    VOTE = 3
    STAND_IN = 4
    SHARE = 5
    CLOSE = 6
    HEAD = 7
    """Heartbeat: only on links, never in a log."""
    WORD = 8
    """What a player wants (`kotp2p.wire.intents`): only on links, never in a log."""
    ADDRESS = 9
    """Where a seat can be dialled (`kotp2p.wire.addresses`): only on links, never in a log."""
    CHAT = 10
    """Only on links, never in a log (`kotp2p.mesh.chat`)."""
    PROOF = 11
    """Unsigned itself: the last record of a file of evidence (`kotp2p.game.evidence`)."""


TAG_OF_KIND = {
    BodyKind.GENESIS: Tag.GENESIS,
    BodyKind.PLAY: Tag.PLAY,
    BodyKind.VOTE: Tag.VOTE,
    BodyKind.STAND_IN: Tag.STAND_IN,
    BodyKind.SHARE: Tag.SHARE,
    BodyKind.CLOSE: Tag.CLOSE,
    BodyKind.HEAD: Tag.HEAD,
    BodyKind.WORD: Tag.WORD,
    BodyKind.ADDRESS: Tag.ADDRESS,
    BodyKind.CHAT: Tag.CHAT,
}


@dataclass(frozen=True, slots=True)
class Signed:
    """A body with its class and signature, as it travels and as it is stored."""

    kind: BodyKind
    body: bytes
    signature: bytes

    def is_by(self, key: bytes) -> bool:
        return is_valid_signature(key, TAG_OF_KIND[self.kind], self.body, self.signature)

    @staticmethod
    def sign(signer: Signer, kind: BodyKind, value: Value) -> Signed:
        body = pack(value)
        return Signed(kind, body, signer.sign(TAG_OF_KIND[kind], body))


class EntryType(IntEnum):
    ANSWER = 1
    OPENING = 2
    COMMITS = 3
    SHARE = 4
    BLAME = 5


@dataclass(frozen=True, slots=True)
class Answering:
    """A seat's answer to the decision it is asked."""

    answer: Answer
    secret: Secret = None
    """`BuyTop`: the withheld contribution. `Peek` at a top that another seat has seen: the
    X25519 key to seal the share for."""

    def value(self) -> Value:
        return answer_to_value(self.answer, self.secret)


@dataclass(frozen=True, slots=True)
class Opening:
    """A seat's part of a gather: contributions of the fresh slots, and the next commitments."""

    stream: Stream
    slot: int
    """The first fresh slot."""
    contributions: tuple[bytes | None, ...]
    """One for each fresh slot; None where the seat withholds it (its own secret look)."""
    commitments: tuple[bytes, ...]
    """Of the slots one window further on, one for each fresh slot."""
    top: bytes | None = None
    """The contribution to the half-open slot, from the seat that withheld it."""
    position: bytes | None = None
    """In the first gather after a turn has ended: the digest of the position."""

    def value(self) -> Value:
        return (
            int(self.stream),
            self.slot,
            self.contributions,
            self.commitments,
            self.top,
            self.position,
        )


@dataclass(frozen=True, slots=True)
class Commits:
    """A seat's part of the gather that begins a new view: a whole window of each stream."""

    dice_slot: int
    """The first slot that the commitments are for."""
    dice: tuple[bytes, ...]
    card_slot: int
    cards: tuple[bytes, ...]

    def value(self) -> Value:
        return (self.dice_slot, self.dice, self.card_slot, self.cards)


@dataclass(frozen=True, slots=True)
class Share:
    """The withheld contribution to the top card's slot, sealed for another looker."""

    slot: int
    sender: bytes
    """X25519 key made for this share."""
    sealed: bytes

    def value(self) -> Value:
        return (self.slot, self.sender, self.sealed)


@dataclass(frozen=True, slots=True)
class Blame:
    """The looker's X25519 secret: everybody can open the share and see who is wrong."""

    slot: int
    secret: bytes

    def value(self) -> Value:
        return (self.slot, self.secret)


Payload = Answering | Opening | Commits | Share | Blame


@dataclass(frozen=True, slots=True)
class Entry:
    view: int
    height: int
    prev: bytes
    seat: Seat
    payload: Payload
    game: bytes
    signed: Signed
    id: bytes = field(repr=False)

    @property
    def place(self) -> tuple[int, int]:
        return (self.view, self.height)

    @staticmethod
    def sign(
        signer: Signer, game: bytes, view: int, height: int, prev: bytes, seat: Seat, load: Payload
    ) -> Entry:
        kind = BodyKind.SHARE if isinstance(load, Share | Blame) else BodyKind.PLAY
        value = (ENTRY_VERSION, game, view, height, prev, seat, int(_TYPES[type(load)]))
        signed = Signed.sign(signer, kind, (*value, load.value()))
        return Entry(view, height, prev, seat, load, game, signed, entry_id(signed.body))

    @staticmethod
    def parse(signed: Signed) -> Entry:
        """The entry of a PLAY or SHARE body; BadBytes if it is malformed."""
        version, game, view, height, prev, seat, kind, payload = array(unpack(signed.body), 8)
        integer(version, ENTRY_VERSION, ENTRY_VERSION)
        load = _parse_payload(kind, payload)
        if (signed.kind is BodyKind.SHARE) != isinstance(load, Share | Blame):
            raise BadBytes("an entry of another class")
        return Entry(
            integer(view, 0, MAX_VIEW),
            integer(height, 0, MAX_HEIGHT),
            octets(prev, HASH_BYTES),
            integer(seat, 0, MAX_SEAT),
            load,
            octets(game, HASH_BYTES),
            signed,
            entry_id(signed.body),
        )


_TYPES = {
    Answering: EntryType.ANSWER,
    Opening: EntryType.OPENING,
    Commits: EntryType.COMMITS,
    Share: EntryType.SHARE,
    Blame: EntryType.BLAME,
}


def entry_id(body: bytes) -> bytes:
    return digest(Tag.PLAY, body)


def _parse_payload(kind: object, value: object) -> Payload:
    match integer(kind):
        case EntryType.ANSWER:
            return Answering(*parse_answer(value))
        case EntryType.OPENING:
            stream, slot, contributions, commitments, top, position = array(value, 6)
            return Opening(
                Stream(integer(stream, 0, 1)),
                integer(slot),
                tuple(optional_octets(c, 32) for c in array(contributions, most=8)),
                tuple(octets(c, HASH_BYTES) for c in array(commitments, most=8)),
                optional_octets(top, 32),
                optional_octets(position, HASH_BYTES),
            )
        case EntryType.COMMITS:
            dice_slot, dice, card_slot, cards = array(value, 4)
            return Commits(
                integer(dice_slot),
                tuple(octets(c, HASH_BYTES) for c in array(dice, DICE_WINDOW)),
                integer(card_slot),
                tuple(octets(c, HASH_BYTES) for c in array(cards, CARD_WINDOW)),
            )
        case EntryType.SHARE:
            slot, sender, sealed = array(value, 3)
            return Share(
                integer(slot), octets(sender, KEY_BYTES), octets(sealed, SEALED_SHARE_BYTES)
            )
        case EntryType.BLAME:
            slot, secret = array(value, 2)
            return Blame(integer(slot), octets(secret, 32))
        case _:
            raise BadBytes("no such entry type")


# -- the other signed bodies -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Farewell:
    """A seat leaves the game for good: it owes nothing from its place on (PROTOCOL.md 9.3)."""

    seat: Seat
    view: int
    height: int
    signed: Signed
    id: bytes = field(repr=False)

    @property
    def place(self) -> tuple[int, int]:
        return (self.view, self.height)

    @staticmethod
    def sign(signer: Signer, game: bytes, seat: Seat, view: int, height: int) -> Farewell:
        signed = Signed.sign(signer, BodyKind.STAND_IN, (game, seat, view, height))
        return Farewell(seat, view, height, signed, digest(Tag.STAND_IN, signed.body))

    @staticmethod
    def parse(signed: Signed, game: bytes) -> Farewell:
        theirs, seat, view, height = array(unpack(signed.body), 4)
        if theirs != game:
            raise BadBytes("a farewell to another game")
        return Farewell(
            integer(seat, 0, MAX_SEAT),
            integer(view, 0, MAX_VIEW),
            integer(height, 0, MAX_HEIGHT),
            signed,
            digest(Tag.STAND_IN, signed.body),
        )


@dataclass(frozen=True, slots=True)
class Head:
    """A heartbeat: how far its seat has come."""

    seat: Seat
    view: int
    height: int
    head: bytes

    def sign(self, signer: Signer, game: bytes) -> Signed:
        return Signed.sign(
            signer, BodyKind.HEAD, (game, self.view, self.height, self.head, self.seat)
        )

    @staticmethod
    def parse(signed: Signed, game: bytes) -> Head:
        theirs, view, height, head, seat = array(unpack(signed.body), 5)
        if theirs != game:
            raise BadBytes("a heartbeat of another game")
        return Head(
            integer(seat, 0, MAX_SEAT),
            integer(view, 0, MAX_VIEW),
            integer(height, 0, MAX_HEIGHT),
            octets(head, HASH_BYTES),
        )


@dataclass(frozen=True, slots=True)
class End:
    """What everybody signs at the end; the same body for all."""

    height: int
    head: bytes
    winners: tuple[Seat, ...]
    position: bytes

    def body(self, game: bytes) -> bytes:
        return pack((game, self.height, self.head, self.winners, self.position))

    @staticmethod
    def parse(body: bytes, game: bytes) -> End:
        theirs, height, head, winners, position = array(unpack(body), 5)
        if theirs != game:
            raise BadBytes("the end of another game")
        return End(
            integer(height, 0, MAX_HEIGHT),
            octets(head, HASH_BYTES),
            tuple(integer(w, 0, MAX_SEAT) for w in array(winners, most=6)),
            octets(position, HASH_BYTES),
        )


@dataclass(frozen=True, slots=True)
class Break:
    """Those present stop here and may go on another day: all of them, or without `absent`."""

    view: int
    height: int
    head: bytes
    absent: tuple[Seat, ...]
    """Seats of those that are gone, ascending; empty if the game is adjourned by all."""

    @property
    def place(self) -> tuple[int, int, bytes]:
        return (self.view, self.height, self.head)

    def body(self, game: bytes) -> bytes:
        return pack((game, BREAK_MARK, self.view, self.height, self.head, self.absent))


BREAK_MARK = 1
"""Tells the body of a `Break` from that of an `End`."""


def parse_closing(body: bytes, game: bytes) -> End | Break:
    """What a CLOSE body says; BadBytes if it is malformed or of another game."""
    fields = array(unpack(body))
    if len(fields) != 6:
        return End.parse(body, game)
    theirs, what, view, height, head, absent = fields
    if theirs != game:
        raise BadBytes("a break of another game")
    integer(what, BREAK_MARK, BREAK_MARK)
    seats = tuple(integer(s, 0, MAX_SEAT) for s in array(absent, most=MAX_SEAT))
    if list(seats) != sorted(set(seats)):
        raise BadBytes("seats out of order")
    return Break(
        integer(view, 0, MAX_VIEW), integer(height, 0, MAX_HEIGHT), octets(head, HASH_BYTES), seats
    )


def pack_seals(seals: dict[Seat, bytes]) -> bytes:
    """Signatures of several seats over one body: seat (one byte) and signature, by seat."""
    return b"".join(bytes((seat,)) + seals[seat] for seat in sorted(seals))


def unpack_seals(data: bytes) -> dict[Seat, bytes]:
    """The signatures by seat; BadBytes unless at least one, ascending, each seat once."""
    size = 1 + SIGNATURE_BYTES
    if not data or len(data) % size:
        raise BadBytes("no list of signatures")
    seals = {data[i]: data[i + 1 : i + size] for i in range(0, len(data), size)}
    if len(seals) * size != len(data) or list(seals) != sorted(seals):
        raise BadBytes("signatures out of order")
    return seals
