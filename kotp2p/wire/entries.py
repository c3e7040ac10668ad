"""Signed bodies, and the entries of the game byte by byte (PROTOCOL.md 5).

Scope: the kinds of signed bodies; entries with their seven payloads; heartbeats.

An entry is `[attempt, height, prev, seat, type, payload]`. The attempt names the line-up in which
it was owed, and `prev`, the head before its height, binds it to the game. Its id is a hash of the
body without the signature, so that one statement has one id, whatever signatures it is given. An
entry holds no clock and no fresh randomness. A seat that signs the same answer again after a
restart makes the same bytes, and so cannot be taken for a cheat.

Entries and payloads are slotted and not frozen, like the events of the referee: a frozen one takes
longer to make, and a tuple longer to read. No code changes one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, unique
from functools import lru_cache, partial
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    NamedTuple,
    Self,
    TypeAlias,
    TypeVar,
    get_args,
)

from kotp2p.referee.model import answers
from kotp2p.referee.model.answers import Answer, Face, Seat
from kotp2p.wire import crypto, encoding
from kotp2p.wire.crypto import Signer, Tag, is_valid_signature
from kotp2p.wire.encoding import BadBytes, Value, array, integer, octets, optional

# -- answers: `[code, …]` for each kind (PROTOCOL.md 5.3) ----------------------------------
#
# The secret of an answer is a field that the protocol adds and that the referee never sees. In a
# `BuyTop` it is the withheld contribution, in a `Peek` the X25519 key of the peeker.


Secret: TypeAlias = bytes | None
B = TypeVar("B")
"""What a reader makes of a field or of a body."""
_FACES = tuple(Face)


def _read_face(value: object) -> Face:
    return _FACES[integer(value, 0, 5)]


def _read_numbers(value: object) -> tuple[int, ...]:
    return tuple([_ITEM(n) for n in array(value, most=200)])


def _read_groups(value: object) -> tuple[Face, ...]:
    return tuple([_read_face(group) for group in array(value, most=6)])


def _read_gifts(value: object) -> tuple[tuple[Seat, int], ...]:
    gifts = [array(gift, 2) for gift in array(value, most=6)]
    return tuple((integer(seat, 0, 5), _DIE(hearts)) for seat, hearts in gifts)


def _read_key(value: object) -> bytes:
    return crypto.check_exchange_key(octets(value, 32))


_ITEM = partial(integer, most=999)
_DIE = partial(integer, most=64)
_FORMS: tuple[tuple[type[Answer], tuple[encoding.Reader, ...]], ...] = (
    (answers.Stop, ()),
    (answers.Reroll, (_read_numbers,)),
    (answers.Use, (_ITEM, optional(_DIE), optional(_read_face))),
    (answers.Pass, ()),
    (answers.Done, ()),
    (answers.Order, (_read_groups,)),
    (answers.Hearts, (_DIE, _DIE, _DIE, _read_gifts)),
    (answers.Yield, ()),
    (answers.Stay, ()),
    (answers.Swap, (_ITEM,)),
    (answers.Buy, (_ITEM,)),
    (answers.BuyTop, (_ITEM, partial(octets, size=32))),
    (answers.Peek, (optional(_read_key),)),
    (answers.Sweep, ()),
    (answers.Deposit, (_ITEM,)),
    (answers.Copy, (_ITEM,)),
    (answers.Keep, ()),
    (answers.Take, (_ITEM,)),
    (answers.Sell, (_read_numbers,)),
    (answers.Again, ()),
)
"""By code: the answer, and the readers of its fields. That of a secret comes last."""
_CODES = {kind: code for code, (kind, _) in enumerate(_FORMS)}
_WITH_SECRET = (answers.BuyTop, answers.Peek)


def answer_to_value(answer: Answer, secret: Secret) -> tuple[Value, ...]:
    """Return the array of an answer; `secret` is written only for `BuyTop` and `Peek`."""
    fields = [_plain(getattr(answer, name)) for name in answer.__slots__]
    secrets = (secret,) if isinstance(answer, _WITH_SECRET) else ()
    return (_CODES[type(answer)], *fields, *secrets)


def _plain(field: Any) -> Value:
    if isinstance(field, tuple):
        return tuple([_plain(item) for item in field])
    return int(field) if isinstance(field, Face) else field


def parse_answer(value: object) -> tuple[Answer, Secret]:
    """Return the answer that an array encodes, and its secret; raise BadBytes."""
    fields = array(value)
    if not fields or integer(fields[0]) >= len(_FORMS):
        raise BadBytes("no such answer")
    kind, readers = _FORMS[integer(fields[0])]
    given = array(fields[1:], len(readers))
    found = encoding.read_fields(readers, given)
    secret = found.pop() if kind in _WITH_SECRET else None
    return kind(*found), secret


# -- lists of seats ------------------------------------------------------------------------


MAX_SEAT = 5


def ascending_seats(value: object, most: int = MAX_SEAT) -> tuple[Seat, ...]:
    seats = tuple(integer(seat, 0, MAX_SEAT) for seat in array(value, most=most))
    if list(seats) != sorted(set(seats)):
        raise BadBytes("seats that do not ascend")
    return seats


# -- signed bodies and entries -------------------------------------------------------------


Place: TypeAlias = tuple[int, int]
"""The attempt of a line-up, and a height."""

MAX_HEIGHT = 1_000_000
MAX_ATTEMPT = 1_000_000
"""Far above the attempts of all line-ups of a game."""
CONTRIBUTION_BYTES = 32
SEALED_SHARE_BYTES = CONTRIBUTION_BYTES + 16
"""A sealed contribution: the plain bytes and the tag of ChaCha20-Poly1305."""
INSTANCE_BYTES = 8
MAX_FRESH_SLOTS = 8
READINGS_KEPT = 256
"""How many results the readers of frames and bodies cache: the same bytes come over several links,
and some are looked at twice on their way."""


# -- signed bodies -----------------------------------------------------------------------


@unique
class BodyKind(IntEnum):
    """The kind of a signed body: the first field of its frame and of its record."""

    GENESIS = 1
    PLAY = 2
    LINE_UP = 3
    """A line-up with assents to it (`kotp2p.wire.lineups`), as are the next two."""
    LEAVE = 4
    SHARE = 5
    READY = 6
    """A keeper finds this line-up. Travels on links and stands in no log, as does what follows."""
    HEAD = 7
    WISH = 8
    """What a player wants about who plays (`kotp2p.wire.lineups`)."""
    ADDRESS = 9
    CHAT = 10
    CHEAT_PROOF = 11
    """A proof of cheating (`kotp2p.wire.lineups`). Not signed itself: its bodies are."""
    HERE = 12
    PROGRAM = 13
    """The program that has written a log: its first record. Unsigned, for people."""


PLAY: Final = BodyKind.PLAY
SHARE: Final = BodyKind.SHARE
"""The kinds of entries. Python 3.11 takes longer for `BodyKind.PLAY` than for a call."""
_ID_TAG = Tag.PLAY  # of the ids of both kinds

TAG_OF_KIND = {
    BodyKind.GENESIS: Tag.GENESIS,
    BodyKind.PLAY: Tag.PLAY,
    BodyKind.LINE_UP: Tag.LINE_UP,
    BodyKind.LEAVE: Tag.LEAVE,
    BodyKind.SHARE: Tag.SHARE,
    BodyKind.READY: Tag.FLUSH,
    BodyKind.HEAD: Tag.HEAD,
    BodyKind.WISH: Tag.WISH,
    BodyKind.ADDRESS: Tag.ADDRESS,
    BodyKind.CHAT: Tag.CHAT,
    BodyKind.HERE: Tag.HERE,
}


class Signed(NamedTuple):
    """A body with its kind and the signature over these very bytes, never encoded anew."""

    kind: BodyKind
    body: bytes
    signature: bytes

    def is_by(self, key: bytes) -> bool:
        return is_valid_signature(key, TAG_OF_KIND[self.kind], self.body, self.signature)

    @staticmethod
    def sign(signer: Signer, kind: BodyKind, value: Value, read: Callable[[Signed], B]) -> B:
        """Return what `read`, the reader of others, makes of a signed body; raise Unwritable."""
        unsigned = bytes(crypto.SIGNATURE_BYTES)
        body = encoding.pack_readable(value, lambda packed: read(Signed(kind, packed, unsigned)))
        return read(Signed(kind, body, signer.sign(TAG_OF_KIND[kind], body)))


class Body:
    """A signed body of a game: the game's id and the fields of the class, last itself `signed`."""

    __slots__ = ()
    KIND: ClassVar[BodyKind]
    READERS: ClassVar[tuple[encoding.Reader, ...]]

    if TYPE_CHECKING:

        def __init__(self, *values: Any) -> None: ...

    @classmethod
    def sign(cls, signer: Signer, game: bytes, *fields: Value) -> Self:
        value = (game, *fields)
        return Signed.sign(signer, cls.KIND, value, lambda signed: cls.parse(signed, game))

    @classmethod
    def parse(cls, signed: Signed, game: bytes) -> Self:
        """Read a body; raise BadBytes if it is malformed or of another game."""
        return cls(*_read_body(cls.READERS, signed.body, game), signed)


@lru_cache(4 * READINGS_KEPT)
def _read_body(readers: tuple[encoding.Reader, ...], body: bytes, game: bytes) -> list[Any]:
    return encoding.read_fields(readers, encoding.unpack_body(body, game, len(readers)))


@lru_cache(READINGS_KEPT)
def pack_signed(signed: Signed) -> bytes:
    """Return the array that a frame or a record holds; raise Unwritable."""
    return encoding.pack_octets(int(signed.kind), signed.body, signed.signature)


def pack_seals(seals: Mapping[Seat, bytes]) -> bytes:
    """Join a byte of seat and 64 bytes of signature for each seal; raise Unwritable."""
    joined = b"".join(bytes((seat,)) + seals[seat] for seat in sorted(seals))
    try:
        unpack_seals(joined)
    except BadBytes as fault:
        raise encoding.Unwritable(str(fault)) from fault
    return joined


def unpack_seals(data: bytes) -> dict[Seat, bytes]:
    """Return the signatures by seat; raise BadBytes unless there are some, by ascending seat."""
    size = 1 + crypto.SIGNATURE_BYTES
    if not data or len(data) % size:
        raise BadBytes("no list of signatures")
    seals = {
        integer(data[i], 0, MAX_SEAT): data[i + 1 : i + size] for i in range(0, len(data), size)
    }
    if len(seals) * size != len(data) or list(seals) != sorted(seals):
        raise BadBytes("signatures out of order")
    return seals


# -- the payloads of entries (PROTOCOL.md 5.2) ---------------------------------------------


@unique
class EntryType(IntEnum):
    """The type of an entry: which payload it carries."""

    ANSWER = 1
    OPENING = 2
    ROWS = 3
    SHARE = 4
    BLAME = 5
    WITNESS = 6
    END = 7


class PayloadBase(encoding.WireArray):
    __slots__ = ()
    TYPE: ClassVar[EntryType]
    KIND: ClassVar[BodyKind] = BodyKind.PLAY
    NAMES_ATTEMPT: ClassVar[bool] = True
    """The id of the entry depends on its attempt."""


_HASH = partial(octets, size=crypto.HASH_BYTES)
_COMMITMENTS = partial(encoding.octets_in_array, size=crypto.HASH_BYTES, most=MAX_FRESH_SLOTS)


def _read_contributions(value: object) -> tuple[bytes | None, ...]:
    contributions = array(value, None, MAX_FRESH_SLOTS)
    return tuple([None if c is None else octets(c, CONTRIBUTION_BYTES) for c in contributions])


@dataclass(slots=True)
class Answering(PayloadBase):
    """A seat's answer to the decision that it is asked for."""

    TYPE = EntryType.ANSWER
    answer: Answer
    secret: Secret = None
    """With `BuyTop`: the contribution that the keeper has withheld so far. With a `Peek` at a top
    card that the seat of another keeper has seen: the X25519 key to seal the share for."""

    def value(self) -> tuple[Value, ...]:
        return answer_to_value(self.answer, self.secret)

    @classmethod
    def parse(cls, value: object) -> Answering:
        return Answering(*parse_answer(value))


@dataclass(slots=True)
class Opening(PayloadBase):
    """A keeper's part of a gather: it opens slots, and commits to later ones (PROTOCOL.md 7.2)."""

    TYPE = EntryType.OPENING
    NAMES_ATTEMPT = False
    READERS = (_read_contributions, _COMMITMENTS, optional(_HASH), optional(_HASH))
    contributions: tuple[bytes | None, ...]
    """One for each fresh slot. None where a seat of this keeper looks: it withholds its
    contribution, so that only it can compute the card."""
    commitments: tuple[bytes, ...]
    """One for each fresh slot: to the slot that lies one window further on."""
    top: bytes | None = None
    """The withheld contribution to the slot of the top card, from the keeper that has it."""
    position: bytes | None = None
    """The digest of the position, in the first gather after the end of a turn."""


def read_dice_row(value: object) -> tuple[bytes, ...]:
    return tuple([_HASH(c) for c in array(value, crypto.DICE_WINDOW)])


def read_card_row(value: object) -> tuple[bytes, ...]:
    return tuple([_HASH(c) for c in array(value, crypto.CARD_WINDOW)])


@dataclass(slots=True)
class Rows(PayloadBase):
    """A keeper's commitments to a whole window of each stream, after a change of line-up."""

    TYPE = EntryType.ROWS
    READERS = (read_dice_row, read_card_row)
    dice: tuple[bytes, ...]
    cards: tuple[bytes, ...]


@dataclass(slots=True)
class Share(PayloadBase):
    """The withheld contribution to the top card's slot, sealed for a second looker."""

    TYPE = EntryType.SHARE
    READERS = (partial(octets, size=crypto.KEY_BYTES), partial(octets, size=SEALED_SHARE_BYTES))
    KIND = BodyKind.SHARE
    sender: bytes
    """The X25519 public key that the sender has made for this share."""
    sealed: bytes


@dataclass(slots=True)
class Blame(PayloadBase):
    """The second looker shows its X25519 secret: anybody can open the share and judge it."""

    TYPE = EntryType.BLAME
    READERS = (_HASH,)
    KIND = BodyKind.SHARE
    secret: bytes


@dataclass(slots=True)
class Witness(PayloadBase):
    """What a keeper without a living seat owes to a gather: the one body that is possible."""

    TYPE = EntryType.WITNESS
    NAMES_ATTEMPT = False

    def value(self) -> Value:
        return None

    @classmethod
    def parse(cls, value: object) -> Witness:
        if value is not None:
            raise BadBytes("a witness that says something")
        return Witness()


@dataclass(slots=True)
class End(PayloadBase):
    """A keeper confirms the end of the game (PROTOCOL.md 9.4)."""

    TYPE = EntryType.END
    READERS = (partial(ascending_seats, most=MAX_SEAT + 1), _HASH)
    winners: tuple[Seat, ...]
    """In seat order; empty if no monster is left."""
    position: bytes


Payload: TypeAlias = Answering | Opening | Rows | Share | Blame | Witness | End
PAYLOADS: dict[int, type[Payload]] = {payload.TYPE: payload for payload in get_args(Payload)}


# -- entries -----------------------------------------------------------------------------


@dataclass(slots=True)
class Entry:
    """A signed step of one seat."""

    attempt: int
    """That of the line-up in which it was owed; in a gather that was kept, perhaps a later one."""
    height: int
    prev: bytes
    """The head before `height`: an entry counts only on the past that its signer has seen."""
    seat: Seat
    payload: Payload
    signed: Signed
    id: bytes
    _key: bytes = field(default=b"", init=False, compare=False, repr=False)
    """One that was found to have signed it."""

    @property
    def place(self) -> Place:
        return (self.attempt, self.height)

    def is_by(self, key: bytes) -> bool:
        """Return whether `key` has signed it: asked at more places than need a check."""
        if not self._key and self.signed.is_by(key):
            self._key = key
        return self._key == key

    @staticmethod
    def sign(
        signer: Signer, attempt: int, height: int, prev: bytes, seat: Seat, payload: Payload
    ) -> Entry:
        value = (attempt, height, prev, seat, int(payload.TYPE), payload.value())
        entry = Signed.sign(signer, payload.KIND, value, Entry.parse_once)
        entry._key = signer.key
        if entry.payload != payload:
            raise encoding.Unwritable("a payload that is read as another one")
        return entry

    @staticmethod
    @lru_cache(READINGS_KEPT)
    def parse(signed: Signed) -> Entry:
        """Return the entry of a PLAY or SHARE body, signature unchecked; raise BadBytes."""
        return Entry.parse_once(signed)

    @staticmethod
    def parse_once(signed: Signed) -> Entry:
        """Return the entry like `parse`, without caching it: in a log bodies come once."""
        attempt, height, prev, seat, kind, payload = array(
            encoding.unpack_for_readers(signed.body), 6
        )
        payload_class = PAYLOADS.get(kind) if type(kind) is int else None
        if payload_class is None:
            raise BadBytes("no such entry type")
        load = payload_class.parse(payload)
        # PLAY and SHARE are signed under different tags; each type of payload has one of them.
        if signed.kind is not load.KIND:
            raise BadBytes("an entry of another class")
        # What is opened is the same in each line-up that keeps the gather, so the id of an OPENING
        # or WITNESS is that of the same body with attempt 0.
        is_as_at_0 = load.NAMES_ATTEMPT or attempt == 0
        named = signed.body if is_as_at_0 else encoding.with_first_zero(signed.body)
        return Entry(
            integer(attempt, 0, MAX_ATTEMPT),
            integer(height, 0, MAX_HEIGHT),
            octets(prev, crypto.HASH_BYTES),
            integer(seat, 0, MAX_SEAT),
            load,
            signed,
            crypto.digest(_ID_TAG, named),
        )


# -- heartbeats ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Head(Body):
    """A heartbeat: how far the game of its seat has come (PROTOCOL.md 9.1)."""

    KIND = BodyKind.HEAD
    READERS = (
        partial(integer, most=MAX_ATTEMPT), partial(integer, most=MAX_HEIGHT), _HASH,
        partial(integer, most=MAX_SEAT), partial(octets, size=INSTANCE_BYTES), integer,
    )  # fmt: skip
    attempt: int
    height: int
    head: bytes
    seat: Seat
    instance: bytes
    """The process that plays the seat: its epoch, 4 bytes, and 4 random bytes. That of a later
    process is greater (PROTOCOL.md 9.5)."""
    beat: int
    """Ascends with each heartbeat of a process. One that is no greater shows no sign of life:
    anybody may have kept it."""
    signed: Signed = field(repr=False)


def sign_head(
    signer: Signer, game: bytes, seat: Seat, attempt: int, height: int, head: bytes,
    instance: bytes = bytes(INSTANCE_BYTES), beat: int = 0,
) -> Signed:  # fmt: skip
    return Head.sign(signer, game, attempt, height, head, seat, instance, beat).signed


# -- chat of a game ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChatLine(Body):
    KIND = BodyKind.CHAT
    READERS = (
        partial(integer, most=MAX_SEAT),
        integer,
        partial(encoding.text, most=encoding.MAX_TEXT),
    )
    seat: Seat
    serial: int
    """Counts up: a line that arrives twice is shown once."""
    words: str
    signed: Signed = field(repr=False)
