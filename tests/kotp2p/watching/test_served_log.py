"""What of a log watchers are sent: no decision before another player has built on it."""

from __future__ import annotations

import hashlib
import itertools

import pytest

from kotp2p.game.verify import verify_log
from kotp2p.watching.served_log import ServedLog
from kotp2p.wire.closings import Break, End, pack_seals
from kotp2p.wire.entries import Answering, BodyKind, Entry, Signed
from kotp2p.wire.records import RecordReader, pack_record, read_salt
from tests.support.log_bytes import long_log, offsets, short_log


def pieces(data: bytes) -> list[bytes]:
    """The head with the genesis, then each record."""
    starts = offsets(data)
    bounds = [0, *starts[1:]]
    return [data[a:b] for a, b in itertools.pairwise(bounds)]


def key_of(data: bytes, seat: int) -> bytes:
    return verify_log(data).players[seat].key


def test_a_watcher_that_serves_others_holds_nothing_back() -> None:
    served = ServedLog()
    for piece in pieces(long_log()):
        served.append(piece)
    assert served.size == len(long_log())
    assert served.part(0, 10**9) == long_log()


def test_an_own_decision_is_kept_back_until_another_player_has_signed_something() -> None:
    data, own = long_log(), 1
    served, is_held, held_once = ServedLog(key_of(data, own)), False, False
    reader = RecordReader(data, read_salt(data))
    end = 0
    for piece in pieces(data):
        signed = reader.read_record()
        assert signed is not None
        served.append(piece)
        if signed.kind is BodyKind.PLAY:
            entry = Entry.parse(signed)
            if entry.seat != own:
                is_held = False
            elif isinstance(entry.payload, Answering):
                is_held = held_once = True
        elif signed.kind is BodyKind.CLOSE:
            is_held = False
        end = reader.offset
        assert (served.size < end) == is_held
        assert served.size in offsets(data) or served.size == 0
    assert held_once
    assert served.size == end


def test_nothing_is_kept_back_where_no_other_player_is_left() -> None:
    data = long_log()
    served = ServedLog(key_of(data, 1))
    for piece in pieces(data):
        served.append(piece, others_play=False)
        assert served.part(0, 10**9)[-len(piece) :] == piece


def closed_behind_an_own_decision(closing: Break | End, signers: tuple[int, ...]) -> bool:
    """Whether a decision of seat 1 that was kept back is sent once these have signed this."""
    data = long_log()
    served, reader = ServedLog(key_of(data, 1)), RecordReader(data, read_salt(data))
    index = 0
    for piece in pieces(data):
        index += 1
        reader.read_record()
        served.append(piece)
        if served.size < reader.offset:
            break
    assert served.size < reader.offset
    seals = pack_seals({seat: bytes(64) for seat in signers})
    close = Signed(BodyKind.CLOSE, closing.body(verify_log(data).game), seals)
    served.append(pack_record(read_salt(data), index, close))
    return served.size > reader.offset


@pytest.mark.parametrize(("signers", "is_sent"), [((1,), False), ((0, 1), True)])
def test_a_break_counts_where_another_player_has_signed_it(
    signers: tuple[int, ...], is_sent: bool
) -> None:
    """Alone, this player may return and decide anew: others have not heard of the decision."""
    stop = Break(0, 4, bytes(32), (0,))
    assert closed_behind_an_own_decision(stop, signers) == is_sent


def test_behind_the_end_nothing_is_kept_back_though_nobody_else_has_signed_it_yet() -> None:
    assert closed_behind_an_own_decision(End(4, bytes(32), (1,), bytes(32)), (1,))


def test_what_a_watcher_has_is_compared_by_its_hash() -> None:
    served = ServedLog()
    served.append(short_log())
    known = short_log()[:500]
    assert served.begins_with(500, hashlib.sha256(known).digest())
    assert served.begins_with(0, b"")
    assert not served.begins_with(499, hashlib.sha256(known).digest())
    assert not served.begins_with(500, b"")
    too_much = short_log() + b"!"
    assert not served.begins_with(len(too_much), hashlib.sha256(too_much).digest())
