"""A log says whether it is what was written, and whether what was written is honest."""

import itertools

import pytest

from kotp2p.game.verify import Report, Result, verify_log
from kotp2p.wire.records import (
    HEAD_BYTES,
    RecordReader,
    pack_head,
    pack_record,
    read_head,
)
from tests.support.log_bytes import long_log, offsets, short_log
from tests.support.recorded import vector_log


def records(data: bytes) -> list[bytes]:
    at = offsets(data)
    return [data[a:b] for a, b in itertools.pairwise(at)]


def rewritten(data: bytes, order: list[int]) -> bytes:
    """The log with its records in this order, every checksum made right again."""
    _, salt = read_head(data)
    reader = RecordReader(data, salt)
    signed = []
    while (one := reader.read_record()) is not None:
        signed.append(one)
    return pack_head(salt) + b"".join(pack_record(salt, i, signed[n]) for i, n in enumerate(order))


def test_both_logs_are_sound_as_they_are() -> None:
    for data in (short_log(), long_log()):
        report = verify_log(data)
        assert report.result is Result.SOUND, report.reason
        assert report.winners is not None
        assert not report.torn
    assert verify_log(long_log()).confirmed_by == (0, 1, 2)


def wrong_at(report: Report) -> int:
    assert report.result is Result.WRONG, report
    assert report.wrong_at is not None
    return report.wrong_at.record


def test_every_flipped_byte_is_found_in_its_record() -> None:
    data = short_log()
    starts = offsets(data)
    for at in range(len(data)):
        flipped = data[:at] + bytes((data[at] ^ 0x40,)) + data[at + 1 :]
        report = verify_log(flipped)
        if at < HEAD_BYTES:
            assert report.result is Result.UNREADABLE, at
        else:
            where = max(i for i, start in enumerate(starts) if start <= at)
            assert wrong_at(report) == where, at
            assert report.wrong_at is not None
            assert report.wrong_at.offset == starts[where]


def test_a_log_cut_anywhere_is_unfinished_and_in_the_head_unreadable() -> None:
    data = short_log()
    for size in range(len(data)):
        expected = Result.UNREADABLE if size < HEAD_BYTES else Result.UNFINISHED
        report = verify_log(data[:size])
        assert report.result is expected, size
        assert report.wrong_at is None


def test_an_unfinished_log_says_what_it_lacks() -> None:
    """A game that is over lacks the signatures under its end."""
    data = short_log()
    *_, before_the_end, _ = offsets(data)
    assert verify_log(data[:before_the_end]).reason == "nobody has confirmed the end"
    half = offsets(data)[len(offsets(data)) // 2]
    assert verify_log(data[:half]).reason == "the log ends before the game"


def test_repeated_or_removed_records_are_found_though_all_checksums_are_right() -> None:
    data = short_log()
    count = len(records(data))
    for i in range(count):
        repeated = [*range(i + 1), *range(i, count)]
        assert wrong_at(verify_log(rewritten(data, repeated))) == i + 1
        if 0 < i < count - 1:  # the first one only names the program that has written it
            removed = [n for n in range(count) if n != i]
            assert verify_log(rewritten(data, removed)).result is Result.WRONG


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("wrong-illegal", (3, 2, 1)),
        ("wrong-entry-of-a-keeper-that-is-out", (3, None, 1)),
        ("wrong-entry-behind-a-leave", (3, None, 2)),
        ("wrong-checksum-of-a-record", (None, None, None)),
    ],
)
def test_a_wrong_record_is_told_with_its_height_seat_and_turn_as_far_as_it_has_them(
    name: str, place: tuple[int | None, ...]
) -> None:
    at = verify_log(vector_log(name)).wrong_at
    assert at is not None
    assert (at.height, at.seat, at.turn) == place


def test_anything_else_is_unreadable_and_accuses_nobody() -> None:
    later = bytearray(short_log())
    for data in (
        b"",
        b"x",
        b"kotp2plg",
        b"PK\x03\x04" * 100,
        bytes(later[:HEAD_BYTES])[:-1] + b"\0",
    ):
        report = verify_log(data)
        assert report.result is Result.UNREADABLE
        assert report.reason
        assert report.wrong_at is None
