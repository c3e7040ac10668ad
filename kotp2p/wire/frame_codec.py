"""Frames as the bytes of a link, and back (PROTOCOL.md 3).

May live here: the length before a frame, and what makes its fields well formed. May not: what a
frame means (`kotp2p.wire.frames`), links.

A frame is a 4-byte big-endian length and one msgpack array whose first field is its type. One
frame that is not well formed ends the link.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kotp2p.wire.crypto import HASH, KEY, SIGNATURE, check_key
from kotp2p.wire.encoding import (
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
from kotp2p.wire.entries import Kind, Signed
from kotp2p.wire.frames import (
    MAX_HOST,
    MAX_TEXT,
    AllAssent,
    AllSealed,
    Assent,
    Chat,
    Closed,
    Frame,
    GenesisShown,
    Hello,
    Links,
    Lobby,
    Ping,
    Place,
    PositionShown,
    Proof,
    Refusal,
    RowShown,
    Sealed,
    Sit,
    Stand,
    Start,
    Type,
    Unsure,
    Want,
)
from kotp2p.wire.genesis import MAX_NAME, MAX_SEATS, NONCE, Charter, Row

MAX_HELLO = 512
"""Bytes of a frame before its sender has proved its key."""


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


def _unsure(rest: tuple[object, ...]) -> Unsure:
    (keys,) = array(rest, 1)
    return Unsure(tuple(octets(key, KEY) for key in array(keys, most=MAX_SEATS)))


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
    Type.UNSURE: _unsure,
}
