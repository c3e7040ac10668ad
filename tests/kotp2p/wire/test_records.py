"""Reading the records of a log: how much of a file is looked at."""

import zlib
from typing import SupportsIndex, overload

import pytest

from kotp2p.wire import records
from kotp2p.wire.encoding import MAX_FRAME_BYTES, pack
from kotp2p.wire.entries import BodyKind, Signed

SALT = bytes(range(16))


class CountedBytes(bytes):
    looked_at = 0

    @overload
    def __getitem__(self, key: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, key: slice) -> bytes: ...
    def __getitem__(self, key: SupportsIndex | slice) -> int | bytes:
        found = super().__getitem__(key)
        self.looked_at += len(found) if isinstance(found, bytes) else 1
        return found


def log_of(count: int, behind: bytes = b"") -> CountedBytes:
    found = (
        records.pack_record(SALT, index, Signed(BodyKind.PLAY, b"body" * 20, bytes(64)))
        for index in range(count)
    )
    return CountedBytes(records.pack_head(SALT) + b"".join(found) + behind)


def read_all(data: bytes) -> int:
    reader, count = records.RecordReader(data, SALT), 0
    while reader.read_record() is not None:
        count += 1
    return count


@pytest.mark.parametrize("behind", [b"", b"junk" * 250_000], ids=["whole", "junk behind it"])
def test_reading_looks_at_each_record_a_few_times_and_not_at_all_behind_it(behind: bytes) -> None:
    data = log_of(200, behind)
    size = len(log_of(200)) - records.HEAD_BYTES
    if behind:
        with pytest.raises(records.Damaged):
            read_all(data)
    else:
        assert read_all(data) == 200
    assert data.looked_at < 2 * size


@pytest.mark.parametrize("zeros", [7, 8, 9, 12, 13, 1000])
def test_a_tail_of_zeros_is_torn_however_long_it_is(zeros: int) -> None:
    reader = records.RecordReader(log_of(3, bytes(zeros)), SALT)
    assert [reader.read_record() is not None for _ in range(4)] == [True, True, True, False]
    assert reader.is_torn


@pytest.mark.parametrize("zeros", [8, 11, 12, 13, 32])
def test_a_tail_of_zeros_and_something_else_is_damage(zeros: int) -> None:
    reader = records.RecordReader(log_of(1, bytes(zeros) + b"\x01"), SALT)
    reader.read_record()
    with pytest.raises(records.Damaged):
        reader.read_record()


@pytest.mark.parametrize("zeros", [1, 32, 200])
def test_zeros_behind_a_good_length_are_torn_and_otherwise_damage(zeros: int) -> None:
    whole = log_of(2)
    length = whole[records.HEAD_BYTES :][:8]
    head = records.pack_head(SALT)
    assert read_all(head + length + bytes(1000)) == 0
    with pytest.raises(records.Damaged):
        read_all(head + length + bytes(zeros) + b"\x01" + bytes(1000))


@pytest.mark.parametrize("zeros", [0, 1, 3000])
def test_zeros_from_a_block_on_are_torn_and_otherwise_damage(zeros: int) -> None:
    whole = log_of(40)
    assert len(whole) > 3 * records.BLOCK_BYTES
    for start in range(records.BLOCK_BYTES, len(whole) - records.BLOCK_BYTES, records.BLOCK_BYTES):
        lost = whole[:start] + bytes(len(whole) - start + zeros)
        assert 0 < read_all(lost) < 40
        with pytest.raises(records.Damaged):
            read_all(lost + b"\x01")


def reader_of(payload: bytes) -> records.RecordReader:
    """Of a log with this alone in its first record, and all checksums right."""
    parts = (len(payload).to_bytes(4, "big"), payload)
    framed = (one + zlib.crc32(SALT + bytes(4) + one).to_bytes(4, "big") for one in parts)
    return records.RecordReader(records.pack_head(SALT) + b"".join(framed), SALT)


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        *[
            (pack(value), "no kind, body and signature of a record")
            for value in (("2", b"", b""), (True, b"", b""), (2, "", b""), (2, b"", ""))
        ],
        *[(b"x" * size, "its length is out of range") for size in (0, MAX_FRAME_BYTES + 1)],
    ],
)
def test_a_record_is_a_number_and_two_byte_strings_in_one_frame(payload: bytes, why: str) -> None:
    with pytest.raises(records.Damaged) as shown:
        reader_of(payload).read_record()
    assert shown.value.why == why


def test_a_log_that_grows_is_read_as_if_it_had_been_there() -> None:
    whole, found = log_of(3), 0
    reader = records.RecordReader(whole[: records.HEAD_BYTES], SALT)
    for end in range(records.HEAD_BYTES, len(whole) + 50, 50):
        reader.feed(whole[reader.size : end])
        while reader.read_record() is not None:
            found += 1
        assert reader.size == min(end, len(whole))
    assert (found, reader.offset, reader.is_torn) == (3, len(whole), False)


@pytest.mark.parametrize("kind", [0, *BodyKind, 14])
def test_a_log_holds_what_stands_in_a_game_and_nothing_else(kind: int) -> None:
    """READYs, heads, wishes, addresses, chat and HEREs are in no log (PROTOCOL.md 10.2)."""
    reader = reader_of(pack((kind, b"body", bytes(64))))
    if kind in (1, 2, 3, 4, 5, 11, 13):
        assert reader.read_record() == Signed(BodyKind(kind), b"body", bytes(64))
        assert reader.read_record() is None
        assert not reader.is_torn
    else:
        with pytest.raises(records.Damaged):
            reader.read_record()


def test_a_record_that_is_cut_anywhere_is_a_torn_tail() -> None:
    whole, one = log_of(2), len(log_of(1))
    for end in range(one, len(whole) + 1):
        reader = records.RecordReader(whole[:end], SALT)
        assert reader.read_record() is not None
        assert (reader.read_record() is not None) is (end == len(whole))
        assert reader.is_torn is (one < end < len(whole))
        assert reader.offset == (one if end < len(whole) else end)


def test_each_changed_byte_of_a_record_is_damage_there() -> None:
    whole, one = log_of(2), len(log_of(1))
    for at in range(one, len(whole)):
        reader = records.RecordReader(bytes((*whole[:at], whole[at] ^ 1, *whole[at + 1 :])), SALT)
        reader.read_record()
        with pytest.raises(records.Damaged) as shown:
            reader.read_record()
        assert (shown.value.index, shown.value.offset) == (1, one)


@pytest.mark.parametrize("at", range(len(records.LOG_MAGIC), records.HEAD_BYTES))
def test_a_changed_byte_behind_the_mark_of_a_log_is_a_damaged_head(at: int) -> None:
    head = records.pack_head(SALT)
    with pytest.raises(records.Unreadable) as caught:
        records.read_head(head[:at] + bytes((head[at] ^ 1,)) + head[at + 1 :])
    assert caught.value.fault is records.LogFault.DAMAGED_HEAD


HEAD = records.pack_head(SALT)
PROOF = records.pack_head(SALT, records.EVIDENCE_MAGIC)


@pytest.mark.parametrize(
    ("data", "magic", "fault"),
    [
        (b"", records.LOG_MAGIC, records.LogFault.NO_LOG),
        (HEAD[:-1], records.LOG_MAGIC, records.LogFault.NO_LOG),
        (b"x" + HEAD[1:], records.LOG_MAGIC, records.LogFault.NO_LOG),
        (PROOF, records.LOG_MAGIC, records.LogFault.EVIDENCE),
        (HEAD, records.EVIDENCE_MAGIC, records.LogFault.NO_EVIDENCE),
        (PROOF[:-1], records.EVIDENCE_MAGIC, records.LogFault.NO_EVIDENCE),
    ],
)
def test_another_kind_is_no_damaged_one(data: bytes, magic: bytes, fault: records.LogFault) -> None:
    with pytest.raises(records.Unreadable) as caught:
        records.read_salt(data, magic)
    assert caught.value.fault is fault
