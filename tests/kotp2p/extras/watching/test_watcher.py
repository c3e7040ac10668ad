"""The side of a watcher: what it asks for, what it shows, and when it ends."""

import hashlib
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from kotp2p.extras.watching.watcher import (
    GIVE_UP_SECONDS,
    READ_BYTES_PER_WATCH,
    CutSource,
    EndWatching,
    KeepBytes,
    SendToSource,
    WatchedGame,
    Watcher,
    WatcherEffect,
)
from kotp2p.game.steps import Committing, Finished, Gather, Solo
from kotp2p.game.verify import LogReading, verify_log
from kotp2p.mesh.gossip import ShowNotice
from kotp2p.seams import notices
from kotp2p.seams.endings import EndKind
from kotp2p.wire.crypto import Signer
from kotp2p.wire.entries import BodyKind, ChatLine, Signed
from kotp2p.wire.frames import Admitted, Closed, LogPart, Ping, Want, Watch
from kotp2p.wire.records import HEAD_BYTES
from tests.support.log_bytes import changed_log, long_log, offsets, short_log
from tests.support.paths import VECTORS
from tests.support.recorded import golden_log

NOW = 1000.0
WRITTEN = sorted((VECTORS / "logs").glob("*.kotlog"))


def linked(*, from_start: bool = False) -> Watcher:
    watcher = Watcher(from_start)
    watcher.link_up(NOW)
    assert watcher.take_effects() == [SendToSource(Watch(0, b""))]
    return watcher


def gets(watcher: Watcher, data: bytes, at: int = 0, most: int = 10_000) -> list[WatcherEffect]:
    for start in range(0, len(data), most):
        watcher.receive_frame(LogPart(at + start, data[start : start + most]), NOW)
        while watcher.read_on():
            pass
    return watcher.take_effects()


def shown(effects: list[WatcherEffect]) -> list[notices.Notice]:
    return [e.notice for e in effects if isinstance(e, ShowNotice)]


def ending(effects: list[WatcherEffect]) -> EndWatching | None:
    return next((e for e in effects if isinstance(e, EndWatching)), None)


def kept(effects: list[WatcherEffect]) -> bytes:
    return b"".join(e.data for e in effects if isinstance(e, KeepBytes))


def test_from_the_start_everything_is_told_one_by_one() -> None:
    watcher, data = linked(from_start=True), short_log()
    watcher.receive_frame(Admitted(len(data), False), NOW)
    effects = gets(watcher, data, most=300)
    told = shown(effects)
    assert isinstance(told[1], notices.GameStarted)
    assert any(isinstance(notice, notices.Happened) for notice in told)
    assert any(isinstance(notice, notices.LineUpBegun) for notice in told)
    assert isinstance(told[-1], notices.GameFinished)
    assert ending(effects) == EndWatching(EndKind.FINISHED)
    assert kept(effects) == data


def test_from_now_what_was_there_is_told_as_the_past() -> None:
    watcher, data = linked(), short_log()
    middle = offsets(data)[-4]
    watcher.receive_frame(Admitted(middle, False), NOW)
    told = shown(gets(watcher, data[:middle]))
    assert [type(notice) for notice in told[1:3]] == [notices.PastLog, notices.GameStarted]
    assert not any(isinstance(notice, notices.Happened) for notice in told)
    told = shown(gets(watcher, data[middle:], middle))
    assert any(isinstance(notice, notices.Happened) for notice in told)
    assert not any(isinstance(notice, notices.GameStarted) for notice in told)


def test_in_a_lobby_the_game_is_seen_from_its_start() -> None:
    watcher, data = linked(), short_log()
    watcher.receive_frame(Admitted(0, False), NOW)
    told = shown(gets(watcher, data))
    assert [n.resumed for n in told if isinstance(n, notices.GameStarted)] == [False]
    assert not any(isinstance(notice, notices.PastLog) for notice in told)


def test_a_wrong_record_is_neither_shown_nor_kept_and_ends_it() -> None:
    watcher, data = linked(from_start=True), long_log()
    bad = offsets(data)[20]
    wrong = data[: bad + 60] + bytes((data[bad + 60] ^ 1,)) + data[bad + 61 :]
    watcher.receive_frame(Admitted(len(data), False), NOW)
    effects = gets(watcher, wrong)
    end = ending(effects)
    assert end is not None
    assert end.kind is EndKind.WRONG_LOG
    assert kept(effects) == data[:bad]
    assert gets(watcher, data[bad:], bad) == []  # nothing more is taken


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_what_is_kept_of_a_log_ends_before_its_first_wrong_record(path: Path) -> None:
    watcher, data = linked(from_start=True), path.read_bytes()
    report = verify_log(data)
    watcher.receive_frame(Admitted(len(data), False), NOW)
    effects = gets(watcher, data, most=4000)
    if report.wrong_at is None:
        assert data.startswith(kept(effects))
    elif report.wrong_at.record == 0:
        assert kept(effects) == b""
    elif ending(effects) != EndWatching(EndKind.FINISHED):  # else it is behind the end
        assert kept(effects) == data[: report.wrong_at.offset]


def test_junk_without_an_end_is_no_log() -> None:
    watcher = linked()
    watcher.receive_frame(Admitted(0, False), NOW)
    head = short_log()[:HEAD_BYTES]
    effects = gets(watcher, head + bytes(300_000))
    end = ending(effects)
    assert end is not None
    assert end.kind is EndKind.WRONG_LOG


def test_it_tells_its_source_what_it_has_read() -> None:
    watcher, data = linked(), golden_log("second")
    watcher.receive_frame(Admitted(len(data), False), NOW)
    effects = gets(watcher, data)
    told = [e.frame for e in effects if isinstance(e, SendToSource)]
    assert told
    assert all(isinstance(f, Watch) and f.size and not f.digest for f in told)
    sizes = [0, *(frame.size for frame in told if isinstance(frame, Watch))]
    for before, size in itertools.pairwise(sizes):
        assert READ_BYTES_PER_WATCH <= size - before < READ_BYTES_PER_WATCH + 10_000
    assert len(data) - sizes[-1] < READ_BYTES_PER_WATCH


def test_after_a_break_it_asks_for_what_it_lacks() -> None:
    watcher, data = linked(), short_log()
    has = offsets(data)[3]
    watcher.receive_frame(Admitted(has, False), NOW)
    gets(watcher, data[:has])
    watcher.link_down(NOW)
    lost = notices.WatchLinkChanged(up=False, seconds=GIVE_UP_SECONDS)
    assert shown(watcher.take_effects()) == [lost]
    watcher.link_up(NOW + 1)
    assert watcher.take_effects() == [
        ShowNotice(notices.WatchLinkChanged(up=True)),
        SendToSource(Watch(has, hashlib.sha256(data[:has]).digest())),
    ]
    watcher.receive_frame(Admitted(len(data), False), NOW + 1)
    effects = gets(watcher, data[has:], has)
    assert ending(effects) == EndWatching(EndKind.FINISHED)
    assert not any(isinstance(notice, notices.PastLog) for notice in shown(effects))


def test_a_source_with_another_log_is_followed_from_its_start() -> None:
    watcher, one, other = linked(), long_log(), short_log()
    watcher.receive_frame(Admitted(2000, False), NOW)
    gets(watcher, one[:2000])
    watcher.link_down(NOW)
    watcher.link_up(NOW)
    watcher.receive_frame(Admitted(len(other), False), NOW)
    watcher.take_effects()
    effects = gets(watcher, other)
    assert kept(effects) == other
    assert next(e for e in effects if isinstance(e, KeepBytes)).offset == 0
    assert ending(effects) == EndWatching(EndKind.FINISHED)


def test_a_source_that_does_not_come_back_is_given_up() -> None:
    watcher = linked()
    watcher.link_down(NOW)
    watcher.tick(NOW + GIVE_UP_SECONDS - 1)
    assert not watcher.is_over
    watcher.tick(NOW + GIVE_UP_SECONDS)
    assert ending(watcher.take_effects()) == EndWatching(EndKind.LOST_TABLE)


def test_what_has_come_is_not_read_once_the_watcher_has_gone() -> None:
    watcher, data = linked(from_start=True), short_log()
    watcher.receive_frame(Admitted(len(data), False), NOW)
    watcher.receive_frame(LogPart(0, data), NOW)
    watcher.give_up(EndKind.LEFT)
    assert ending(watcher.take_effects()) == EndWatching(EndKind.LEFT)
    assert not watcher.read_on()
    assert watcher.take_effects() == []


def test_a_silent_source_is_cut() -> None:
    watcher = linked()
    for seconds in range(2, 12, 2):
        watcher.tick(NOW + seconds)
    assert CutSource() not in watcher.take_effects()
    watcher.tick(NOW + 12)
    assert CutSource() in watcher.take_effects()


def test_a_lobby_that_closes_ends_it() -> None:
    watcher = linked()
    watcher.receive_frame(Admitted(0, False), NOW)
    watcher.receive_frame(Closed(6), NOW)
    assert ending(watcher.take_effects()) == EndWatching(EndKind.CLOSED)


@pytest.mark.parametrize(
    "frame", [LogPart(5, b"x"), Want(0, 3), Watch(0, b""), Admitted(3, False)],
    ids=lambda frame: type(frame).__name__,
)  # fmt: skip
def test_what_no_source_sends_cuts_the_link(frame: LogPart | Want | Watch | Admitted) -> None:
    watcher = linked()
    watcher.receive_frame(Admitted(0, False), NOW)
    watcher.take_effects()
    watcher.receive_frame(frame, NOW)
    assert watcher.take_effects() == [CutSource()]


def test_a_log_before_it_is_let_in_cuts_the_link() -> None:
    watcher = linked()
    watcher.receive_frame(LogPart(0, b"x"), NOW)
    assert watcher.take_effects() == [CutSource()]


def test_a_game_that_has_ended_without_the_word_of_all_is_over_when_the_source_is_gone() -> None:
    watcher, data = linked(), long_log()
    first_end = offsets(data)[-2]  # the last record confirms the end
    watcher.receive_frame(Admitted(first_end, False), NOW)
    assert ending(gets(watcher, data[:first_end])) is None
    watcher.link_down(NOW)
    effects = watcher.take_effects()
    (finished,) = (n for n in shown(effects) if isinstance(n, notices.GameFinished))
    assert len(finished.confirmed_by) == 2
    assert ending(effects) == EndWatching(EndKind.FINISHED)


def test_a_line_that_its_player_has_not_signed_cuts_the_link() -> None:
    watcher, data = linked(), short_log()
    watcher.receive_frame(Admitted(0, True), NOW)
    gets(watcher, data[: offsets(data)[3]])
    assert watcher.game.view is not None
    assert watcher.game.reading.ledger is not None
    game = watcher.game.reading.ledger.genesis.id
    forged = ChatLine.sign(Signer(bytes(32)), game, 0, 1, "I give up")
    for signed in (forged.signed, Signed(BodyKind.CHAT, b"", bytes(64))):
        watcher.receive_frame(signed, NOW)
        assert watcher.take_effects() == [CutSource()]


def test_pings_are_answered_by_pings() -> None:
    watcher = linked()
    watcher.receive_frame(Ping(), NOW)
    watcher.tick(NOW + 5)
    assert watcher.take_effects() == [SendToSource(Ping())]


# -- the game that is watched -------------------------------------------------------------


def watched(data: bytes) -> Iterator[tuple[WatchedGame, LogReading]]:
    """The game behind each record, and the log as far as that."""
    game, reading = WatchedGame(), LogReading(data)
    game.reading.feed(data)
    while game.read_record() is not None:
        assert reading.read_record() is not None
        yield game, reading


def test_a_decision_is_told_where_a_seat_is_asked_and_nowhere_else() -> None:
    told = set[type]()
    for data in (short_log(), changed_log()):
        for game, reading in watched(data):
            if reading.ledger is None:
                continue  # the program that has written the log
            step, pending = reading.ledger.step, reading.ledger.game.pending
            assert game.table == reading.ledger.genesis.charter.table
            if isinstance(step, Finished):
                assert game.waiting() is None
                continue
            waiting = game.waiting()
            assert waiting is not None
            assert waiting.seats == reading.ledger.owing_seats() != ()
            assert waiting.decision == (pending if isinstance(step, Solo) else None)
            told.add(type(step))
    assert told == {Solo, Gather, Committing}


def test_a_game_that_is_over_waits_for_nobody() -> None:
    *_others, (game, _reading) = watched(short_log())
    assert game.reading.ledger is not None and game.reading.ledger.chain.is_over
    assert game.waiting() is None
