"""Frames as the bytes of a link, and back (PROTOCOL.md 3.1).

Scope: the length before a frame, its limits, and which class reads it.
Not here: what a frame says and how its fields are checked (`frames_link`, `frames_lobby`,
`frames_game`), links.

A frame is a 4-byte big-endian length and one msgpack array whose first field is its type. One
frame that is not well formed ends the link.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from kotp2p.wire.encoding import (
    BadBytes,
    Unwritable,
    Value,
    array,
    integer,
    octets,
    pack,
    unpack,
)
from kotp2p.wire.entries import READINGS_KEPT, BodyKind, Signed, pack_signed
from kotp2p.wire.frame_types import FrameType
from kotp2p.wire.frames import SESSION_FRAMES, Frame
from kotp2p.wire.frames_watch import LogPart

MAX_HELLO_BYTES = 512
"""The limit of a frame before its sender has proved its key: a stranger costs little memory."""


def pack_with_length(value: Value) -> bytes:
    """The encoding of `value` behind its length. Raises Unwritable for what `unpack` would
    refuse."""
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
        """The bodies that `data` completes. Raises BadBytes at a length out of range.

        The length is checked before the body has come, so that nobody can announce 4 GiB.
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
    """The bytes of a frame, with its length in front.

    Raises Unwritable for a frame that the other side would not read as it is meant.
    """
    if isinstance(frame, Signed | LogPart):
        return _encode_for_many(frame)
    return _read_back(pack_with_length(frame.value()), frame)


@lru_cache(64)
def _encode_for_many(frame: Signed | LogPart) -> bytes:
    """A body, or a part of a log, is mostly sent on several links, one after the other."""
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
    """Protocol and rules of a HELLO, of an earlier or later version too; None for another frame.

    These fields keep their places for ever, so they are read before those behind them, whose form
    a later protocol may change. Raises BadBytes if they are not there.
    """
    fields = array(unpack(body))
    if not fields or integer(fields[0], 0, 127) != FrameType.HELLO:
        return None
    if len(fields) < 3:
        raise BadBytes("a hello without its versions")
    return integer(fields[1]), integer(fields[2])


@lru_cache(READINGS_KEPT)
def decode(body: bytes) -> Frame | None:
    """The frame of `body`; None for a session frame that this version does not know.

    Raises BadBytes for a body that is not well formed, and for an unknown kind of signed body: a
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
