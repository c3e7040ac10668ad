"""Frames: what travels on a link (PROTOCOL.md 3).

A frame is a 4-byte big-endian length and one msgpack array whose first field is its type. Types
1 to 63 carry signed bodies; 64 to 127 are session frames, and one that we do not know is skipped.
One frame that is not well formed ends the link.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

from kotp2p.crypto import HASH, KEY, SIGNATURE, check_key
from kotp2p.encoding import (
    MAX_FRAME,
    BadBytes,
    Value,
    array,
    boolean,
    integer,
    octets,
    pack,
    text,
    unpack,
)
from kotp2p.entries import Kind, Signed
from kotp2p.genesis import MAX_NAME, MAX_SEATS, NONCE, Charter, Row

MAX_HELLO = 512
"""Bytes of a frame before its sender has proved its key."""
MAX_HOST = 64
MAX_TEXT = 200


def framed(value: Value) -> bytes:
    body = pack(value)
    if len(body) > MAX_FRAME:
        raise ValueError(f"a frame of {len(body)} bytes")
    return len(body).to_bytes(4, "big") + body


class FrameDecoder:
    """Bytes in, frame bodies out; never holds more than one frame and what came with it."""

    def __init__(self, limit: int = MAX_HELLO) -> None:
        self.limit = limit
        self._buffer = bytearray()

    def feed(self, data: bytes | bytearray) -> Iterator[bytes]:
        """The bodies that `data` completes. Raises BadBytes at a length out of range."""
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


class Type(IntEnum):
    """Session frames; 1 to 9 are `entries.Kind`."""

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
    GENESIS = 75
    ASSENT = 76
    ALL_ASSENT = 77
    LINKS = 78
    WANT = 79
    POSITION = 81
    PING = 82
    CHAT = 83


class Why(IntEnum):
    """Codes of REFUSAL and CLOSED."""

    BAD = 0
    VERSION = 1
    FULL = 2
    STARTED = 3
    NO_TABLE = 4
    REMOVED = 5
    CLOSED = 6
    BUSY = 7


@dataclass(frozen=True, slots=True)
class Hello:
    """The first frame of each side. The listener answers with its own."""

    protocol: int
    rules: int
    role: int
    """0 player; 1 is kept for watchers."""
    instance: bytes
    """8 bytes, fresh for each process: two links of one process are one peer."""
    table: bytes
    """The table whose mesh this is; empty for a lobby."""
    key: bytes
    nonce: bytes

    def value(self) -> Value:
        return (
            int(Type.HELLO), self.protocol, self.rules, self.role, self.instance,
            self.table, self.key, self.nonce,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Proof:
    signature: bytes

    def value(self) -> Value:
        return (int(Type.PROOF), self.signature)


@dataclass(frozen=True, slots=True)
class Refusal:
    """The last frame of a side that will not go on. Its form never changes."""

    why: int
    protocol: int
    rules: int
    words: str

    def value(self) -> Value:
        return (int(Type.REFUSAL), self.why, self.protocol, self.rules, self.words)


@dataclass(frozen=True, slots=True)
class Sit:
    """A guest asks for a seat."""

    name: str
    monster: str
    """Empty: any."""
    port: int
    """Where it listens for the others; 0 if it cannot be dialled."""
    one_game: bool = False
    """Its key is made for this game only."""

    def value(self) -> Value:
        return (int(Type.SIT), self.name, self.monster, self.port, self.one_game)


@dataclass(frozen=True, slots=True)
class Place:
    """A taken seat in the lobby."""

    key: bytes
    name: str
    monster: str
    bot: bool
    host: bool
    one_game: bool = False

    def value(self) -> Value:
        return (self.key, self.name, self.monster, self.bot, self.host, self.one_game)


@dataclass(frozen=True, slots=True)
class Lobby:
    places: tuple[Place | None, ...]
    """As many as the table has seats."""
    rules: str
    options: tuple[str, ...]

    def value(self) -> Value:
        places = tuple(None if p is None else p.value() for p in self.places)
        return (int(Type.LOBBY), places, self.rules, self.options)


@dataclass(frozen=True, slots=True)
class Ping:
    """Still here: both sides of a lobby link, every few seconds."""

    def value(self) -> Value:
        return (int(Type.PING),)


@dataclass(frozen=True, slots=True)
class Chat:
    """A line in the lobby: from a guest without a name, from the host with its speaker's."""

    name: str
    text: str

    def value(self) -> Value:
        return (int(Type.CHAT), self.name, self.text)


@dataclass(frozen=True, slots=True)
class Stand:
    """A guest gives its seat back."""

    def value(self) -> Value:
        return (int(Type.STAND),)


@dataclass(frozen=True, slots=True)
class Closed:
    """The host takes a guest's seat, or closes the table."""

    why: int

    def value(self) -> Value:
        return (int(Type.CLOSED), self.why)


@dataclass(frozen=True, slots=True)
class Start:
    """The host proposes a table; `addresses` say where each seat can be dialled."""

    charter: Charter
    addresses: tuple[tuple[str, int], ...]
    """By seat: (address, port). An empty address is the host's own machine; port 0: nowhere."""

    def value(self) -> Value:
        return (int(Type.START), self.charter.value(), self.addresses)


@dataclass(frozen=True, slots=True)
class Sealed:
    table: bytes
    commitment: bytes

    def value(self) -> Value:
        return (int(Type.SEALED), self.table, self.commitment)


@dataclass(frozen=True, slots=True)
class AllSealed:
    table: bytes
    commitments: tuple[bytes, ...]

    def value(self) -> Value:
        return (int(Type.ALL_SEALED), self.table, self.commitments)


@dataclass(frozen=True, slots=True)
class RowShown:
    table: bytes
    row: Row

    def value(self) -> Value:
        return (int(Type.ROW), self.table, self.row.value())


@dataclass(frozen=True, slots=True)
class GenesisShown:
    body: bytes

    def value(self) -> Value:
        return (int(Type.GENESIS), self.body)


@dataclass(frozen=True, slots=True)
class Assent:
    """A seat's signature over the genesis."""

    signature: bytes

    def value(self) -> Value:
        return (int(Type.ASSENT), self.signature)


@dataclass(frozen=True, slots=True)
class AllAssent:
    signatures: tuple[bytes, ...]

    def value(self) -> Value:
        return (int(Type.ALL_ASSENT), self.signatures)


@dataclass(frozen=True, slots=True)
class Links:
    """The seats that the sender has a direct link to."""

    seats: tuple[int, ...]

    def value(self) -> Value:
        return (int(Type.LINKS), self.seats)


@dataclass(frozen=True, slots=True)
class Want:
    """Send everything that you have from this height on."""

    height: int

    def value(self) -> Value:
        return (int(Type.WANT), self.height)


@dataclass(frozen=True, slots=True)
class PositionShown:
    """The numbers of a position whose digest was disputed."""

    height: int
    numbers: tuple[int, ...]

    def value(self) -> Value:
        return (int(Type.POSITION), self.height, self.numbers)


Frame: TypeAlias = (
    Signed | Hello | Proof | Refusal | Sit | Lobby | Ping | Chat | Stand | Closed | Start | Sealed
    | AllSealed | RowShown | GenesisShown | Assent | AllAssent | Links | Want
    | PositionShown
)  # fmt: skip


def encode(frame: Frame) -> bytes:
    """The frame with its length."""
    if isinstance(frame, Signed):
        return framed((int(frame.kind), frame.body, frame.signature))
    return framed(frame.value())


def decode(body: bytes) -> Frame | None:
    """The frame of `body`; None for a session frame of a later version. Raises BadBytes."""
    fields = array(unpack(body))
    if not fields:
        raise BadBytes("a frame without a type")
    number, rest = integer(fields[0], 0, 127), fields[1:]
    if 1 <= number <= Kind.CHAT:
        signed, signature = array(rest, 2)
        return Signed(Kind(number), octets(signed), octets(signature, most=1024))
    if number < 64:
        raise BadBytes("no such entry type")
    reader = _READERS.get(number)
    return reader(rest) if reader is not None else None


def _hello(rest: tuple[object, ...]) -> Hello:
    protocol, rules, role, instance, table, key, nonce = array(rest, 7)
    return Hello(
        integer(protocol),
        integer(rules),
        integer(role, 0, 1),
        octets(instance, 8),
        octets(table, HASH) if table != b"" else b"",
        check_key(octets(key, KEY)),
        octets(nonce, NONCE),
    )


def _refusal(rest: tuple[object, ...]) -> Refusal:
    why, protocol, rules, words = array(rest, 4)
    return Refusal(integer(why), integer(protocol), integer(rules), text(words, MAX_TEXT))


def _sit(rest: tuple[object, ...]) -> Sit:
    name, monster, port, one_game = array(rest, 4)
    return Sit(
        text(name, MAX_NAME),
        text(monster, MAX_NAME),
        integer(port, 0, 65_535),
        boolean(one_game),
    )


def _place(value: object) -> Place | None:
    if value is None:
        return None
    key, name, monster, *marks = array(value, 6)
    bot, host, one_game = (boolean(mark) for mark in marks)
    return Place(
        octets(key, KEY), text(name, MAX_NAME), text(monster, MAX_NAME), bot, host, one_game
    )


def _lobby(rest: tuple[object, ...]) -> Lobby:
    places, rules, options = array(rest, 3)
    return Lobby(
        tuple(_place(p) for p in array(places, most=MAX_SEATS)),
        text(rules, 32),
        tuple(text(option, 64) for option in array(options, most=8)),
    )


def _chat(rest: tuple[object, ...]) -> Chat:
    name, said = array(rest, 2)
    return Chat(text(name, MAX_NAME), text(said, MAX_TEXT))


def _start(rest: tuple[object, ...]) -> Start:
    charter_value, addresses = array(rest, 2)
    charter = Charter.of(charter_value)
    pairs = [array(pair, 2) for pair in array(addresses, len(charter.players))]
    return Start(charter, tuple((text(a, MAX_HOST), integer(port, 0, 65_535)) for a, port in pairs))


def _bare(rest: tuple[object, ...], frame: Frame) -> Frame:
    array(rest, 0)
    return frame


def _sealed(rest: tuple[object, ...]) -> Sealed:
    table, commitment = array(rest, 2)
    return Sealed(octets(table, HASH), octets(commitment, HASH))


def _all_sealed(rest: tuple[object, ...]) -> AllSealed:
    table, commitments = array(rest, 2)
    return AllSealed(
        octets(table, HASH), tuple(octets(c, HASH) for c in array(commitments, most=MAX_SEATS))
    )


def _row(rest: tuple[object, ...]) -> RowShown:
    table, row = array(rest, 2)
    return RowShown(octets(table, HASH), Row.of(row))


def _all_assent(rest: tuple[object, ...]) -> AllAssent:
    (signatures,) = array(rest, 1)
    return AllAssent(tuple(octets(s, SIGNATURE) for s in array(signatures, most=MAX_SEATS)))


def _position(rest: tuple[object, ...]) -> PositionShown:
    height, numbers = array(rest, 2)
    return PositionShown(integer(height), tuple(integer(n) for n in array(numbers)))


def _links(rest: tuple[object, ...]) -> Links:
    (seats,) = array(rest, 1)
    return Links(tuple(integer(s, 0, 5) for s in array(seats, most=MAX_SEATS)))


_READERS: dict[int, Callable[[tuple[object, ...]], Frame]] = {
    Type.HELLO: _hello,
    Type.PROOF: lambda rest: Proof(octets(array(rest, 1)[0], SIGNATURE)),
    Type.REFUSAL: _refusal,
    Type.SIT: _sit,
    Type.LOBBY: _lobby,
    Type.STAND: lambda rest: _bare(rest, Stand()),
    Type.CHAT: _chat,
    Type.PING: lambda rest: _bare(rest, Ping()),
    Type.CLOSED: lambda rest: Closed(integer(array(rest, 1)[0])),
    Type.START: _start,
    Type.SEALED: _sealed,
    Type.ALL_SEALED: _all_sealed,
    Type.ROW: _row,
    Type.GENESIS: lambda rest: GenesisShown(octets(array(rest, 1)[0])),
    Type.ASSENT: lambda rest: Assent(octets(array(rest, 1)[0], SIGNATURE)),
    Type.ALL_ASSENT: _all_assent,
    Type.LINKS: _links,
    Type.WANT: lambda rest: Want(integer(array(rest, 1)[0])),
    Type.POSITION: _position,
}
