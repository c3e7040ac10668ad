"""The bytes of a log file: a head and numbered records (PROTOCOL.md 10)."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from struct import Struct

from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.wire import encoding, entries, genesis

# -- why a log is not sound, told apart as far as its readers are told ---------------------


class LogFault(StrEnum):
    # -- it cannot be read
    NO_FILE = "no-file"
    NO_LOG = "no-log"
    NO_EVIDENCE = "no-evidence"
    DAMAGED_HEAD = "damaged-head"
    OTHER_VERSION = "other-version"
    EVIDENCE = "evidence"

    # -- it is unfinished
    NO_END = "no-end"
    NOT_CONFIRMED = "not-confirmed"
    """The game is over, and no keeper has signed that."""

    # -- a record is wrong
    DAMAGED = "damaged"
    AFTER_END = "after-end"
    NO_GENESIS = "no-genesis"
    GENESIS = "genesis"
    OTHER_GAME = "other-game"
    TWICE = "twice"
    FORM = "form"
    SIGNATURE = "signature"
    PLACE = "place"
    """It does not go on from what stands before it."""
    LINE_UP = "line-up"
    """A line-up, or a LEAVE, that does not fit or tells nothing new."""
    PROOF = "proof"
    POSITION = "position"

    # -- a record is a cheat: the values of `CheatKind`
    ILLEGAL_MOVE = "illegal-move"
    WRONG_OPENING = "wrong-opening"
    EQUIVOCATION = "equivocation"
    COPIED_COMMITMENT = "copied-commitment"
    WRONG_SHARE = "wrong-share"
    BAD_ENTRY = "bad-entry"


# -- the bytes of a log file: a head and numbered records (PROTOCOL.md 10) -----------------


LOG_MAGIC = b"kotp2plg"
EVIDENCE_MAGIC = b"kotp2pev"
"""The first bytes of a file of evidence (`kotp2p.game.verify`), which has the same form."""
LOG_FORMAT = 2
SALT_BYTES = 16
HEAD_BYTES = len(LOG_MAGIC) + 12 + SALT_BYTES + 4
"""The size of the head: magic, three u32 (format, protocol, rules), salt, checksum."""
MAX_LOG_BYTES = 64 * 2**20
MAX_PROGRAM_TEXT = 64

_u32: Callable[[int], bytes] = Struct(">I").pack
_LENGTH = Struct(">II")


@dataclass(frozen=True, slots=True)
class ProgramNamed:
    """The program that has written a log, by its own word: the first record, for people."""

    name: str
    version: str

    @property
    def signed(self) -> entries.Signed:
        value = (self.name, self.version)
        read = lambda body: ProgramNamed.parse(entries.Signed(entries.BodyKind.PROGRAM, body, b""))  # noqa: E731
        return entries.Signed(entries.BodyKind.PROGRAM, encoding.pack_readable(value, read), b"")

    @staticmethod
    def parse(signed: entries.Signed) -> ProgramNamed:
        if signed.signature:
            raise encoding.BadBytes("a program that signs")
        name, version = encoding.array(encoding.unpack(signed.body), 2)
        return ProgramNamed(
            encoding.text(name, MAX_PROGRAM_TEXT), encoding.text(version, MAX_PROGRAM_TEXT)
        )


def _crc(*parts: bytes) -> bytes:
    return _u32(zlib.crc32(b"".join(parts)))


def pack_head(salt: bytes, magic: bytes = LOG_MAGIC) -> bytes:
    """Return the head of a log. The salt of the game goes into all checksums."""
    fields = magic + _u32(LOG_FORMAT) + _u32(genesis.PROTOCOL_VERSION) + _u32(RULES_VERSION) + salt
    return fields + _crc(fields)


def pack_record(salt: bytes, index: int, signed: entries.Signed) -> bytes:
    """Return one record; its length has a checksum, so that a torn tail is no damaged length."""
    payload = entries.pack_signed(signed)
    length = _u32(len(payload))
    return length + _crc(salt, _u32(index), length) + payload + _crc(salt, _u32(index), payload)


class Damaged(Exception):
    """A record is not as it was written, and the cause is no torn tail."""

    def __init__(self, index: int, offset: int, why: str) -> None:
        super().__init__(f"record {index} at byte {offset}: {why}")
        self.index = index
        self.offset = offset
        self.why = why


@dataclass(frozen=True, slots=True, order=True)
class Versions:
    """The versions in a head. The form of a head never changes."""

    format: int
    protocol: int
    rules: int

    def __str__(self) -> str:
        return f"log format {self.format}, protocol {self.protocol}, rules {self.rules}"


OUR_VERSIONS = Versions(LOG_FORMAT, genesis.PROTOCOL_VERSION, RULES_VERSION)


class Unreadable(Exception):
    """The bytes are no log of this version: the head is missing, damaged, or of another version."""

    def __init__(self, reason: str, fault: LogFault, versions: Versions | None = None) -> None:
        super().__init__(reason)
        self.fault = fault
        self.versions = versions
        """Those of the head, if they are others."""


def read_head(data: bytes, magic: bytes = LOG_MAGIC) -> tuple[Versions, bytes]:
    """Return the versions and the salt; raise Unreadable if it is no such head."""
    what = "log" if magic == LOG_MAGIC else "evidence"
    if magic == LOG_MAGIC and data.startswith(EVIDENCE_MAGIC):
        raise Unreadable("the proof of a cheat, not a log", LogFault.EVIDENCE)
    if len(data) < HEAD_BYTES or not data.startswith(magic):
        fault = LogFault.NO_LOG if magic == LOG_MAGIC else LogFault.NO_EVIDENCE
        raise Unreadable(f"not a kotp2p {what}", fault)
    if _crc(data[: HEAD_BYTES - 4]) != data[HEAD_BYTES - 4 : HEAD_BYTES]:
        raise Unreadable(f"the head of the {what} is damaged", LogFault.DAMAGED_HEAD)
    numbers = (int.from_bytes(data[i : i + 4], "big") for i in (8, 12, 16))
    return Versions(*numbers), data[20 : 20 + SALT_BYTES]


def read_salt(data: bytes, magic: bytes = LOG_MAGIC) -> bytes:
    """Return the salt of a file of this version; raise Unreadable if it is no such file."""
    versions, salt = read_head(data, magic)
    if versions != OUR_VERSIONS:
        raise Unreadable(
            f"written by another version of kotp2p: {versions}; this program reads {OUR_VERSIONS}",
            LogFault.OTHER_VERSION,
            versions,
        )
    return salt


BLOCK_BYTES = 512
"""All file systems write whole blocks of this size, or of a multiple."""


class RecordReader:
    """Reads the records of a log one after the other. The log may grow meanwhile."""

    def __init__(self, data: bytes, salt: bytes) -> None:
        self._data = data
        self._base = 0
        """Where the bytes that are held begin in the log."""
        self._crc_of_salt = zlib.crc32(salt)
        self._crc_of_index = self._add_index(0)
        """Both checksums of a record begin with the salt and its index."""
        self.offset = HEAD_BYTES
        """Where the next record begins; after the last record, where the good bytes end."""
        self.index = 0

    @property
    def size(self) -> int:
        return self._base + len(self._data)

    @property
    def is_torn(self) -> bool:
        return self.offset < self.size

    def feed(self, data: bytes) -> None:
        self._data = self._data[self.offset - self._base :] + data
        self._base = self.offset

    def read_record(self) -> entries.Signed | None:
        """Return the next record; None at the end or a torn tail; raise Damaged."""
        data, at = self._data, self.offset - self._base
        size = self._read_size(at)
        if size is None:
            return None
        end = at + 8 + size
        payload = data[at + 8 : end]
        if _u32(zlib.crc32(payload, self._crc_of_index)) != data[end : end + 4]:
            if self._lacks_end(at, end + 4):
                return None
            raise Damaged(self.index, self.offset, "its bytes are not what was written")
        try:
            number, body, signature = encoding.array(encoding.unpack_for_readers(payload), 3)
            kind = _RECORD_KINDS.get(number) if type(number) is int else None
            if kind is None or type(body) is not bytes or type(signature) is not bytes:
                raise encoding.BadBytes("no kind, body and signature of a record")
            signed = entries.Signed(kind, body, signature)
        except encoding.BadBytes as fault:
            raise Damaged(self.index, self.offset, str(fault)) from fault
        self.offset += 12 + size
        self.index += 1
        self._crc_of_index = self._add_index(self.index)
        return signed

    def _read_size(self, at: int) -> int | None:
        """Return the length of the payload at `at`; None if the rest is a torn tail.

        The rest is torn if fewer than 8 bytes are left, or if only zeros are. It is also torn if
        too few bytes, or only zeros, follow a good length, or come from a block on: a file can have
        grown before the machine stopped, while its content had not been written. Raise Damaged for
        a damaged length.
        """
        data = self._data
        rest = len(data) - at
        if rest < 8:
            return None
        named: tuple[int, int] = _LENGTH.unpack_from(data, at)
        size, checksum = named
        if size == 0 and self._has_only_zeros_from(at):
            return None
        if zlib.crc32(data[at : at + 4], self._crc_of_index) != checksum:
            if self._lacks_end(at, at + 8):
                return None
            raise Damaged(self.index, self.offset, "its length is not what was written")
        if rest < 12 + size or (data[at + 8] == 0 and self._has_only_zeros_from(at + 8)):
            return None
        if not 0 < size <= encoding.MAX_FRAME_BYTES:
            raise Damaged(self.index, self.offset, "its length is out of range")
        return size

    def _lacks_end(self, at: int, end: int) -> bool:
        """Return whether all is zeros from the last block on that begins in these bytes."""
        start = end - 1 - (self._base + end - 1) % BLOCK_BYTES
        return start > at and self._has_only_zeros_from(start)

    def _add_index(self, index: int) -> int:
        return zlib.crc32(_u32(index), self._crc_of_salt)

    def _has_only_zeros_from(self, at: int) -> bool:
        """Look at all of the rest, so check first whether it begins with a zero."""
        return not any(self._data[at:])


def read_genesis(reader: RecordReader) -> genesis.Genesis | None:
    """Return the genesis of a log, unsigned; None if it ends before. Raise like its readers."""
    signed = reader.read_record()
    if signed is not None and signed.kind is entries.BodyKind.PROGRAM:
        signed = reader.read_record()
    if signed is None:
        return None
    if signed.kind is not entries.BodyKind.GENESIS:
        raise encoding.BadBytes("a log that does not begin with a genesis")
    return genesis.Genesis.parse(signed.body)


def canonical_log(game: bytes, bodies: Iterable[entries.Signed]) -> bytes:
    """Return the canonical log of a genesis and the winning sequence (PROTOCOL.md 10.4)."""
    salt = game[:SALT_BYTES]
    records = (pack_record(salt, i, signed) for i, signed in enumerate(bodies))
    return pack_head(salt) + b"".join(records)


_RECORD_KINDS = {
    int(kind): kind
    for kind in (
        entries.BodyKind.GENESIS,
        entries.BodyKind.PLAY,
        entries.BodyKind.LINE_UP,
        entries.BodyKind.LEAVE,
        entries.BodyKind.SHARE,
        entries.BodyKind.CHEAT_PROOF,
        entries.BodyKind.PROGRAM,
    )
}
