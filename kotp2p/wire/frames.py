"""Frames: all that two links say to each other, and their bytes (PROTOCOL.md 3).

Scope: each frame with its writer and its reader, the closed union `Frame` of all frames, and the
bytes of a link. A frame reaches those with a link; what all are to hear is a signed body, as chat
(`Chat` in kotp2p/mesh/gossip.py) is, and needs a version of the protocol. A new frame is a member
of `FrameType`, with the number after the greatest one, and a class with `TYPE`, and `READERS` for
its fields. It joins the union of its phase: `HandshakeFrame`, `GuestFrame`, `HostFrame`,
`MutualFrame`, `GameFrame`; in `FrameElsewhere` it stands only if the shell takes it, before the
peer. mypy then names each `match` of that phase; in a game that is the one of kotp2p/peer/peer.py.
tests/kotp2p/wire/test_frames.py names its row in PROTOCOL.md, and its sample in
tests/tools/vector_frames.py, from which `python -m tests.tools.vectors` makes its vector.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum, unique
from functools import lru_cache, partial
from typing import ClassVar, TypeAlias, get_args

from kotp2p.wire import encoding, entries, genesis, names, records
from kotp2p.wire.addresses import FIRST_CODE_NUMBER, LAST_CODE_NUMBER, read_start_target
from kotp2p.wire.crypto import HASH_BYTES, KEY_BYTES, SIGNATURE_BYTES, Tag, check_key, digest
from kotp2p.wire.encoding import BadBytes, Value, array, boolean, integer, octets, text
from kotp2p.wire.entries import Signed
from kotp2p.wire.genesis import MAX_SEATS

# -- type numbers and fields ---------------------------------------------------------------


@unique
class FrameType(IntEnum):
    """The type numbers of session frames, 64 to 127, each of one class (PROTOCOL.md 3.1)."""

    HELLO = 64
    PROOF = 65
    REFUSAL = 66
    SIT = 67
    LOBBY = 68
    STAND = 69
    CLOSED = 70
    START = 71
    SEALED = 72
    ALL_SEALED = 73
    ROW = 74
    GENESIS_SHOWN = 75
    LINKS = 78
    WANT = 79
    POSITION = 81
    PING = 82
    SAID = 83
    UNSURE = 84
    DECLINED = 85
    CHOOSE = 86
    MARK = 87
    DENIED = 88
    WATCH = 89
    ADMITTED = 90
    LOG_PART = 91
    WATCHED = 92
    CODE = 93
    ASK = 94


class FrameBase(encoding.WireArray):
    """A frame: an array of its type and its fields."""

    __slots__ = ()
    TYPE: ClassVar[FrameType]

    def value(self) -> tuple[Value, ...]:
        return (int(self.TYPE), *self.members())


HASH = partial(octets, size=HASH_BYTES)
SIGNATURE = partial(octets, size=SIGNATURE_BYTES)
HEIGHT = partial(integer, most=entries.MAX_HEIGHT)
ATTEMPT = partial(integer, most=entries.MAX_ATTEMPT)
_LOG_BYTES = partial(integer, most=records.MAX_LOG_BYTES)


def _read_hash_or_none(value: object) -> bytes:
    return octets(value, HASH_BYTES) if value != b"" else b""


def _read_key(value: object) -> bytes:
    return check_key(octets(value, KEY_BYTES))


# -- the handshake: each side of a new link proves its key (PROTOCOL.md 4) -----------------


class RefusalCode(IntEnum):
    """Why a side does not go on: the code in REFUSAL and in CLOSED (PROTOCOL.md 4.2)."""

    BAD = 0
    VERSION = 1
    FULL = 2
    STARTED = 3
    NO_TABLE = 4
    REMOVED = 5
    CLOSED = 6
    BUSY = 7
    NO_WATCHERS = 8
    KEPT = 9


class HelloRole(IntEnum):
    """What the sender of a HELLO wants to be."""

    PLAYER = 0
    WATCHER = 1
    """The sender reads the log of a game: it watches, or has a seat and has lost its files. Only a
    side that dials is one."""


@dataclass(frozen=True, slots=True)
class Hello(FrameBase):
    """The first frame of each side. Type, `protocol` and `rules` never change their places."""

    TYPE = FrameType.HELLO
    READERS = (
        integer, integer, partial(integer, most=max(HelloRole)), partial(octets, size=8),
        _read_hash_or_none, _read_key, partial(octets, size=genesis.NONCE_BYTES),
    )  # fmt: skip
    protocol: int
    rules: int
    role: int
    instance: bytes
    """8 bytes, fresh for each process: two links to one instance lead to one peer."""
    table: bytes
    """The id of the table whose mesh this link belongs to; empty for a lobby."""
    key: bytes
    nonce: bytes


@dataclass(frozen=True, slots=True)
class LinkProof(FrameBase):
    """Proves the key of a HELLO: a signature over both HELLOs and the binding of the connection."""

    TYPE = FrameType.PROOF
    READERS = (SIGNATURE,)
    signature: bytes


@dataclass(frozen=True, slots=True)
class Refusal(FrameBase):
    """The last frame of a side that does not go on. Its form never changes."""

    TYPE = FrameType.REFUSAL
    READERS = (integer, integer, integer, partial(text, most=encoding.MAX_TEXT))
    code: int
    """A `RefusalCode`, or a number that a later version has added."""
    protocol: int
    rules: int
    text: str


HandshakeFrame: TypeAlias = Hello | LinkProof | Refusal
"""Frames that are due only before both keys are proved, and a refusal at any time."""


# -- what a seated guest changes in the lobby (PROTOCOL.md 6.1) ----------------------------


NO_MARK = b""
"""In the place of a signature: the player is not ready."""


class DenialCode(IntEnum):
    """Why a host does not do what a seated guest wants. A reader takes other numbers, too."""

    STARTING = 1
    TOO_OFTEN = 2
    """The guest has changed something too often (PROTOCOL.md 9.9)."""
    NAME_TAKEN = 3
    NAME_KNOWN = 4
    """The host knows the name by another key, and has no person to ask."""
    NO_MONSTER = 5
    MONSTER_TAKEN = 6
    OTHER_LOBBY = 7
    """The mark was signed for another lobby than the present one."""


def read_mark(value: object) -> bytes:
    mark = octets(value, most=SIGNATURE_BYTES)
    if len(mark) not in (0, SIGNATURE_BYTES):
        raise BadBytes("no signature")
    return mark


@dataclass(frozen=True, slots=True)
class Choose(FrameBase):
    """A seated guest wants another name, or another monster."""

    TYPE = FrameType.CHOOSE
    READERS = (integer, names.read_label, names.read_label)
    serial: int
    """Ascends with every CHOOSE and MARK of one process."""
    name: str
    monster: str


@dataclass(frozen=True, slots=True)
class Mark(FrameBase):
    """A seated guest is ready for a game as the lobby has it, or not ready any more."""

    TYPE = FrameType.MARK
    READERS = (integer, read_mark)
    serial: int
    mark: bytes
    """What the guest has signed (`kotp2p.lobby.lobby_effects`), or NO_MARK."""


@dataclass(frozen=True, slots=True)
class Denied(FrameBase):
    """The host does not do what the guest wants."""

    TYPE = FrameType.DENIED
    READERS = (integer, integer)
    serial: int
    code: int
    """A `DenialCode`, or a number that a later version has added."""


# -- between a guest and the host, from the open table to the genesis (PROTOCOL.md 6) ------


MAX_PORT = 65_535
FRESH_BYTES = 16
MAX_LINE_BYTES = 1024
"""More than the body of a line of lobby chat ever has."""
PING_SECONDS = 2.0
"""The time between two pings on a link, in a lobby, in a game, and between watcher and source."""
LINK_DEAD_SECONDS = 12.0
"""A link from which nothing has come for this long is dead: six pings in a row were lost."""
SEAT_KEPT_SECONDS = 120.0
"""How long a host keeps the seat of a guest whose link is lost, and the guest dials it again."""


# -- sitting at a table ------------------------------------------------------------------


FRESH = partial(octets, size=FRESH_BYTES)
_WANTED_NAME = partial(text, most=names.MAX_NAME_LENGTH)


@dataclass(frozen=True, slots=True)
class Sit(FrameBase):
    """A guest asks for a seat."""

    TYPE = FrameType.SIT
    READERS = (_WANTED_NAME, _WANTED_NAME, partial(integer, most=MAX_PORT), boolean, FRESH, boolean)
    name: str
    monster: str
    port: int
    """Where the guest listens for the other seats; 0 if it cannot be dialled."""
    one_game: bool = False
    fresh: bytes = bytes(FRESH_BYTES)
    """Fresh bytes of this process, so that no lobby is equal to one before it."""
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class TakenSeat(encoding.WireArray):
    """A place of LOBBY that is taken."""

    owner: bytes | int
    """The key of its keeper, or the place whose keeper keeps this one, too: a bot of the host, or a
    second person at one machine."""
    name: str
    monster: str
    host: bool = False
    automatic: bool = False
    one_game: bool = False
    fresh: bytes = b""
    """As in the SIT of this player; the host has bytes of its own. Empty for a kept place."""

    @property
    def key(self) -> bytes:
        """Return the key of a place that is its own keeper; empty for a kept one."""
        return self.owner if isinstance(self.owner, bytes) else b""

    @property
    def is_kept(self) -> bool:
        return not isinstance(self.owner, bytes)

    @classmethod
    def parse(cls, value: object) -> TakenSeat:
        owner, name, monster, host, automatic, one_game, fresh = array(value, 7)
        is_kept = not isinstance(owner, bytes)
        seat = TakenSeat(
            integer(owner, 0, MAX_SEATS - 1) if is_kept else check_key(octets(owner, KEY_BYTES)),
            names.read_name(name),
            names.read_label(monster),
            boolean(host),
            boolean(automatic),
            boolean(one_game),
            octets(fresh, 0 if is_kept else FRESH_BYTES),
        )
        if is_kept and (seat.host or seat.one_game):
            raise BadBytes("a kept place that is the host, or has a key")
        return seat


@dataclass(frozen=True, slots=True)
class Lobby(FrameBase):
    """The state of the table, from the host to all guests. A start is exactly what it says."""

    TYPE = FrameType.LOBBY
    seats: tuple[TakenSeat | None, ...]
    """By seat, for each seat of the table; None for a free one."""
    rules: str
    options: genesis.LobbyOptions
    marks: tuple[bytes, ...] = ()
    """By seat: what a player who is ready has signed, or NO_MARK. Empty: no player is ready."""

    def value(self) -> tuple[Value, ...]:
        marks = self.marks or (NO_MARK,) * len(self.seats)
        return (int(self.TYPE), *self.members(), marks)

    def members(self) -> tuple[Value, ...]:
        seats = tuple(None if seat is None else seat.value() for seat in self.seats)
        options, clocks = self.options.options, self.options.clocks
        return (seats, self.rules, genesis.options_to_value(options), clocks.value())

    @property
    def id(self) -> bytes:
        """Return the hash of what a start would say, and of fresh bytes (PROTOCOL.md 6.1)."""
        return digest(Tag.LOBBY, encoding.pack(self.members()))

    def key_at(self, owner: bytes | int) -> bytes:
        if isinstance(owner, bytes):
            return owner
        keeper = self.seats[owner]
        assert keeper is not None  # the reader has checked it
        return keeper.key

    @property
    def taken_seats(self) -> tuple[TakenSeat, ...]:
        """Return the taken seats in the order that a game starting now would have."""
        return tuple(seat for seat in self.seats if seat is not None)

    @classmethod
    def parse(cls, value: object) -> Lobby:
        values, rules, options, clocks, signed = array(value, 5)
        taken = array(values, most=MAX_SEATS)
        seats = tuple(None if seat is None else TakenSeat.parse(seat) for seat in taken)
        names.check_unlike([seat.name for seat in seats if seat is not None])
        _check_owners(seats)
        marks = tuple(read_mark(mark) for mark in array(signed, len(seats)))
        return Lobby(
            seats,
            text(rules, 32),
            genesis.LobbyOptions(genesis.parse_options(options), genesis.Clocks.parse(clocks)),
            marks if any(marks) else (),
        )


def _check_owners(seats: tuple[TakenSeat | None, ...]) -> None:
    """Check that each kept place has a keeper with a key; raise BadBytes."""
    for seat in seats:
        if seat is None or isinstance(seat.owner, bytes):
            continue
        keeper = seats[seat.owner] if seat.owner < len(seats) else None
        if keeper is None or keeper.is_kept:
            raise BadBytes("a place of nobody's")


@dataclass(frozen=True, slots=True)
class Ping(FrameBase):
    """Both sides of a link send it every two seconds, so that silence means a dead link."""

    TYPE = FrameType.PING


@dataclass(frozen=True, slots=True)
class LobbyChat(FrameBase):
    """A line of chat in the lobby, as its author has signed it (`kotp2p.lobby.lobby_chat`)."""

    TYPE = FrameType.SAID
    READERS = (partial(octets, most=MAX_LINE_BYTES), SIGNATURE)
    body: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class Unsure(FrameBase):
    """A guest reports which players it knows under other keys and has not accepted yet."""

    TYPE = FrameType.UNSURE
    READERS = (partial(encoding.octets_in_array, size=KEY_BYTES, most=MAX_SEATS),)
    keys: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Stand(FrameBase):
    """A guest gives its seat back."""

    TYPE = FrameType.STAND


@dataclass(frozen=True, slots=True)
class Closed(FrameBase):
    """The host takes a guest's seat away, or closes the table."""

    TYPE = FrameType.CLOSED
    READERS = (integer,)
    code: int


# -- the start (PROTOCOL.md 6.2), in the order of its steps --------------------------------


@dataclass(frozen=True, slots=True)
class Declined(FrameBase):
    """A guest takes no part in a start, because it is not the lobby that the guest saw."""

    TYPE = FrameType.DECLINED
    READERS = (HASH,)
    table: bytes


@dataclass(frozen=True, slots=True)
class Start(FrameBase):
    """The host proposes a table and says where each seat can be dialled."""

    TYPE = FrameType.START
    charter: genesis.Charter
    addresses: tuple[tuple[str, int], ...]
    """By seat: (address, port). An empty address is the host's own machine; port 0: nowhere."""

    @classmethod
    def parse(cls, value: object) -> Start:
        charter_value, addresses = array(value, 2)
        charter = genesis.Charter.parse(charter_value)
        pairs = [array(pair, 2) for pair in array(addresses, len(charter.players))]
        return Start(charter, tuple(read_start_target(*pair) for pair in pairs))


@dataclass(frozen=True, slots=True)
class Sealed(FrameBase):
    """A guest commits to its row of the genesis before it has seen another one."""

    TYPE = FrameType.SEALED
    READERS = (HASH, HASH)
    table: bytes
    commitment: bytes


@dataclass(frozen=True, slots=True)
class AllSealed(FrameBase):
    """The host shows the commitments of all seats."""

    TYPE = FrameType.ALL_SEALED
    READERS = (HASH, partial(encoding.octets_in_array, size=HASH_BYTES, most=MAX_SEATS))
    table: bytes
    commitments: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class RowShown(FrameBase):
    """A guest shows the row that it has committed to."""

    TYPE = FrameType.ROW
    READERS = (HASH, genesis.GenesisRow.parse)
    table: bytes
    row: genesis.GenesisRow


@dataclass(frozen=True, slots=True)
class GenesisShown(FrameBase):
    """The host shows the genesis that all rows make; each keeper signs it."""

    TYPE = FrameType.GENESIS_SHOWN
    READERS = (octets,)
    body: bytes


GuestFrame: TypeAlias = Sit | Choose | Mark | Stand | Unsure | Declined | Sealed | RowShown
HostFrame: TypeAlias = Lobby | Denied | Closed | Start | AllSealed | GenesisShown
MAX_ASKED_PHASE = 18
MAX_ASKED_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Ask(FrameBase):
    """A step of the exchange that proves the words of a code (PROTOCOL.md 4.5), on a link."""

    TYPE = FrameType.ASK
    READERS = (partial(text, most=MAX_ASKED_PHASE), partial(octets, most=MAX_ASKED_BYTES))
    phase: str
    body: bytes


MutualFrame: TypeAlias = Ping | LobbyChat | Ask
"""What both sides of a lobby link send, besides the genesis with signatures under it, which is a
signed body (`kotp2p.wire.genesis`)."""
LobbyFrame: TypeAlias = GuestFrame | HostFrame | MutualFrame


# -- about those who only watch a game (PROTOCOL.md 9.11) ----------------------------------


MAX_PART_BYTES = 16_384
MAX_WATCHERS = 200


@dataclass(frozen=True, slots=True)
class Watch(FrameBase):
    """A watcher reports how much of the log it has. The first one of a link asks for the rest."""

    TYPE = FrameType.WATCH
    READERS = (_LOG_BYTES, _read_hash_or_none)
    size: int
    """Bytes of the log, from its first one on."""
    digest: bytes
    """The SHA-256 of these bytes; empty if there are none, and in all but the first frame."""


@dataclass(frozen=True, slots=True)
class Admitted(FrameBase):
    """The source answers the first WATCH of a link."""

    TYPE = FrameType.ADMITTED
    READERS = (_LOG_BYTES, boolean)
    size: int
    """The number of bytes that the log has now: what follows them happens while it is watched."""
    has_chat: bool


def _read_part(value: object) -> bytes:
    found = octets(value, most=MAX_PART_BYTES)
    if not found:
        raise BadBytes("no bytes of a log")
    return found


@dataclass(frozen=True, slots=True)
class LogPart(FrameBase):
    """Bytes of the log, as they stand in the file of the source."""

    TYPE = FrameType.LOG_PART
    READERS = (_LOG_BYTES, _read_part)
    offset: int
    """Where the first of them stands. 0 also where the log that the watcher has is another one."""
    data: bytes


@dataclass(frozen=True, slots=True)
class Watched(FrameBase):
    """The sender reports how many watch through its process."""

    TYPE = FrameType.WATCHED
    READERS = (partial(integer, most=MAX_WATCHERS),)
    count: int


WatchFrame: TypeAlias = Watch | Admitted | LogPart | Watched


# -- between two seats of a game (PROTOCOL.md 4.5, 8 and 9.1) --------------------------------


@dataclass(frozen=True, slots=True)
class Links(FrameBase):
    """The sender reports to which seats it has a direct link."""

    TYPE = FrameType.LINKS
    READERS = (partial(entries.ascending_seats, most=MAX_SEATS),)
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Want(FrameBase):
    """The sender asks for later line-ups, and for entries from this height on."""

    TYPE = FrameType.WANT
    READERS = (ATTEMPT, HEIGHT)
    attempt: int
    height: int


@dataclass(frozen=True, slots=True)
class PositionShown(FrameBase):
    """The numbers of the sender's position, after a seat has signed another digest of it."""

    TYPE = FrameType.POSITION
    READERS = (HEIGHT, lambda value: tuple(integer(number) for number in array(value)))
    height: int
    numbers: tuple[int, ...]


CODE_WORDS = 2048
"""The words of the list from which a code has two."""


@dataclass(frozen=True, slots=True)
class CodeTold(FrameBase):
    """The code of the table (PROTOCOL.md 4.5), as the sender knows it."""

    TYPE = FrameType.CODE
    READERS = (
        partial(integer, least=FIRST_CODE_NUMBER, most=LAST_CODE_NUMBER),
        partial(integer, most=CODE_WORDS - 1),
        partial(integer, most=CODE_WORDS - 1),
    )
    number: int
    first: int
    second: int

    @property
    def fields(self) -> tuple[int, int, int]:
        return (self.number, self.first, self.second)


GameFrame: TypeAlias = Links | Want | PositionShown | WatchFrame | CodeTold
FrameElsewhere: TypeAlias = (
    HandshakeFrame | GuestFrame | HostFrame | LobbyChat | Ask | WatchFrame | CodeTold
)
"""What is not for a peer in a game: frames of another phase, and those that the shell takes."""


# -- the union of all frames ---------------------------------------------------------------


SessionFrame: TypeAlias = HandshakeFrame | LobbyFrame | GameFrame
Frame: TypeAlias = Signed | SessionFrame
"""All that can travel on a link: a signed body, or a session frame."""

SESSION_FRAMES: dict[int, type[SessionFrame]] = {
    frame.TYPE: frame for frame in get_args(SessionFrame)
}
"""By type number. A number that is not in here belongs to a later version."""


# -- the bytes of a link (PROTOCOL.md 3.1) -------------------------------------------------


MAX_HELLO_BYTES = 512
"""The limit of a frame before its sender has proved its key: a stranger costs little memory."""


def pack_with_length(value: Value) -> bytes:
    """Return the encoding after its length; raise Unwritable for what `unpack` would refuse."""
    return _with_length(encoding.pack(value))


def _with_length(body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + body


class FrameDecoder:
    """Cuts a stream of bytes into bodies of frames of at most `limit` bytes."""

    def __init__(self, limit: int = MAX_HELLO_BYTES) -> None:
        self.limit = limit
        self._buffer = bytearray()

    def feed(self, data: bytes | bytearray) -> Iterator[bytes]:
        """Yield the bodies that `data` completes; raise BadBytes at a length out of range."""
        # The length is checked before the body has come, so that no sender can announce 4 GiB.
        self._buffer += data
        while len(self._buffer) >= 4:
            size = int.from_bytes(self._buffer[:4], "big")
            if not 0 < size <= self.limit:
                raise BadBytes(f"a frame of {size} bytes")
            if len(self._buffer) < 4 + size:
                return
            body = bytes(self._buffer[4 : 4 + size])
            del self._buffer[: 4 + size]
            yield body


def encode(frame: Frame) -> bytes:
    """Return a frame after its length; raise Unwritable if it is not read as it is meant."""
    if isinstance(frame, Signed | LogPart):
        return _encode_for_many(frame)
    return _read_back(pack_with_length(frame.value()), frame)


@lru_cache(64)
def _encode_for_many(frame: Signed | LogPart) -> bytes:
    """Encode a body or a part of a log, which is mostly sent on several links in turn."""
    packed = (
        entries.pack_signed(frame) if isinstance(frame, Signed) else encoding.pack(frame.value())
    )
    return _read_back(_with_length(packed), frame)


def _read_back(data: bytes, frame: Frame) -> bytes:
    try:
        found = decode(data[4:])
    except BadBytes as fault:
        raise encoding.Unwritable(str(fault)) from fault
    if found != frame:
        raise encoding.Unwritable("a frame that is read as another one")
    return data


def read_hello_versions(body: bytes) -> tuple[int, int] | None:
    """Return protocol and rules of a HELLO of any version; None for another frame.

    These fields never change their places, so they are read before the others, whose form a later
    protocol may change. Raise BadBytes if they are not there.
    """
    fields = array(encoding.unpack(body))
    if not fields or integer(fields[0], 0, 127) != FrameType.HELLO:
        return None
    if len(fields) < 3:
        raise BadBytes("a hello without its versions")
    return integer(fields[1]), integer(fields[2])


@lru_cache(entries.READINGS_KEPT)
def decode(body: bytes) -> Frame | None:
    """Return the frame of `body`; None for a session frame that this version does not know.

    Raise BadBytes for a body that is not well formed, and for an unknown kind of signed body: a
    peer that cannot check a signature must not pass the body on.
    """
    value = encoding.unpack_for_readers(body)
    fields = array(value)
    if not fields:
        raise BadBytes("a frame without a type")
    number, rest = integer(fields[0], 0, 127), fields[1:]
    if entries.BodyKind.GENESIS <= number <= entries.BodyKind.HERE:
        signed, signature = array(rest, 2)
        return Signed(entries.BodyKind(number), octets(signed), octets(signature, most=1024))
    encoding.check_types(value)
    if number < 64:
        raise BadBytes("no such entry type")
    frame_class = SESSION_FRAMES.get(number)
    return frame_class.parse(rest) if frame_class is not None else None
