"""Signed bodies as they stand in frames and records, read without the code that wrote them.

From PROTOCOL.md 3, 5 and 10 alone: a checker that asked the product what its bytes mean would
believe its mistakes.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass

import msgpack

PLAY, VOTE, STAND_IN, SHARE, CLOSE, HEAD = 2, 3, 4, 5, 6, 7
MAGIC = b"kotp2plg"
LOG_HEAD = 40
DROP = 1
ANSWER, BLAME = 1, 5


@functools.lru_cache(1024)
def _fields(body: bytes) -> tuple[object, ...]:
    """Several laws look at one body, on every machine that it comes to."""
    fields: tuple[object, ...] = msgpack.unpackb(body, use_list=False)
    return fields


@dataclass(frozen=True, slots=True)
class Body:
    kind: int
    body: bytes

    def fields(self) -> tuple[object, ...]:
        return _fields(self.body)

    def place(self) -> tuple[object, ...] | None:
        """Where its seat may sign one body only; None: it may sign many of this kind."""
        fields = self.fields()
        match self.kind:
            case 2:
                _, game, view, height, _, seat, _, _ = fields
                return (PLAY, game, view, height, seat)
            case 4:
                return (STAND_IN, fields[0], fields[1])
            case _:
                return None

    def drop(self) -> tuple[tuple[object, ...], tuple[object, ...]] | None:
        """Of a vote that binds: in which round its seat has voted, and about what: at which
        height, on which past, against whom."""
        if self.kind != VOTE:
            return None
        game, view, round_, height, head, seat, choice, accused, _ = self.fields()
        return ((game, view, round_, seat), (height, head, accused)) if choice == DROP else None

    def is_blame(self) -> bool:
        """It says that a share was wrong; no log holds it, and it decides nothing."""
        return self.kind == SHARE and self.fields()[6] == BLAME

    @property
    def seat(self) -> int | None:
        """The author of play, shares, farewells and votes."""
        fields = self.fields()
        seat = {PLAY: 5, SHARE: 5, STAND_IN: 1, VOTE: 5}.get(self.kind)
        number = fields[seat] if seat is not None else None
        return number if isinstance(number, int) else None


def of_frame(data: bytes) -> Body | None:
    """The signed body in one whole frame, if it is one that stands in logs."""
    if data[4] != 0x93 or data[5] not in (PLAY, VOTE, STAND_IN, SHARE, CLOSE):
        return None  # no array of three that begins with such a kind
    kind, body, _ = msgpack.unpackb(data[4:], use_list=False)
    return Body(kind, body)


@functools.lru_cache(32)
def of_log(data: bytes) -> tuple[Body, ...]:
    """The bodies of records, behind a head or not, up to where the bytes are no record any more."""
    found, at = [], LOG_HEAD if data.startswith(MAGIC) else 0
    while len(data) - at >= 8:
        size = int.from_bytes(data[at : at + 4], "big")
        if not size or len(data) - at < 12 + size:
            break
        kind, body, _ = msgpack.unpackb(data[at + 8 : at + 8 + size], use_list=False)
        found.append(Body(kind, body))
        at += 12 + size
    return tuple(found)


def blobs(value: object) -> Iterator[bytes]:
    """All byte strings within a value."""
    if isinstance(value, bytes):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from blobs(item)
