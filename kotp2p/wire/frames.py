"""Frames: all that two links say to each other, and their bytes (PROTOCOL.md 3).

Scope: each frame with its writer and its reader, the closed union `Frame` of all frames, and the
bytes of a link. A new frame is a member of `FrameType` and a class with `TYPE`, `value()` and
`parse()`. It joins the union of its phase: `HandshakeFrame`, `GuestFrame`, `HostFrame`,
`MutualFrame`, `GameFrame`. mypy then names each `match` of that phase, and
tests/kotp2p/wire/test_frames.py lists the rest. Not here: entries and all else that is signed
(`kotp2p.wire.entries`), which travels as a `Signed`; when a frame is due (`kotp2p.lobby`,
`kotp2p.mesh`, `kotp2p.watching`); links (`kotp2p.net`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum, unique
from functools import lru_cache
from typing import ClassVar, TypeAlias, get_args

from kotp2p.wire.addresses import FIRST_CODE_NUMBER, LAST_CODE_NUMBER, read_start_target
from kotp2p.wire.crypto import HASH_BYTES, KEY_BYTES, SIGNATURE_BYTES, Tag, check_key, digest
from kotp2p.wire.encoding import (
    BadBytes,
    Unwritable,
    Value,
    array,
    boolean,
    integer,
    octets,
    octets_in_array,
    pack,
    text,
    unpack,
)
from kotp2p.wire.entries import (
    MAX_ATTEMPT,
    MAX_HEIGHT,
    READINGS_KEPT,
    BodyKind,
    Signed,
    ascending_seats,
    pack_signed,
)
from kotp2p.wire.genesis import (
    MAX_SEATS,
    NONCE_BYTES,
    Charter,
    Clocks,
    GenesisRow,
    LobbyOptions,
    options_to_value,
    parse_options,
)
from kotp2p.wire.names import MAX_NAME_LENGTH, check_unlike, read_label, read_name
from kotp2p.wire.records import MAX_LOG_BYTES

# -- type numbers and fields ---------------------------------------------------------------


Fields: TypeAlias = tuple[object, ...]
"""The fields of a frame after its type number, decoded from msgpack and not yet checked."""

MAX_TEXT = 200
"""Characters of a line of chat, and of the text of a refusal."""


@unique
class FrameType(IntEnum):
    """The type numbers of session frames, 64 to 127 (PROTOCOL.md 3.1).

    Numbers from 1 to 63 are kept for signed bodies (`kotp2p.wire.entries.Kind`). Each member has
    one frame class, whose `TYPE` it is.
    """

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
    """The free seats are kept for others."""


class HelloRole(IntEnum):
    """What the sender of a HELLO wants to be."""

    PLAYER = 0
    WATCHER = 1
    """The sender reads the log of a game: it watches, or has a seat and has lost its files. Only a
    side that dials is one."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The first frame of each side; the listener answers with its own.

    The type, `protocol` and `rules` never change their places (`read_hello_versions`).
    """

    TYPE: ClassVar[FrameType] = FrameType.HELLO
    protocol: int
    rules: int
    role: int
    """A `HelloRole`."""
    instance: bytes
    """8 bytes, fresh for each process: two links to one instance lead to one peer."""
    table: bytes
    """The id of the table whose mesh this link belongs to; empty for a lobby."""
    key: bytes
    nonce: bytes

    def value(self) -> Value:
        return (
            int(self.TYPE), self.protocol, self.rules, self.role, self.instance,
            self.table, self.key, self.nonce,
        )  # fmt: skip

    @staticmethod
    def parse(fields: Fields) -> Hello:
        protocol, rules, role, instance, table, key, nonce = array(fields, 7)
        return Hello(
            integer(protocol),
            integer(rules),
            integer(role, 0, max(HelloRole)),
            octets(instance, 8),
            octets(table, HASH_BYTES) if table != b"" else b"",
            check_key(octets(key, KEY_BYTES)),
            octets(nonce, NONCE_BYTES),
        )


@dataclass(frozen=True, slots=True)
class LinkProof:
    """Proves the key of a HELLO: a signature over both HELLOs and the binding of the connection."""

    TYPE: ClassVar[FrameType] = FrameType.PROOF
    signature: bytes

    def value(self) -> Value:
        return (int(self.TYPE), self.signature)

    @staticmethod
    def parse(fields: Fields) -> LinkProof:
        (signature,) = array(fields, 1)
        return LinkProof(octets(signature, SIGNATURE_BYTES))


@dataclass(frozen=True, slots=True)
class Refusal:
    """The last frame of a side that does not go on.

    Its form never changes, so that programs of different versions can tell each other apart.
    """

    TYPE: ClassVar[FrameType] = FrameType.REFUSAL
    code: int
    """A `RefusalCode`, or a number that a later version has added."""
    protocol: int
    rules: int
    text: str

    def value(self) -> Value:
        return (int(self.TYPE), self.code, self.protocol, self.rules, self.text)

    @staticmethod
    def parse(fields: Fields) -> Refusal:
        code, protocol, rules, words = array(fields, 4)
        return Refusal(integer(code), integer(protocol), integer(rules), text(words, MAX_TEXT))


HandshakeFrame: TypeAlias = Hello | LinkProof | Refusal
"""Frames that are due only before both keys are proved, and a refusal at any time."""


# -- what a seated guest changes in the lobby (PROTOCOL.md 6.1) ----------------------------


NO_MARK = b""
"""In the place of a signature: the player is not ready."""


class DenialCode(IntEnum):
    """Why a host does not do what a seated guest wants. A reader takes other numbers, too."""

    STARTING = 1
    """A start is under way."""
    TOO_OFTEN = 2
    """The guest has changed something too often (PROTOCOL.md 9.9)."""
    NAME_TAKEN = 3
    """The name looks like that of another player."""
    NAME_KNOWN = 4
    """The host knows the name by another key, and has no person to ask."""
    NO_MONSTER = 5
    """The monster is not in the box."""
    MONSTER_TAKEN = 6
    OTHER_LOBBY = 7
    """The mark was signed for another lobby than the present one."""


def read_mark(value: object) -> bytes:
    """Return a signature, or NO_MARK; raise BadBytes."""
    mark = octets(value, most=SIGNATURE_BYTES)
    if len(mark) not in (0, SIGNATURE_BYTES):
        raise BadBytes("no signature")
    return mark


@dataclass(frozen=True, slots=True)
class Choose:
    """A seated guest wants another name, or another monster."""

    TYPE: ClassVar[FrameType] = FrameType.CHOOSE
    serial: int
    """Ascends with every CHOOSE and MARK of one process."""
    name: str
    """Empty: as it is."""
    monster: str
    """Empty: as it is."""

    def value(self) -> Value:
        return (int(self.TYPE), self.serial, self.name, self.monster)

    @staticmethod
    def parse(fields: Fields) -> Choose:
        serial, name, monster = array(fields, 3)
        return Choose(integer(serial), read_label(name), read_label(monster))


@dataclass(frozen=True, slots=True)
class Mark:
    """A seated guest is ready for a game as the lobby has it, or not ready any more."""

    TYPE: ClassVar[FrameType] = FrameType.MARK
    serial: int
    """As in CHOOSE."""
    mark: bytes
    """What the guest has signed (`kotp2p.lobby.lobby_effects`), or NO_MARK."""

    def value(self) -> Value:
        return (int(self.TYPE), self.serial, self.mark)

    @staticmethod
    def parse(fields: Fields) -> Mark:
        serial, mark = array(fields, 2)
        return Mark(integer(serial), read_mark(mark))


@dataclass(frozen=True, slots=True)
class Denied:
    """The host does not do what the guest wants."""

    TYPE: ClassVar[FrameType] = FrameType.DENIED
    serial: int
    """That of the CHOOSE or MARK."""
    code: int
    """A `DenialCode`, or a number that a later version has added."""

    def value(self) -> Value:
        return (int(self.TYPE), self.serial, self.code)

    @staticmethod
    def parse(fields: Fields) -> Denied:
        serial, code = array(fields, 2)
        return Denied(integer(serial), integer(code))


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


@dataclass(frozen=True, slots=True)
class Sit:
    """A guest asks for a seat."""

    TYPE: ClassVar[FrameType] = FrameType.SIT
    name: str
    monster: str
    """Empty: any monster."""
    port: int
    """Where the guest listens for the other seats; 0 if it cannot be dialled."""
    one_game: bool = False
    """The guest's key is made for this game only."""
    fresh: bytes = bytes(FRESH_BYTES)
    """Fresh bytes of this process, so that no lobby is equal to one before it."""
    automatic: bool = False
    """A bot answers in place of the guest."""

    def value(self) -> Value:
        wanted = (self.name, self.monster, self.port, self.one_game, self.fresh)
        return (int(self.TYPE), *wanted, self.automatic)

    @staticmethod
    def parse(fields: Fields) -> Sit:
        name, monster, port, one_game, fresh, automatic = array(fields, 6)
        return Sit(
            text(name, MAX_NAME_LENGTH),
            text(monster, MAX_NAME_LENGTH),
            integer(port, 0, MAX_PORT),
            boolean(one_game),
            octets(fresh, FRESH_BYTES),
            boolean(automatic),
        )


@dataclass(frozen=True, slots=True)
class TakenSeat:
    """A place of LOBBY that is taken."""

    owner: bytes | int
    """The key of its keeper, or the place whose keeper keeps this one, too: a bot of the host, or a
    second person at one machine."""
    name: str
    monster: str
    host: bool = False
    automatic: bool = False
    """A bot answers for it."""
    one_game: bool = False
    """The key is made for this game only."""
    fresh: bytes = b""
    """As in the SIT of this player; the host has bytes of its own. Empty for a kept place."""

    @property
    def key(self) -> bytes:
        """Return the key of a place that is its own keeper; empty for a kept one."""
        return self.owner if isinstance(self.owner, bytes) else b""

    @property
    def is_kept(self) -> bool:
        """Return whether another place keeps this one."""
        return not isinstance(self.owner, bytes)

    def value(self) -> Value:
        marks = (self.host, self.automatic, self.one_game)
        return (self.owner, self.name, self.monster, *marks, self.fresh)

    @staticmethod
    def parse(value: object) -> TakenSeat:
        owner, name, monster, host, automatic, one_game, fresh = array(value, 7)
        is_kept = not isinstance(owner, bytes)
        seat = TakenSeat(
            integer(owner, 0, MAX_SEATS - 1) if is_kept else check_key(octets(owner, KEY_BYTES)),
            read_name(name),
            read_label(monster),
            boolean(host),
            boolean(automatic),
            boolean(one_game),
            octets(fresh, 0 if is_kept else FRESH_BYTES),
        )
        if is_kept and (seat.host or seat.one_game):
            raise BadBytes("a kept place that is the host, or has a key")
        return seat


@dataclass(frozen=True, slots=True)
class Lobby:
    """The state of the table, from the host to all guests. A start is exactly what it says."""

    TYPE: ClassVar[FrameType] = FrameType.LOBBY
    seats: tuple[TakenSeat | None, ...]
    """By seat, for each seat of the table; None for a free one."""
    rules: str
    options: LobbyOptions
    marks: tuple[bytes, ...] = ()
    """By seat: what a player who is ready has signed, or NO_MARK. Empty: no player is ready."""

    def value(self) -> Value:
        marks = self.marks or (NO_MARK,) * len(self.seats)
        return (int(self.TYPE), *self._fields(), marks)

    def _fields(self) -> tuple[Value, ...]:
        seats = tuple(None if seat is None else seat.value() for seat in self.seats)
        options, clocks = self.options.options, self.options.clocks
        return (seats, self.rules, options_to_value(options), clocks.value())

    @property
    def id(self) -> bytes:
        """Return the hash that lines of chat name (PROTOCOL.md 6.1).

        It covers what a start would say, and the fresh bytes of the players.
        """
        return digest(Tag.LOBBY, pack(self._fields()))

    def key_at(self, owner: bytes | int) -> bytes:
        """Return the key of the keeper that `owner`, of a taken seat, means."""
        if isinstance(owner, bytes):
            return owner
        keeper = self.seats[owner]
        assert keeper is not None  # the reader has checked it
        return keeper.key

    @property
    def taken_seats(self) -> tuple[TakenSeat, ...]:
        """Return the taken seats in the order that a game starting now would have."""
        return tuple(seat for seat in self.seats if seat is not None)

    @staticmethod
    def parse(fields: Fields) -> Lobby:
        values, rules, options, clocks, signed = array(fields, 5)
        seats = tuple(
            None if seat is None else TakenSeat.parse(seat)
            for seat in array(values, most=MAX_SEATS)
        )
        check_unlike([seat.name for seat in seats if seat is not None])
        _check_owners(seats)
        marks = tuple(read_mark(mark) for mark in array(signed, len(seats)))
        return Lobby(
            seats,
            text(rules, 32),
            LobbyOptions(parse_options(options), Clocks.parse(clocks)),
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
class Ping:
    """Both sides of a link send it every two seconds, so that silence means a dead link."""

    TYPE: ClassVar[FrameType] = FrameType.PING

    def value(self) -> Value:
        return (int(self.TYPE),)

    @staticmethod
    def parse(fields: Fields) -> Ping:
        array(fields, 0)
        return Ping()


@dataclass(frozen=True, slots=True)
class LobbyChat:
    """A line of chat in the lobby, as its author has signed it (`kotp2p.lobby.lobby_chat`)."""

    TYPE: ClassVar[FrameType] = FrameType.SAID
    body: bytes
    signature: bytes

    def value(self) -> Value:
        return (int(self.TYPE), self.body, self.signature)

    @staticmethod
    def parse(fields: Fields) -> LobbyChat:
        body, signature = array(fields, 2)
        return LobbyChat(octets(body, most=MAX_LINE_BYTES), octets(signature, SIGNATURE_BYTES))


@dataclass(frozen=True, slots=True)
class Unsure:
    """A guest reports which players it knows under other keys and has not accepted yet."""

    TYPE: ClassVar[FrameType] = FrameType.UNSURE
    keys: tuple[bytes, ...]
    """The keys with which these players sit here; empty: none any more."""

    def value(self) -> Value:
        return (int(self.TYPE), self.keys)

    @staticmethod
    def parse(fields: Fields) -> Unsure:
        (keys,) = array(fields, 1)
        return Unsure(octets_in_array(keys, KEY_BYTES, MAX_SEATS))


@dataclass(frozen=True, slots=True)
class Stand:
    """A guest gives its seat back."""

    TYPE: ClassVar[FrameType] = FrameType.STAND

    def value(self) -> Value:
        return (int(self.TYPE),)

    @staticmethod
    def parse(fields: Fields) -> Stand:
        array(fields, 0)
        return Stand()


@dataclass(frozen=True, slots=True)
class Closed:
    """The host takes a guest's seat away, or closes the table."""

    TYPE: ClassVar[FrameType] = FrameType.CLOSED
    code: int
    """A `RefusalCode`, or a number that a later version has added."""

    def value(self) -> Value:
        return (int(self.TYPE), self.code)

    @staticmethod
    def parse(fields: Fields) -> Closed:
        (code,) = array(fields, 1)
        return Closed(integer(code))


# -- the start (PROTOCOL.md 6.2), in the order of its steps --------------------------------


@dataclass(frozen=True, slots=True)
class Declined:
    """A guest takes no part in a start, because it is not the lobby that the guest saw."""

    TYPE: ClassVar[FrameType] = FrameType.DECLINED
    table: bytes

    def value(self) -> Value:
        return (int(self.TYPE), self.table)

    @staticmethod
    def parse(fields: Fields) -> Declined:
        (table,) = array(fields, 1)
        return Declined(octets(table, HASH_BYTES))


@dataclass(frozen=True, slots=True)
class Start:
    """The host proposes a table and says where each seat can be dialled."""

    TYPE: ClassVar[FrameType] = FrameType.START
    charter: Charter
    addresses: tuple[tuple[str, int], ...]
    """By seat: (address, port). An empty address is the host's own machine; port 0: nowhere."""

    def value(self) -> Value:
        return (int(self.TYPE), self.charter.value(), self.addresses)

    @staticmethod
    def parse(fields: Fields) -> Start:
        charter_value, addresses = array(fields, 2)
        charter = Charter.parse(charter_value)
        pairs = [array(pair, 2) for pair in array(addresses, len(charter.players))]
        return Start(charter, tuple(read_start_target(*pair) for pair in pairs))


@dataclass(frozen=True, slots=True)
class Sealed:
    """A guest commits to its row of the genesis before it has seen another one."""

    TYPE: ClassVar[FrameType] = FrameType.SEALED
    table: bytes
    commitment: bytes

    def value(self) -> Value:
        return (int(self.TYPE), self.table, self.commitment)

    @staticmethod
    def parse(fields: Fields) -> Sealed:
        table, commitment = array(fields, 2)
        return Sealed(octets(table, HASH_BYTES), octets(commitment, HASH_BYTES))


@dataclass(frozen=True, slots=True)
class AllSealed:
    """The host shows the commitments of all seats."""

    TYPE: ClassVar[FrameType] = FrameType.ALL_SEALED
    table: bytes
    commitments: tuple[bytes, ...]
    """One for each keeper, in seat order."""

    def value(self) -> Value:
        return (int(self.TYPE), self.table, self.commitments)

    @staticmethod
    def parse(fields: Fields) -> AllSealed:
        table, commitments = array(fields, 2)
        return AllSealed(
            octets(table, HASH_BYTES),
            octets_in_array(commitments, HASH_BYTES, MAX_SEATS),
        )


@dataclass(frozen=True, slots=True)
class RowShown:
    """A guest shows the row that it has committed to."""

    TYPE: ClassVar[FrameType] = FrameType.ROW
    table: bytes
    row: GenesisRow

    def value(self) -> Value:
        return (int(self.TYPE), self.table, self.row.value())

    @staticmethod
    def parse(fields: Fields) -> RowShown:
        table, row = array(fields, 2)
        return RowShown(octets(table, HASH_BYTES), GenesisRow.parse(row))


@dataclass(frozen=True, slots=True)
class GenesisShown:
    """The host shows the genesis that all rows make; each keeper signs it."""

    TYPE: ClassVar[FrameType] = FrameType.GENESIS_SHOWN
    body: bytes

    def value(self) -> Value:
        return (int(self.TYPE), self.body)

    @staticmethod
    def parse(fields: Fields) -> GenesisShown:
        (body,) = array(fields, 1)
        return GenesisShown(octets(body))


GuestFrame: TypeAlias = Sit | Choose | Mark | Stand | Unsure | Declined | Sealed | RowShown
"""What only a guest sends."""
HostFrame: TypeAlias = Lobby | Denied | Closed | Start | AllSealed | GenesisShown
"""What only the host sends."""
MAX_ASKED_PHASE = 18
MAX_ASKED_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Ask:
    """A step of the exchange that proves the words of a code (PROTOCOL.md 4.5), on a link."""

    TYPE: ClassVar[FrameType] = FrameType.ASK
    phase: str
    body: bytes

    def value(self) -> Value:
        return (int(self.TYPE), self.phase, self.body)

    @staticmethod
    def parse(fields: Fields) -> Ask:
        phase, body = array(fields, 2)
        return Ask(text(phase, MAX_ASKED_PHASE), octets(body, most=MAX_ASKED_BYTES))


MutualFrame: TypeAlias = Ping | LobbyChat | Ask
"""What both sides of a lobby link send, besides the genesis with signatures under it, which is a
signed body (`kotp2p.wire.genesis`)."""
LobbyFrame: TypeAlias = GuestFrame | HostFrame | MutualFrame


# -- about those who only watch a game (PROTOCOL.md 9.11) ----------------------------------


MAX_PART_BYTES = 16_384
"""Bytes of a log that one frame carries."""
MAX_WATCHERS = 200
"""Watchers that one process may have."""


@dataclass(frozen=True, slots=True)
class Watch:
    """A watcher reports how much of the log it has. The first one of a link asks for the rest."""

    TYPE: ClassVar[FrameType] = FrameType.WATCH
    size: int
    """Bytes of the log, from its first one on."""
    digest: bytes
    """The SHA-256 of these bytes; empty if there are none, and in all but the first frame."""

    def value(self) -> Value:
        return (int(self.TYPE), self.size, self.digest)

    @staticmethod
    def parse(fields: Fields) -> Watch:
        size, digest = array(fields, 2)
        found = octets(digest, HASH_BYTES) if digest != b"" else b""
        return Watch(integer(size, 0, MAX_LOG_BYTES), found)


@dataclass(frozen=True, slots=True)
class Admitted:
    """The source answers the first WATCH of a link."""

    TYPE: ClassVar[FrameType] = FrameType.ADMITTED
    size: int
    """The number of bytes that the log has now: what follows them happens while it is watched."""
    has_chat: bool
    """The watcher hears what the players say to each other."""

    def value(self) -> Value:
        return (int(self.TYPE), self.size, self.has_chat)

    @staticmethod
    def parse(fields: Fields) -> Admitted:
        size, has_chat = array(fields, 2)
        return Admitted(integer(size, 0, MAX_LOG_BYTES), boolean(has_chat))


@dataclass(frozen=True, slots=True)
class LogPart:
    """Bytes of the log, as they stand in the file of the source."""

    TYPE: ClassVar[FrameType] = FrameType.LOG_PART
    offset: int
    """Where the first of them stands. 0 also where the log that the watcher has is another one."""
    data: bytes

    def value(self) -> Value:
        return (int(self.TYPE), self.offset, self.data)

    @staticmethod
    def parse(fields: Fields) -> LogPart:
        offset, data = array(fields, 2)
        found = octets(data, most=MAX_PART_BYTES)
        if not found:
            raise BadBytes("no bytes of a log")
        return LogPart(integer(offset, 0, MAX_LOG_BYTES), found)


@dataclass(frozen=True, slots=True)
class Watched:
    """The sender reports how many watch through its process."""

    TYPE: ClassVar[FrameType] = FrameType.WATCHED
    count: int

    def value(self) -> Value:
        return (int(self.TYPE), self.count)

    @staticmethod
    def parse(fields: Fields) -> Watched:
        (count,) = array(fields, 1)
        return Watched(integer(count, 0, MAX_WATCHERS))


WatchFrame: TypeAlias = Watch | Admitted | LogPart | Watched


# -- between two seats of a game (PROTOCOL.md 4.5, 8 and 9.1) --------------------------------


@dataclass(frozen=True, slots=True)
class Links:
    """The sender reports to which seats it has a direct link."""

    TYPE: ClassVar[FrameType] = FrameType.LINKS
    seats: tuple[int, ...]
    """In ascending order, none twice."""

    def value(self) -> Value:
        return (int(self.TYPE), self.seats)

    @staticmethod
    def parse(fields: Fields) -> Links:
        (seats,) = array(fields, 1)
        return Links(ascending_seats(seats, most=MAX_SEATS))


@dataclass(frozen=True, slots=True)
class Want:
    """The sender asks for everything that the receiver has beyond this place.

    These are the line-ups of later attempts, and the entries from this height on.
    """

    TYPE: ClassVar[FrameType] = FrameType.WANT
    attempt: int
    """That of the line-up which counts for the sender."""
    height: int

    def value(self) -> Value:
        return (int(self.TYPE), self.attempt, self.height)

    @staticmethod
    def parse(fields: Fields) -> Want:
        attempt, height = array(fields, 2)
        return Want(integer(attempt, 0, MAX_ATTEMPT), integer(height, 0, MAX_HEIGHT))


@dataclass(frozen=True, slots=True)
class PositionShown:
    """The numbers of the sender's position, after a seat has signed another digest of it."""

    TYPE: ClassVar[FrameType] = FrameType.POSITION
    height: int
    numbers: tuple[int, ...]

    def value(self) -> Value:
        return (int(self.TYPE), self.height, self.numbers)

    @staticmethod
    def parse(fields: Fields) -> PositionShown:
        height, numbers = array(fields, 2)
        return PositionShown(
            integer(height, 0, MAX_HEIGHT), tuple(integer(n) for n in array(numbers))
        )


CODE_WORDS = 2048
"""The words of the list from which a code has two."""


@dataclass(frozen=True, slots=True)
class CodeTold:
    """The code of the table (PROTOCOL.md 4.5), as the sender knows it."""

    TYPE: ClassVar[FrameType] = FrameType.CODE
    number: int
    first: int
    second: int

    @property
    def fields(self) -> tuple[int, int, int]:
        return (self.number, self.first, self.second)

    def value(self) -> Value:
        return (int(self.TYPE), *self.fields)

    @staticmethod
    def parse(fields: Fields) -> CodeTold:
        number, first, second = array(fields, 3)
        return CodeTold(
            integer(number, FIRST_CODE_NUMBER, LAST_CODE_NUMBER),
            integer(first, 0, CODE_WORDS - 1),
            integer(second, 0, CODE_WORDS - 1),
        )


GameFrame: TypeAlias = Links | Want | PositionShown | WatchFrame | CodeTold


# -- the union of all frames ---------------------------------------------------------------


SessionFrame: TypeAlias = HandshakeFrame | LobbyFrame | GameFrame
"""Frames without a signature of their own."""
Frame: TypeAlias = Signed | SessionFrame
"""All that can travel on a link: a signed body, or a session frame."""

SESSION_FRAMES: dict[int, type[SessionFrame]] = {
    frame.TYPE: frame for frame in get_args(SessionFrame)
}
"""By type number. A number that is not in here belongs to a later version."""


# -- the bytes of a link (PROTOCOL.md 3.1) -------------------------------------------------
#
# A frame is a 4-byte big-endian length and one msgpack array whose first field is its type.


MAX_HELLO_BYTES = 512
"""The limit of a frame before its sender has proved its key: a stranger costs little memory."""


def pack_with_length(value: Value) -> bytes:
    """Return the encoding of `value` after its length.

    Raise Unwritable for what `unpack` would refuse.
    """
    return _with_length(pack(value))


def _with_length(body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + body


class FrameDecoder:
    """Cuts a stream of bytes into the bodies of frames.

    It holds at most one unfinished frame and the bytes of the last call. `limit` is the largest
    body; it may be raised once the other side has proved its key.
    """

    def __init__(self, limit: int = MAX_HELLO_BYTES) -> None:
        self.limit = limit
        self._buffer = bytearray()

    def feed(self, data: bytes | bytearray) -> Iterator[bytes]:
        """Yield the bodies that `data` completes; raise BadBytes at a length out of range.

        The length is checked before the body has come, so that no sender can announce 4 GiB.
        """
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
    """Return the bytes of a frame, after its length.

    Raise Unwritable for a frame that the other side would not read as it is meant.
    """
    if isinstance(frame, Signed | LogPart):
        return _encode_for_many(frame)
    return _read_back(pack_with_length(frame.value()), frame)


@lru_cache(64)
def _encode_for_many(frame: Signed | LogPart) -> bytes:
    """Encode a body or a part of a log, which is mostly sent on several links in turn."""
    packed = pack_signed(frame) if isinstance(frame, Signed) else pack(frame.value())
    return _read_back(_with_length(packed), frame)


def _read_back(data: bytes, frame: Frame) -> bytes:
    try:
        found = decode(data[4:])
    except BadBytes as fault:
        raise Unwritable(str(fault)) from fault
    if found != frame:
        raise Unwritable("a frame that is read as another one")
    return data


def read_hello_versions(body: bytes) -> tuple[int, int] | None:
    """Return protocol and rules of a HELLO of any version; None for another frame.

    These fields never change their places, so they are read before the others, whose form a later
    protocol may change. Raise BadBytes if they are not there.
    """
    fields = array(unpack(body))
    if not fields or integer(fields[0], 0, 127) != FrameType.HELLO:
        return None
    if len(fields) < 3:
        raise BadBytes("a hello without its versions")
    return integer(fields[1]), integer(fields[2])


@lru_cache(READINGS_KEPT)
def decode(body: bytes) -> Frame | None:
    """Return the frame of `body`; None for a session frame that this version does not know.

    Raise BadBytes for a body that is not well formed, and for an unknown kind of signed body: a
    peer that cannot check a signature must not pass the body on.
    """
    fields = array(unpack(body))
    if not fields:
        raise BadBytes("a frame without a type")
    number, rest = integer(fields[0], 0, 127), fields[1:]
    if BodyKind.GENESIS <= number <= BodyKind.HERE:
        signed, signature = array(rest, 2)
        return Signed(BodyKind(number), octets(signed), octets(signature, most=1024))
    if number < 64:
        raise BadBytes("no such entry type")
    frame_class = SESSION_FRAMES.get(number)
    return frame_class.parse(rest) if frame_class is not None else None
