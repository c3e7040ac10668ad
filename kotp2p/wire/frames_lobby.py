"""Frames between a guest and the host, from the open table to the signed genesis.

Scope: what travels on a lobby link (PROTOCOL.md 6), each frame with its writer and its reader.
Not here: when a frame is due (`kotp2p.lobby`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from kotp2p.wire.addresses import read_start_target
from kotp2p.wire.crypto import HASH_BYTES, KEY_BYTES, SIGNATURE_BYTES, Tag, check_key, digest
from kotp2p.wire.encoding import (
    BadBytes,
    Value,
    array,
    boolean,
    integer,
    octets,
    octets_in_array,
    pack,
    text,
)
from kotp2p.wire.frame_types import Fields, FrameType
from kotp2p.wire.frames_choices import NO_MARK, Choose, Denied, Mark, read_mark
from kotp2p.wire.genesis import (
    MAX_SEATS,
    Charter,
    Clocks,
    GenesisRow,
    options_to_value,
    parse_options,
)
from kotp2p.wire.lobby_options import LobbyOptions
from kotp2p.wire.names import MAX_NAME_LENGTH, check_unlike, read_label, read_name

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
    """A place of LOBBY that somebody has taken."""

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
        """The key of a place that is its own keeper; empty for a kept one."""
        return self.owner if isinstance(self.owner, bytes) else b""

    @property
    def is_kept(self) -> bool:
        """Whether another place keeps this one."""
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
    """The host tells all guests how the table stands. A start is exactly what it says."""

    TYPE: ClassVar[FrameType] = FrameType.LOBBY
    seats: tuple[TakenSeat | None, ...]
    """By seat, for each seat of the table; None for a free one."""
    rules: str
    options: LobbyOptions
    marks: tuple[bytes, ...] = ()
    """By seat: what a player who is ready has signed, or NO_MARK. Empty: nobody has."""

    def value(self) -> Value:
        marks = self.marks or (NO_MARK,) * len(self.seats)
        return (int(self.TYPE), *self._fields(), marks)

    def _fields(self) -> tuple[Value, ...]:
        seats = tuple(None if seat is None else seat.value() for seat in self.seats)
        options, clocks = self.options.options, self.options.clocks
        return (seats, self.rules, options_to_value(options), clocks.value())

    @property
    def id(self) -> bytes:
        """The hash that lines of chat name (PROTOCOL.md 6.1): over what a start would say, and the
        fresh bytes of the players."""
        return digest(Tag.LOBBY, pack(self._fields()))

    def key_at(self, owner: bytes | int) -> bytes:
        """The key of the keeper that `owner`, of a taken seat, means."""
        if isinstance(owner, bytes):
            return owner
        keeper = self.seats[owner]
        assert keeper is not None  # the reader has checked it
        return keeper.key

    @property
    def taken_seats(self) -> tuple[TakenSeat, ...]:
        """In the order in which a game that starts now has them."""
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
    """Each place that is kept has a keeper with a key. Raises BadBytes."""
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
    """A guest tells which players it knows under other keys and has not accepted yet."""

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
MutualFrame: TypeAlias = Ping | LobbyChat
"""What both sides of a lobby link send, besides the genesis with signatures under it, which is a
signed body (`kotp2p.wire.genesis`)."""
LobbyFrame: TypeAlias = GuestFrame | HostFrame | MutualFrame
