"""Signed bodies, and the entries of the game byte by byte (PROTOCOL.md 5).

Scope: the kinds of signed bodies; entries with their seven payloads; heartbeats.
Not here: line-ups and the facts that lead to them (`kotp2p.wire.lineups`), and which entry a seat
owes at the moment (`kotp2p.game`).

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
from dataclasses import dataclass
from enum import IntEnum, unique
from functools import lru_cache
from typing import ClassVar, Final, NamedTuple, TypeAlias, TypeVar, assert_never, get_args

from kotp2p.referee.model.answers import (
    Again,
    Answer,
    Buy,
    BuyTop,
    Copy,
    Deposit,
    Done,
    Face,
    Hearts,
    Keep,
    Order,
    Pass,
    Peek,
    Reroll,
    Seat,
    Sell,
    Stay,
    Stop,
    Swap,
    Sweep,
    Take,
    Use,
    Yield,
)
from kotp2p.wire.crypto import (
    CARD_WINDOW,
    DICE_WINDOW,
    HASH_BYTES,
    KEY_BYTES,
    SIGNATURE_BYTES,
    Signer,
    Tag,
    check_exchange_key,
    digest,
    is_valid_signature,
)
from kotp2p.wire.encoding import (
    BadBytes,
    Unwritable,
    Value,
    array,
    integer,
    octets,
    octets_in_array,
    pack,
    pack_readable,
    unpack_body,
    unpack_for_readers,
    with_first_zero,
)

# -- answers: `[code, …]` for each kind (PROTOCOL.md 5.3) ----------------------------------
#
# Answers to values and back, within the bounds of their form.
#
# The secret of an answer is a field that the protocol adds and that the referee never sees. In a
# `BuyTop` it is the withheld contribution, in a `Peek` the X25519 key of the peeker.


Secret: TypeAlias = bytes | None

_MAX_ITEM = 999
_MAX_DICE = 64
_FACES = tuple(Face)
"""Each face at the place that is its number."""
_CODES: dict[type, int] = {
    Stop: 0, Reroll: 1, Use: 2, Pass: 3, Done: 4, Order: 5, Hearts: 6, Yield: 7, Stay: 8,
    Swap: 9, Buy: 10, BuyTop: 11, Peek: 12, Sweep: 13, Deposit: 14, Copy: 15, Keep: 16,
    Take: 17, Sell: 18, Again: 19,
}  # fmt: skip
_BARE = {_CODES[bare]: bare for bare in (Stop, Pass, Done, Yield, Stay, Sweep, Keep, Again)}
"""The answers without fields, by their codes."""


def answer_to_value(answer: Answer, secret: Secret) -> Value:
    """Return the array of an answer; `secret` is written only for `BuyTop` and `Peek`."""
    code = _CODES[type(answer)]
    match answer:
        case Stop() | Pass() | Done() | Yield() | Stay() | Sweep() | Keep() | Again():
            return (code,)
        case Reroll(dice=numbers) | Sell(cards=numbers):
            return (code, numbers)
        case Use(item=item, die=die, face=face):
            return (code, item, die, None if face is None else int(face))
        case Order(groups=groups):
            return (code, tuple(int(g) for g in groups))
        case Hearts(heal=heal, poison=poison, shrink=shrink, give=give):
            return (code, heal, poison, shrink, give)
        case Swap(card=n) | Buy(card=n) | Copy(card=n) | Take(tile=n) | Deposit(energy=n):
            return (code, n)
        case BuyTop(card=card):
            return (code, card, secret)
        case Peek():
            return (code, secret)
        case _:
            assert_never(answer)


def parse_answer(value: object) -> tuple[Answer, Secret]:
    """Return the answer that an array encodes, and its secret; raise BadBytes."""
    fields = array(value)
    if not fields:
        raise BadBytes("an answer without a kind")
    code, rest = integer(fields[0]), fields[1:]
    bare = _BARE.get(code)
    if bare is not None:
        array(rest, 0)
        return bare(), None
    if code == _CODES[BuyTop]:
        card, opening = array(rest, 2)
        return BuyTop(_parse_item(card)), octets(opening, 32)
    if code == _CODES[Peek]:
        (key,) = array(rest, 1)
        return Peek(), None if key is None else check_exchange_key(octets(key, 32))
    return _answer_with_fields(code, rest), None


def _answer_with_fields(code: int, rest: tuple[object, ...]) -> Answer:
    if code == _CODES[Use]:
        item, die, face = array(rest, 3)
        return Use(
            _parse_item(item),
            None if die is None else integer(die, 0, _MAX_DICE),
            None if face is None else _FACES[integer(face, 0, 5)],
        )
    if code == _CODES[Hearts]:
        heal, poison, shrink, give = array(rest, 4)
        gifts = tuple(array(gift, 2) for gift in array(give, most=6))
        return Hearts(
            integer(heal, 0, _MAX_DICE),
            integer(poison, 0, _MAX_DICE),
            integer(shrink, 0, _MAX_DICE),
            tuple((integer(seat, 0, 5), integer(n, 0, _MAX_DICE)) for seat, n in gifts),
        )
    (field,) = array(rest, 1)
    if code == _CODES[Reroll]:
        return Reroll(_parse_numbers(field))
    if code == _CODES[Sell]:
        return Sell(_parse_numbers(field))
    if code == _CODES[Order]:
        return Order(tuple([_FACES[integer(g, 0, 5)] for g in array(field, most=6)]))
    for kind in (Swap, Buy, Copy, Take, Deposit):
        if code == _CODES[kind]:
            return kind(_parse_item(field))
    raise BadBytes("no such answer")


def _parse_numbers(value: object) -> tuple[int, ...]:
    return tuple([integer(n, 0, _MAX_ITEM) for n in array(value, most=200)])


def _parse_item(value: object) -> int:
    return integer(value, 0, _MAX_ITEM)


# -- lists of seats ------------------------------------------------------------------------
#
# The one form of a set of seats.


MAX_SEAT = 5


def ascending_seats(value: object, most: int = MAX_SEAT) -> tuple[Seat, ...]:
    """Return a list of seats: ascending, none twice, as a set has one encoding."""
    seats = tuple(integer(seat, 0, MAX_SEAT) for seat in array(value, most=most))
    if list(seats) != sorted(set(seats)):
        raise BadBytes("seats that do not ascend")
    return seats


# -- signed bodies and entries -------------------------------------------------------------


B = TypeVar("B")
"""What the reader of a body makes of it."""
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
"""How many slots one OPENING may open."""
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
    """A heartbeat."""
    WISH = 8
    """What a player wants about who plays (`kotp2p.wire.lineups`)."""
    ADDRESS = 9
    """Where a seat can be dialled (`kotp2p.wire.addresses`)."""
    CHAT = 10
    """A line of chat (`kotp2p.mesh.gossip`)."""
    CHEAT_PROOF = 11
    """A proof of cheating (`kotp2p.wire.lineups`). Not signed itself: its bodies are."""
    HERE = 12
    """A process wants to play the seat of its keeper (`kotp2p.wire.lineups`)."""
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
"""The tag under which a body of each kind is signed."""


class Signed(NamedTuple):
    """A body with its kind and its signature, as it travels and as it is stored.

    The signature is made over these very bytes. A body is never encoded anew before it is
    verified or passed on.
    """

    kind: BodyKind
    body: bytes
    signature: bytes

    def is_by(self, key: bytes) -> bool:
        """Return whether the owner of `key` has signed the body, as a body of this kind."""
        return is_valid_signature(key, TAG_OF_KIND[self.kind], self.body, self.signature)

    @staticmethod
    def sign(signer: Signer, kind: BodyKind, value: Value, read: Callable[[Signed], B]) -> B:
        """Return what `read` makes of a signed body with this value.

        `read` is the reader of such bodies of others. It sees the bytes before they are signed:
        raise Unwritable if it refuses them. No body with an author is signed elsewhere.
        """
        unsigned = bytes(SIGNATURE_BYTES)
        body = pack_readable(value, lambda packed: read(Signed(kind, packed, unsigned)))
        return read(Signed(kind, body, signer.sign(TAG_OF_KIND[kind], body)))


@lru_cache(READINGS_KEPT)
def pack_signed(signed: Signed) -> bytes:
    """Return the array that a frame or a record holds; raise Unwritable."""
    return pack((int(signed.kind), signed.body, signed.signature))


def pack_seals(seals: Mapping[Seat, bytes]) -> bytes:
    """Join the signatures of several keepers under one body.

    Each is a byte of seat and 64 bytes, in the order of seats. Raise Unwritable for seals that no
    reader would take.
    """
    joined = b"".join(bytes((seat,)) + seals[seat] for seat in sorted(seals))
    try:
        unpack_seals(joined)
    except BadBytes as fault:
        raise Unwritable(str(fault)) from fault
    return joined


def unpack_seals(data: bytes) -> dict[Seat, bytes]:
    """Return the signatures by seat; raise BadBytes unless there are some, by ascending seat."""
    size = 1 + SIGNATURE_BYTES
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


@dataclass(slots=True)
class Answering:
    """A seat's answer to the decision that it is asked for."""

    TYPE: ClassVar[EntryType] = EntryType.ANSWER
    KIND: ClassVar[BodyKind] = BodyKind.PLAY
    answer: Answer
    secret: Secret = None
    """With `BuyTop`: the contribution that the keeper has withheld so far. With a `Peek` at a top
    card that the seat of another keeper has seen: the X25519 key to seal the share for."""

    def value(self) -> Value:
        return answer_to_value(self.answer, self.secret)

    @staticmethod
    def parse(value: object) -> Answering:
        return Answering(*parse_answer(value))


@dataclass(slots=True)
class Opening:
    """A keeper's part of a gather: it opens fresh slots, and commits to the slots of the future.

    Which slots these are follows from the place (PROTOCOL.md 7.2).
    """

    TYPE: ClassVar[EntryType] = EntryType.OPENING
    KIND: ClassVar[BodyKind] = BodyKind.PLAY
    contributions: tuple[bytes | None, ...]
    """One for each fresh slot. None where a seat of this keeper looks: it withholds its
    contribution, so that only it can compute the card."""
    commitments: tuple[bytes, ...]
    """One for each fresh slot: to the slot that lies one window further on."""
    top: bytes | None = None
    """The withheld contribution to the slot of the top card, from the keeper that has it."""
    position: bytes | None = None
    """The digest of the position, in the first gather after the end of a turn."""

    def value(self) -> Value:
        return (self.contributions, self.commitments, self.top, self.position)

    @staticmethod
    def parse(value: object) -> Opening:
        contributions, commitments, top, position = array(value, 4)
        return Opening(
            tuple(
                [
                    None if c is None else octets(c, CONTRIBUTION_BYTES)
                    for c in array(contributions, None, MAX_FRESH_SLOTS)
                ]
            ),
            octets_in_array(commitments, HASH_BYTES, MAX_FRESH_SLOTS),
            None if top is None else octets(top, CONTRIBUTION_BYTES),
            None if position is None else octets(position, HASH_BYTES),
        )


@dataclass(slots=True)
class Rows:
    """A keeper's commitments to a whole window of each stream, after a change of line-up."""

    TYPE: ClassVar[EntryType] = EntryType.ROWS
    KIND: ClassVar[BodyKind] = BodyKind.PLAY
    dice: tuple[bytes, ...]
    cards: tuple[bytes, ...]

    def value(self) -> Value:
        return (self.dice, self.cards)

    @staticmethod
    def parse(value: object) -> Rows:
        dice, cards = array(value, 2)
        return Rows(
            tuple(octets(c, HASH_BYTES) for c in array(dice, DICE_WINDOW)),
            tuple(octets(c, HASH_BYTES) for c in array(cards, CARD_WINDOW)),
        )


@dataclass(slots=True)
class Share:
    """The withheld contribution to the top card's slot, sealed for a second looker."""

    TYPE: ClassVar[EntryType] = EntryType.SHARE
    KIND: ClassVar[BodyKind] = BodyKind.SHARE
    sender: bytes
    """The X25519 public key that the sender has made for this share."""
    sealed: bytes

    def value(self) -> Value:
        return (self.sender, self.sealed)

    @staticmethod
    def parse(value: object) -> Share:
        sender, sealed = array(value, 2)
        return Share(octets(sender, KEY_BYTES), octets(sealed, SEALED_SHARE_BYTES))


@dataclass(slots=True)
class Blame:
    """The second looker shows its X25519 secret: anybody can open the share and judge it."""

    TYPE: ClassVar[EntryType] = EntryType.BLAME
    KIND: ClassVar[BodyKind] = BodyKind.SHARE
    secret: bytes

    def value(self) -> Value:
        return (self.secret,)

    @staticmethod
    def parse(value: object) -> Blame:
        (secret,) = array(value, 1)
        return Blame(octets(secret, 32))


@dataclass(slots=True)
class Witness:
    """What a keeper without a living seat owes to a gather: that it has come to this place.

    Only one such body is possible, so nothing that a witness does can burn a roll or fork a game.
    """

    TYPE: ClassVar[EntryType] = EntryType.WITNESS
    KIND: ClassVar[BodyKind] = BodyKind.PLAY

    def value(self) -> Value:
        return None

    @staticmethod
    def parse(value: object) -> Witness:
        if value is not None:
            raise BadBytes("a witness that says something")
        return Witness()


@dataclass(slots=True)
class End:
    """A keeper confirms the end of the game (PROTOCOL.md 9.4)."""

    TYPE: ClassVar[EntryType] = EntryType.END
    KIND: ClassVar[BodyKind] = BodyKind.PLAY
    winners: tuple[Seat, ...]
    """In seat order; empty if no monster is left."""
    position: bytes
    """The digest of the last position."""

    def value(self) -> Value:
        return (self.winners, self.position)

    @staticmethod
    def parse(value: object) -> End:
        winners, position = array(value, 2)
        return End(ascending_seats(winners, most=MAX_SEAT + 1), octets(position, HASH_BYTES))


Payload: TypeAlias = Answering | Opening | Rows | Share | Blame | Witness | End
PAYLOADS: dict[int, type[Payload]] = {payload.TYPE: payload for payload in get_args(Payload)}
"""The class that reads each type of payload."""


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

    @property
    def place(self) -> Place:
        return (self.attempt, self.height)

    @staticmethod
    def sign(
        signer: Signer, attempt: int, height: int, prev: bytes, seat: Seat, payload: Payload
    ) -> Entry:
        value = (attempt, height, prev, seat, int(payload.TYPE), payload.value())
        entry = Signed.sign(signer, payload.KIND, value, Entry.parse)
        if entry.payload != payload:
            raise Unwritable("a payload that is read as another one")
        return entry

    @staticmethod
    @lru_cache(READINGS_KEPT)
    def parse(signed: Signed) -> Entry:
        """Return the entry of a PLAY or SHARE body; raise BadBytes if it is malformed.

        The signature is not checked here: the caller knows the key of the seat's keeper.
        """
        return Entry.parse_once(signed)

    @staticmethod
    def parse_once(signed: Signed) -> Entry:
        """Return the entry like `parse`, without caching it: in a log bodies come once."""
        attempt, height, prev, seat, kind, payload = array(unpack_for_readers(signed.body), 6)
        payload_class = PAYLOADS.get(integer(kind))
        if payload_class is None:
            raise BadBytes("no such entry type")
        load = payload_class.parse(payload)
        # PLAY and SHARE are signed under different tags; each type of payload has one of them.
        if signed.kind is not load.KIND:
            raise BadBytes("an entry of another class")
        return Entry(
            integer(attempt, 0, MAX_ATTEMPT),
            integer(height, 0, MAX_HEIGHT),
            octets(prev, HASH_BYTES),
            integer(seat, 0, MAX_SEAT),
            load,
            signed,
            _entry_id(signed.body, load),
        )


def _entry_id(body: bytes, payload: Payload) -> bytes:
    """Return the id of an entry: a hash of its body, which does not cover the signature.

    What is opened is the same in each line-up that keeps the gather, so the id of an OPENING or
    WITNESS is that of the same body with attempt 0.
    """
    if isinstance(payload, Opening | Witness):
        body = with_first_zero(body)
    return digest(_ID_TAG, body)


# -- heartbeats ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Head:
    """A heartbeat: how far the game of its seat has come (PROTOCOL.md 9.1)."""

    seat: Seat
    attempt: int
    """The attempt of its line-up."""
    height: int
    head: bytes
    instance: bytes = bytes(8)
    """The process that plays the seat: its epoch, 4 bytes, and 4 random bytes. That of a later
    process is greater (PROTOCOL.md 9.5)."""
    beat: int = 0
    """Ascends with each heartbeat of a process. One that is no greater shows no sign of life:
    anybody may have kept it."""

    def sign(self, signer: Signer, game: bytes) -> Signed:
        place = (self.attempt, self.height, self.head)
        value = (game, *place, self.seat, self.instance, self.beat)
        _, signed = Signed.sign(signer, BodyKind.HEAD, value, lambda s: (Head.parse(s, game), s))
        return signed

    @staticmethod
    @lru_cache(READINGS_KEPT)
    def parse(signed: Signed, game: bytes) -> Head:
        attempt, height, head, seat, instance, beat = unpack_body(signed.body, game, 6)
        return Head(
            integer(seat, 0, MAX_SEAT),
            integer(attempt, 0, MAX_ATTEMPT),
            integer(height, 0, MAX_HEIGHT),
            octets(head, HASH_BYTES),
            octets(instance, INSTANCE_BYTES),
            integer(beat),
        )
