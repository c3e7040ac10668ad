"""The logs among the vectors, and the same with a signature that is wrong."""

from kotp2p.wire.entries import Signed
from kotp2p.wire.records import RecordReader, pack_head, pack_record, read_salt
from tests.support.paths import LOGS, VECTORS

WHOLE_LOGS = [*sorted((VECTORS / "logs").glob("*.kotlog")), *sorted(LOGS.glob("*.kotlog"))]
QUARRELS = ("back", "assents-in-vain", "left-with-bots", "replaced", "convicted-far-back")
"""Vectors with line-ups, LEAVEs, proofs, and entries that were undone."""


def vector(name: str) -> bytes:
    return (VECTORS / "logs" / f"{name}.kotlog").read_bytes()


def records(log: bytes) -> list[Signed]:
    reader, found = RecordReader(log, read_salt(log)), []
    while (signed := reader.read_record()) is not None:
        found.append(signed)
    return found


def rewritten(log: bytes, changed: list[Signed]) -> bytes:
    salt = read_salt(log)
    return pack_head(salt) + b"".join(pack_record(salt, i, s) for i, s in enumerate(changed))


def forged(log: bytes, at: int) -> bytes:
    """The log with another signature under one body."""
    changed = records(log)
    one = changed[at]
    changed[at] = one._replace(signature=one.signature[:-9] + bytes((one.signature[-9] ^ 1,)) * 9)
    return rewritten(log, changed)
