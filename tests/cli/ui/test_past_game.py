"""A game that was resumed is counted whole, from its log."""

from pathlib import Path

import pytest
import trio
import trio.testing

from kotp2p.cli.extras.games.statistics import Statistics
from kotp2p.cli.text.players import describe_seat_history
from kotp2p.cli.ui.notice_feed import Audience, NoticeFeed
from kotp2p.cli.ui.screen.table_status import TableStatus
from kotp2p.extras.recording import tell_log
from kotp2p.game.verify import Report, Result, verify_log
from kotp2p.referee.game import Game
from kotp2p.referee.model.events import Eliminated, TurnStarted
from kotp2p.seams.notices import GameStarted, Happened, Notice, PastLog, SeatView
from tests.support.local_game import new_view, piped, said
from tests.support.memory_tables import Recorder, TestTable
from tests.support.paths import ROOT
from tests.support.whole_games import broken_off

pytestmark = pytest.mark.virtual_time

LOGS = sorted((ROOT / "docs" / "vectors" / "logs").rglob("*.kotlog"))


class Counting(Recorder):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.found = Statistics()

    def show(self, notice: Notice) -> None:
        super().show(notice)
        self.found.count_notice(notice)


def play(table: TestTable) -> None:
    trio.run(table.run, clock=trio.testing.MockClock(autojump_threshold=0))


def log_of(table: TestTable) -> bytes:
    data = table.world_of(0).disk.read(table.log_path(0))
    assert data is not None
    return data


def view_of(report: Report) -> SeatView:
    assert report.charter is not None
    return SeatView(0, report.players, Game(report.charter.setup()), report.phrase)


@pytest.fixture(scope="module")
def whole() -> TestTable:
    table = TestTable(players=3, bots=1)
    table.fronts[0] = Counting("player 0")
    play(table)
    return table


def count(data: bytes, view: SeatView) -> Statistics:
    counted = Statistics()
    for notice in tell_log(data, view):
        counted.count_notice(notice)
    return counted


def test_a_log_tells_what_was_told_as_it_happened(whole: TestTable) -> None:
    front = whole.front(0)
    assert isinstance(front, Counting)
    counted = count(log_of(whole), view_of(whole.report(0)))
    assert counted.counts == front.found.counts
    assert counted.course() == front.found.course()
    assert len(counted.course()) == whole.report(0).turns


def test_a_log_of_another_game_or_a_broken_one_is_not_counted(whole: TestTable) -> None:
    data = log_of(whole)
    other = view_of(whole.report(0))
    other.phrase = "lemon train ocean piano"
    assert not count(data, other).counts
    assert not count(data[:400] + b"\xff" + data[401:], view_of(whole.report(0))).counts


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_every_sound_log_can_be_counted(path: Path) -> None:
    """Line-ups and proofs are in them; those that are wrong say nothing."""
    data = path.read_bytes()
    report = verify_log(data)
    if report.charter is None:
        return
    is_sound = report.result in (Result.SOUND, Result.UNFINISHED)
    counts = count(data, view_of(report)).counts
    assert len(counts) == (len(report.players) if is_sound else 0)


def test_what_is_told_of_the_past_is_what_was_told_then(whole: TestTable) -> None:
    """In the log, in the turns in which monsters were out, and in the statistics."""
    then, then_status = NoticeFeed(Audience()), TableStatus()
    now, now_status = NoticeFeed(Audience()), TableStatus()
    then_lines: list[str] = []
    now_lines: list[str] = []
    for notice in tell_log(log_of(whole), view_of(whole.report(0))):
        if isinstance(notice, Happened):
            then_lines += then.tell_notice(notice).lines
        else:
            then.tell_notice(notice)
        then_status.note_notice(notice)
        now_lines += now.tell_past(notice)
        now_status.note_past(notice)
    assert now_lines == then_lines
    assert len(now_lines) > 50
    assert now_status.out_since == then_status.out_since
    assert now.tally == then.tally
    assert now.view is None


async def test_whoever_comes_back_has_the_whole_log_and_all_that_is_counted() -> None:
    table = TestTable(players=3, seed="b")
    await broken_off(table, 0)
    async with trio.open_nursery() as nursery:
        for n in range(3):
            nursery.start_soon(table.resume, n)
    for n in range(3):
        notices = table.front(n).notices
        (past,) = (notice for notice in notices if isinstance(notice, PastLog))
        player = piped()
        player.show(past)
        kept = len(player.state.feed.desk.history)
        assert kept
        assert said(player) == []  # it stands in the log only
        counted = player.state.feed.tally
        assert isinstance(counted, Statistics)
        for notice in notices[notices.index(past) + 1 :]:
            counted.count_notice(notice)
        data = table.world_of(n).disk.read(table.log_path(n))
        assert data is not None
        whole = count(data, view_of(table.report(n)))
        assert counted.counts == whole.counts
        assert counted.course() == whole.course()


def test_a_monster_that_was_out_before_the_game_was_resumed_is_out_since_then() -> None:
    status, view = TableStatus(), new_view(3)
    view.game.state.turn = 7
    status.note_past(Happened((Eliminated(1),), view))
    assert status.out_since == {1: 7}


def test_a_monster_is_out_since_the_turn_in_which_it_fell_however_much_is_told_at_once() -> None:
    status, view = TableStatus(), new_view(3)
    view.game.state.turn = 8
    told_at_once = (Eliminated(1), TurnStarted(2), Eliminated(0), TurnStarted(2))
    status.note_past(Happened(told_at_once, view))
    assert status.out_since == {1: 6, 0: 7}


def test_who_played_for_whom_before_the_game_was_resumed_is_told_at_its_end() -> None:
    path = ROOT / "tests" / "logs" / "protocol-6-rules-2-absent.kotlog"
    report, player = verify_log(path.read_bytes()), piped()
    view = view_of(report)
    player.show(PastLog(path.read_bytes(), view, report.changes))
    player.show(GameStarted(view, resumed=True))
    assert player.state.feed.describe_changes() == describe_seat_history(
        report.players, report.changes
    )
    assert any("A bot plays for" in line for line in player.state.feed.describe_changes())
