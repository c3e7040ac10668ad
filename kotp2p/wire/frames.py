"""Frames: what travels on a link (PROTOCOL.md 3).

May live here: what a frame says, and its fields as they are packed. May not: bytes, which are
the business of `kotp2p.wire.frame_codec`.

Types 1 to 63 carry signed bodies; 64 to 127 are session frames, and one that we do not know is
skipped.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

from kotp2p.wire.encoding import Value
from kotp2p.wire.entries import Signed
from kotp2p.wire.genesis import Charter, Row

MAX_HOST = 64
MAX_TEXT = 200


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
    UNSURE = 84


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
class Unsure:
    """A guest knows those who sit here with these keys under others, and has not accepted them."""

    keys: tuple[bytes, ...]
    """Empty: none any more."""

    def value(self) -> Value:
        return (int(Type.UNSURE), self.keys)


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
    | PositionShown | Unsure
)  # fmt: skip
