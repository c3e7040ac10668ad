"""A log says whether it is what was written, and whether what was written is honest."""

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kotp2p.game import verify
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.records import HEAD_BYTES, RecordReader, read_salt
from tests.support.five_players import at_a_decision
from tests.support.log_bytes import long_log, offsets, short_log, without_end
from tests.support.paths import LOGS, VECTORS
from tests.support.recorded import golden_log, vector_log
from tests.support.scribe import written
from tests.support.signed_games import parted_logs
from tests.tools.fuzz.logs import Logs
from tests.tools.independent.strife import strifes

WHOLE_LOGS = [*sorted((VECTORS / "logs").glob("*.kotlog")), *sorted(LOGS.glob("*.kotlog"))]
QUARRELS = ("back", "assents-in-vain", "left-with-bots", "replaced", "convicted-far-back")
"""Vectors with line-ups, LEAVEs, proofs, and entries that were undone."""


def records(log: bytes) -> list[Signed]:
    reader, found = RecordReader(log, read_salt(log)), []
    while (signed := reader.read_record()) is not None:
        found.append(signed)
    return found


def forged(log: bytes, at: int) -> bytes:
    changed = records(log)
    one = changed[at]
    changed[at] = one._replace(signature=one.signature[:-9] + bytes((one.signature[-9] ^ 1,)) * 9)
    return written(read_salt(log), changed)


def records_of(data: bytes) -> list[bytes]:
    at = offsets(data)
    return [data[a:b] for a, b in itertools.pairwise(at)]


def rewritten(log: bytes, order: list[int]) -> bytes:
    """The log with its records in this order, every checksum made right again."""
    signed = records(log)
    return written(read_salt(log), [signed[n] for n in order])


def test_both_logs_are_sound_as_they_are() -> None:
    for data in (short_log(), long_log()):
        report = verify.verify_log(data)
        assert report.result is verify.Result.SOUND, report.reason
        assert report.winners is not None
        assert not report.torn
    assert verify.verify_log(long_log()).confirmed_by == (0, 1, 2)


def wrong_at(report: verify.Report) -> int:
    assert report.result is verify.Result.WRONG, report
    assert report.wrong_at is not None
    return report.wrong_at.record


def test_every_flipped_byte_is_found_in_its_record() -> None:
    data = short_log()
    starts = offsets(data)
    for at in range(len(data)):
        flipped = data[:at] + bytes((data[at] ^ 0x40,)) + data[at + 1 :]
        report = verify.verify_log(flipped)
        if at < HEAD_BYTES:
            assert report.result is verify.Result.UNREADABLE, at
        else:
            where = max(i for i, start in enumerate(starts) if start <= at)
            assert wrong_at(report) == where, at
            assert report.wrong_at is not None
            assert report.wrong_at.offset == starts[where]


def test_a_log_cut_anywhere_is_unfinished_and_in_the_head_unreadable() -> None:
    data = short_log()
    for size in range(len(data)):
        expected = verify.Result.UNREADABLE if size < HEAD_BYTES else verify.Result.UNFINISHED
        report = verify.verify_log(data[:size])
        assert report.result is expected, size
        assert report.wrong_at is None


def test_an_unfinished_log_says_what_it_lacks() -> None:
    """A game that is over lacks the signatures under its end."""
    data = short_log()
    *_, before_the_end, _ = offsets(data)
    assert verify.verify_log(data[:before_the_end]).reason == "nobody has confirmed the end"
    half = offsets(data)[len(offsets(data)) // 2]
    assert verify.verify_log(data[:half]).reason == "the log ends before the game"


def test_repeated_or_removed_records_are_found_though_all_checksums_are_right() -> None:
    data = short_log()
    count = len(records_of(data))
    for i in range(count):
        repeated = [*range(i + 1), *range(i, count)]
        assert wrong_at(verify.verify_log(rewritten(data, repeated))) == i + 1
        if 0 < i < count - 1:  # the first one only names the program that has written it
            removed = [n for n in range(count) if n != i]
            assert verify.verify_log(rewritten(data, removed)).result is verify.Result.WRONG


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
    at = verify.verify_log(vector_log(name)).wrong_at
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
        report = verify.verify_log(data)
        assert report.result is verify.Result.UNREADABLE
        assert report.reason
        assert report.wrong_at is None


# -- logs that grow -----------------------------------------------------------------------


WRITTEN = sorted((VECTORS / "logs").glob("*.kotlog"))


def read_in_pieces(data: bytes, pieces: random.Random, most: int) -> verify.LogReading:
    reading = verify.LogReading(b"", grows=True)
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
    found = read_in_pieces(data, random.Random(path.stem), 700).report()
    whole = verify.verify_log(data)
    # Whether a tail is torn is known only where nothing more can come.
    assert replace(found, torn=whole.torn) == whole


def test_a_piece_of_the_head_is_waited_for() -> None:
    data, reading = short_log(), verify.LogReading(b"", grows=True)
    reading.feed(data[: HEAD_BYTES - 1])
    assert reading.read_record() is None
    assert (reading.offset, reading.unread, reading.is_over) == (0, HEAD_BYTES - 1, False)
    reading.feed(data[HEAD_BYTES - 1 :])
    assert reading.read_record() is not None


def test_a_piece_of_a_record_is_waited_for() -> None:
    data = short_log()
    reading = verify.LogReading(b"", grows=True)
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


# -- copies -------------------------------------------------------------------------------


def test_a_copy_is_the_same_as_itself() -> None:
    for data in (long_log(), golden_log("absent")):
        assert verify.compare_copies(data, data).relation is verify.Relation.SAME


def test_a_copy_that_is_cut_ends_earlier_and_nobody_has_signed_both() -> None:
    data = golden_log("absent")
    at = offsets(data)
    report = verify.verify_log(data)
    for copy in (data[: at[2]], data[: at[len(at) // 2]], without_end(data)):
        found = verify.compare_copies(data, copy)
        assert found.relation is verify.Relation.EARLIER
        assert not found.signed_both
        assert found.turn <= report.turns
    assert verify.compare_copies(data, without_end(data)).turn == report.turns
    assert verify.compare_copies(data, data[: at[2]]) == verify.Comparison(
        verify.Relation.EARLIER, 0, 0
    )


def test_a_copy_without_a_record_ends_at_the_start() -> None:
    assert verify.compare_copies(long_log(), long_log()[:60]).height == 0


def test_copies_without_a_step_are_the_same_before_the_first_turn() -> None:
    data = long_log()
    begun = data[: offsets(data)[2]]
    assert verify.compare_copies(begun, begun) == verify.Comparison(verify.Relation.SAME, 0, 0)


def test_copies_part_where_a_seat_has_answered_twice() -> None:
    one, other, before = parted_logs()
    ledger, seat = at_a_decision()
    assert verify.compare_copies(one, other) == verify.Comparison(
        verify.Relation.PARTED, ledger.height, ledger.chain.turns, (seat,)
    )
    for log in (one, other):
        assert verify.compare_copies(log, before).relation is verify.Relation.EARLIER


def test_a_wrong_copy_is_compared_up_to_its_wrong_record() -> None:
    data = long_log()
    half = offsets(data)[20]
    found = verify.compare_copies(data, data[:half] + b"\xff" * 40)
    assert found.relation is verify.Relation.EARLIER
    assert found == verify.compare_copies(data, data[:half])


@pytest.mark.parametrize("name", ["back", "convicted-far-back", "replaced"])
def test_a_copy_that_a_line_up_has_overtaken_parts_and_nobody_has_signed_both(name: str) -> None:
    data = vector_log(name)
    at = offsets(data)
    found = [verify.compare_copies(data, data[:cut]) for cut in at[1 :: max(1, len(at) // 40)]]
    assert not any(one.signed_both for one in found)
    has_undone = name != "back"
    assert any(one.relation is verify.Relation.PARTED for one in found) == has_undone
    assert verify.Relation.EARLIER in {one.relation for one in found}


# -- the last signatures alone ------------------------------------------------------------


RIGHT = (verify.Result.SOUND, verify.Result.UNFINISHED)
MUTATIONS = 48


def same_verdict(log: bytes) -> bool:
    return replace(
        verify.verify_by_last_signatures(log), signatures=verify.Signatures.ALL
    ) == verify.verify_log(log)


def answered_for(log: bytes) -> Iterator[int]:
    """The records of entries in the winning sequence before the last one of their authors."""
    report = verify.verify_log(log)
    counted, keys = set(report.bodies), {player.key for player in report.players}
    authors = [
        next(key for key in keys if signed.is_by(key))
        if signed.kind in (BodyKind.PLAY, BodyKind.SHARE) and signed in counted
        else None
        for signed in records(log)
    ]
    return (at for at, one in enumerate(authors) if one is not None and one in authors[at + 1 :])


@pytest.mark.parametrize("path", WHOLE_LOGS, ids=lambda path: path.stem)
def test_a_log_has_the_verdict_that_it_has_by_all_signatures(path: Path) -> None:
    log = path.read_bytes()
    assert same_verdict(log) == (path.stem != "wrong-forged-signature")
    found = verify.verify_by_last_signatures(log)
    assert (found.signatures is verify.Signatures.LAST) == (found.result in RIGHT)


def test_games_with_many_line_ups_have_the_same_verdict() -> None:
    games = strifes(random.Random("last signatures"), ("second",), 60)
    for _ in range(6):
        assert same_verdict(next(games))


@pytest.mark.parametrize("name", QUARRELS)
def test_all_is_checked_that_no_later_entry_answers_for(name: str) -> None:
    log = vector_log(name)
    passed, whole = set(answered_for(log)), records(log)
    plays = [at for at, one in enumerate(whole) if one.kind is BodyKind.PLAY]
    for at, one in enumerate(whole):
        if one.kind is BodyKind.CHEAT_PROOF or (at in plays[10:-10] and at % 4):
            continue  # a proof has no signature of its own, and a long game many entries alike
        other = forged(log, at)
        found, by_all = verify.verify_by_last_signatures(other), verify.verify_log(other)
        assert by_all.result is verify.Result.WRONG, at
        assert found == by_all if at not in passed else found.result in RIGHT, at


def test_it_does_not_show_that_each_record_is_rightly_signed() -> None:
    """What it shows all the same: the author has signed an entry that names this one."""
    log = vector_log("two")
    other = forged(log, next(answered_for(log)))
    assert verify.verify_log(other).reason == "a signature that is not its keeper's"
    found, right = verify.verify_by_last_signatures(other), verify.verify_log(log)
    assert (found.result, found.signatures) == (verify.Result.SOUND, verify.Signatures.LAST)
    assert (found.head, found.winners, found.confirmed_by) == (
        right.head, right.winners, right.confirmed_by,
    )  # fmt: skip
    assert found.canonical != right.canonical


def test_a_log_that_changes_the_game_is_refused() -> None:
    """A log that is taken tells only what its seats have signed, in the order of their words."""
    originals = tuple(vector_log(name) for name in (*QUARRELS, "two"))
    said = {(s.kind, s.body) for log in originals for s in records(log)}
    heads = {head for log in originals for head in heads_of(log)}
    mutated = Logs(originals, random.Random("changed"))
    taken = 0
    for n in range(MUTATIONS):
        change = mutated.body_changed if n % 2 else mutated.records_changed
        log = change(n % len(originals))
        found, by_all = verify.verify_by_last_signatures(log), verify.verify_log(log)
        assert found.result is by_all.result or told_by_all(log, found, by_all), by_all.reason
        if found.result in RIGHT:
            taken += 1
            assert {(s.kind, s.body) for s in found.bodies} <= said
            assert found.head in heads
    assert taken


def heads_of(log: bytes) -> Iterator[bytes]:
    reading = verify.LogReading(log)
    while reading.read_record() is not None:
        assert reading.ledger is not None
        yield reading.ledger.head


def told_by_all(log: bytes, found: verify.Report, by_all: verify.Report) -> bool:
    """Whether the two differ in nothing but a signature that an entry answers for."""
    assert by_all.wrong_at is not None
    wrong = records(log)[by_all.wrong_at.record]
    return (
        found.signatures is verify.Signatures.LAST
        and by_all.reason == "a signature that is not its keeper's"
        and wrong in found.bodies
    )
