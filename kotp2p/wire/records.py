"""The log file: a head and numbered records (PROTOCOL.md 10).

Two questions are kept apart. Checksums tell whether the bytes are what was written: a torn tail
is cut off, anything else is damage. Signatures and the chain tell whether what was written is
honest; that is `kotp2p.game.verify`. All here is bytes; files are the business of `kotp2p.world`.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from kotp2p.wire.encoding import MAX_FRAME_BYTES, BadBytes, array, integer, octets, pack, unpack
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.genesis import PROTOCOL_VERSION
from referee.box.rulesets import RULES_VERSION

LOG_MAGIC = b"kotp2plg"
EVIDENCE_MAGIC = b"kotp2pev"
"""Of a file that shows a cheat (`kotp2p.game.evidence`): otherwise the same form."""
LOG_FORMAT = 1
SALT_BYTES = 16
HEAD_BYTES = len(LOG_MAGIC) + 12 + SALT_BYTES + 4
"""Magic, three u32 (format, protocol, rules), salt, checksum."""
MAX_LOG_BYTES = 64 * 2**20


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def _crc(*parts: bytes) -> bytes:
    return _u32(zlib.crc32(b"".join(parts)))


def pack_head(salt: bytes, magic: bytes = LOG_MAGIC) -> bytes:
    """The first bytes of a log; the salt is the first 16 bytes of the game id."""
    fields = magic + _u32(LOG_FORMAT) + _u32(PROTOCOL_VERSION) + _u32(RULES_VERSION) + salt
    return fields + _crc(fields)


def pack_record(salt: bytes, index: int, signed: Signed) -> bytes:
    """One record; `index` counts from 0 (the genesis)."""
    payload = pack((int(signed.kind), signed.body, signed.signature))
    length = _u32(len(payload))
    return length + _crc(salt, _u32(index), length) + payload + _crc(salt, _u32(index), payload)


class Unreadable(Exception):
    """No log of this format: the head is damaged, or of versions that we do not carry."""


class Damaged(Exception):
    """A record that was not written so: never a torn tail."""

    def __init__(self, index: int, offset: int, why: str) -> None:
        super().__init__(f"record {index} at byte {offset}: {why}")
        self.index = index
        self.offset = offset
        self.why = why


@dataclass(frozen=True, slots=True)
class Versions:
    """What the head says; its form never changes."""

    format: int
    protocol: int
    rules: int


def read_head(data: bytes, magic: bytes = LOG_MAGIC) -> tuple[Versions, bytes]:
    """The versions and the salt. Raises Unreadable if it is no such head."""
    what = "log" if magic == LOG_MAGIC else "evidence"
    if len(data) < HEAD_BYTES or not data.startswith(magic):
        raise Unreadable(f"not a kotp2p {what}")
    if _crc(data[: HEAD_BYTES - 4]) != data[HEAD_BYTES - 4 : HEAD_BYTES]:
        raise Unreadable(f"the head of the {what} is damaged")
    numbers = (int.from_bytes(data[i : i + 4], "big") for i in (8, 12, 16))
    return Versions(*numbers), data[20 : 20 + SALT_BYTES]


class RecordReader:
    """The records of a log, one after the other, with their place."""

    def __init__(self, data: bytes, salt: bytes) -> None:
        self._data = data
        self._salt = salt
        self.offset = HEAD_BYTES
        """Of the record that `next` will read; after the last one, where the good bytes end."""
        self.index = 0

    @property
    def size(self) -> int:
        return len(self._data)

    @property
    def is_torn(self) -> bool:
        """Bytes of an unfinished record are left at the end."""
        return self.offset < len(self._data)

    def read_record(self) -> Signed | None:
        """The next record; None at the end or at a torn tail. Raises Damaged."""
        data, at = self._data, self.offset
        if self._is_torn_at(at):
            return None
        size = int.from_bytes(data[at : at + 4], "big")
        if not 0 < size <= MAX_FRAME_BYTES:
            raise Damaged(self.index, at, "its length is out of range")
        payload = data[at + 8 : at + 8 + size]
        if data[at + 8 + size : at + 12 + size] != _crc(self._salt, _u32(self.index), payload):
            raise Damaged(self.index, at, "its bytes are not what was written")
        try:
            kind, body, signature = array(unpack(payload), 3)
            signed = Signed(_parse_kind(kind), octets(body), octets(signature))
        except BadBytes as fault:
            raise Damaged(self.index, at, str(fault)) from fault
        self.offset += 12 + size
        self.index += 1
        return signed

    def _is_torn_at(self, at: int) -> bool:
        """Fewer than 8 bytes left; or a good length with too few bytes or only zeros behind it (the
        file had grown when the machine stopped, its content had not come); or only zeros."""
        data = self._data
        rest = len(data) - at
        length = data[at : at + 4]
        if rest < 8 or (length == bytes(4) and not any(data[at:])):
            return True
        if _crc(self._salt, _u32(self.index), length) != data[at + 4 : at + 8]:
            raise Damaged(self.index, at, "its length is not what was written")
        return rest < 12 + int.from_bytes(length, "big") or not any(data[at + 8 :])


def canonical_log(game: bytes, genesis: Signed, sequence: list[Signed]) -> bytes:
    """The log in the one form that all peers share (PROTOCOL.md 10.4)."""
    salt = game[:SALT_BYTES]
    records = (pack_record(salt, i, signed) for i, signed in enumerate((genesis, *sequence)))
    return pack_head(salt) + b"".join(records)


def _parse_kind(value: object) -> BodyKind:
    number = integer(value)
    if number not in _RECORD_KINDS:
        raise BadBytes("no such kind of record")
    return BodyKind(number)


_RECORD_KINDS = (*range(BodyKind.GENESIS, BodyKind.CLOSE + 1), BodyKind.PROOF)
