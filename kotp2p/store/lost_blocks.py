"""Blocks of a log that a power failure has lost, and how the log is cut before them.

Scope: the log of a seat that comes back (PROTOCOL.md 10.6).
Not here: torn tails (`kotp2p.wire.records`).

What was not synced may come to the disk in any order. A file can then hold its last blocks, and
zeros where an earlier one should be. Nothing from there on was synced, so this seat has told nobody
anything of it: everything is synced before anything is sent. A disk that loses blocks later makes
an older copy of the log. That is bound to hear the others first, like any copy.
"""

from __future__ import annotations

from kotp2p.wire.encoding import MAX_FRAME_BYTES
from kotp2p.wire.records import Damaged, RecordReader, read_salt

BLOCK_BYTES = 512
"""All file systems write whole blocks of this size, or of a multiple."""
LEADING_ZEROS = 2
"""A record begins with so many zero bytes: its length is below 2^16 + 1."""


def cut_lost_blocks(data: bytes) -> bytes:
    """The log up to the first record of which a block is lost; all of it if none is, also if it is
    damaged otherwise. Raises Unreadable."""
    reader = RecordReader(data, read_salt(data))
    try:
        while reader.read_record() is not None:
            pass
    except Damaged:
        if _lacks_block(data, reader.offset):
            return data[: reader.offset]
    return data


def _lacks_block(data: bytes, record: int) -> bool:
    """Whether zeros stand for a block of the record that begins at `record`, or for the rest of the
    block in which it begins: the part before it may have been synced."""
    first_end = record - record % BLOCK_BYTES + BLOCK_BYTES
    if first_end - record > LEADING_ZEROS and not any(data[record:first_end]):
        return True
    blocks = range(first_end, min(len(data), record + MAX_FRAME_BYTES), BLOCK_BYTES)
    return any(not any(data[start : start + BLOCK_BYTES]) for start in blocks)
