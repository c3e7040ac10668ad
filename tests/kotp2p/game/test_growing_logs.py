"""A log that comes in pieces is judged like one that is there as a whole."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from kotp2p.game.verify import LogReading, verify_log
from kotp2p.wire.records import HEAD_BYTES
from tests.support.log_bytes import short_log
from tests.support.paths import VECTORS

WRITTEN = sorted((VECTORS / "logs").glob("*.kotlog"))


def read_in_pieces(data: bytes, pieces: random.Random, most: int) -> LogReading:
    reading = LogReading(b"", grows=True)
    at = 0
    while at < len(data) and not reading.is_over:
        size = pieces.randint(1, most)
        reading.feed(data[at : at + size])
        at += size
        while reading.read_record() is not None:
            pass
    return reading


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_the_verdict_on_pieces_is_that_on_the_whole(path: Path) -> None:
    data = path.read_bytes()
    found, whole = read_in_pieces(data, random.Random(path.stem), 700).report(), verify_log(data)
    # Whether a tail is torn is known only where nothing more can come.
    assert replace(found, torn=whole.torn) == whole


def test_a_piece_of_the_head_is_waited_for() -> None:
    data, reading = short_log(), LogReading(b"", grows=True)
    reading.feed(data[: HEAD_BYTES - 1])
    assert reading.read_record() is None
    assert (reading.offset, reading.unread, reading.is_over) == (0, HEAD_BYTES - 1, False)
    reading.feed(data[HEAD_BYTES - 1 :])
    assert reading.read_record() is not None


def test_a_piece_of_a_record_is_waited_for() -> None:
    data = short_log()
    reading = LogReading(b"", grows=True)
    reading.feed(data[:-1])
    read = 0
    while reading.read_record() is not None:
        read += 1
    assert not reading.is_over
    assert reading.unread > 0
    reading.feed(data[-1:])
    last = reading.read_record()
    assert last is not None
    assert last.index == read
