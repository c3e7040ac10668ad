"""The file: head, records, torn tails. Sections 10.1 and 10.2."""

from dataclasses import dataclass
from zlib import crc32

from tests.tools.independent import wire

LOG, EVIDENCE = b"kotp2plg", b"kotp2pev"
FORMAT, PROTOCOL, RULES = 2, 6, 2
HEAD = 40
KINDS = (1, 2, 3, 4, 5, 11, 13)


class Unreadable(Exception):
    """No such head, or other versions."""


class Damaged(Exception):
    """The bytes at this place do not fit."""


@dataclass(frozen=True)
class Record:
    kind: int
    body: bytes
    signature: bytes

    @property
    def payload(self) -> bytes:
        return wire.encode([self.kind, self.body, self.signature])


def u32(x: int) -> bytes:
    return x.to_bytes(4, "big")


def crc(*parts: bytes) -> bytes:
    return u32(crc32(b"".join(parts)))


def head(salt: bytes, magic: bytes = LOG) -> bytes:
    front = magic + u32(FORMAT) + u32(PROTOCOL) + u32(RULES) + salt
    return front + crc(front)


def framed(salt: bytes, index: int, record: Record) -> bytes:
    payload = record.payload
    length = u32(len(payload))
    first = length + crc(salt, u32(index), length)
    return first + payload + crc(salt, u32(index), payload)


def written(salt: bytes, records: list[Record], magic: bytes = LOG) -> bytes:
    return head(salt, magic) + b"".join(framed(salt, i, r) for i, r in enumerate(records))


class File:
    """Reads one record after the other; `index` and `offset` say which would be the next."""

    def __init__(self, data: bytes, magic: bytes = LOG) -> None:
        self.data = data
        if len(data) < HEAD or data[:8] != magic or data[36:40] != crc(data[:36]):
            raise Unreadable("no head")
        if data[8:20] != u32(FORMAT) + u32(PROTOCOL) + u32(RULES):
            raise Unreadable("other versions")
        self.salt = data[20:36]
        self.offset, self.index = HEAD, 0
        self.torn = False

    def _lacks_end(self, end: int) -> bool:
        start = (end - 1) // 512 * 512
        self.torn = start > self.offset and not any(self.data[start:])
        return self.torn

    def next(self) -> Record | None:
        """None at the end of what is whole."""
        rest = len(self.data) - self.offset
        if rest == 0:
            return None
        if rest < 8 or not any(self.data[self.offset :]):
            self.torn = True
            return None
        length = self.data[self.offset : self.offset + 4]
        if self.data[self.offset + 4 : self.offset + 8] != crc(self.salt, u32(self.index), length):
            if self._lacks_end(self.offset + 8):
                return None
            raise Damaged("the checksum of a length")
        size = int.from_bytes(length, "big")
        behind = self.data[self.offset + 8 :]
        if len(behind) < size + 4 or not any(behind):
            self.torn = True
            return None
        if not 0 < size <= wire.MOST_BYTES:
            raise Damaged("a length that no record has")
        payload = behind[:size]
        if behind[size : size + 4] != crc(self.salt, u32(self.index), payload):
            if self._lacks_end(self.offset + 12 + size):
                return None
            raise Damaged("the checksum of a record")
        try:
            kind, body, signature = wire.array(wire.decode(payload), 3)
            wire.need(kind in KINDS, "no such kind of record")
            record = Record(wire.number(kind), wire.octets(body), wire.octets(signature))
        except wire.Malformed as error:
            raise Damaged(str(error)) from error
        self.offset += 12 + size
        self.index += 1
        return record
