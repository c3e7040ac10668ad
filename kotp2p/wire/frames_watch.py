"""Frames about those who only watch a game (PROTOCOL.md 9.11).

Scope: what a watcher and its source say to each other, and what the players hear of watchers. A
keeper of the game that has lost its files reads the log in the same way.
Not here: what a source sends when (`kotp2p.watching`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from kotp2p.wire.crypto import HASH_BYTES
from kotp2p.wire.encoding import BadBytes, Value, array, boolean, integer, octets
from kotp2p.wire.frame_types import Fields, FrameType
from kotp2p.wire.records import MAX_LOG_BYTES

MAX_PART_BYTES = 16_384
"""Bytes of a log that one frame carries."""
MAX_WATCHERS = 200
"""Watchers that one process may have."""


@dataclass(frozen=True, slots=True)
class Watch:
    """A watcher tells how much of the log it has. The first one of a link asks for the rest."""

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
    """Bytes that the log has now: what comes behind them happens while it is watched."""
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
    """The sender tells how many watch through its process."""

    TYPE: ClassVar[FrameType] = FrameType.WATCHED
    count: int

    def value(self) -> Value:
        return (int(self.TYPE), self.count)

    @staticmethod
    def parse(fields: Fields) -> Watched:
        (count,) = array(fields, 1)
        return Watched(integer(count, 0, MAX_WATCHERS))


WatchFrame: TypeAlias = Watch | Admitted | LogPart | Watched
