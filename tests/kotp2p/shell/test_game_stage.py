"""A game in its process: what it holds while it is played, and how it is said to have ended."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock, call, patch

import pytest
import trio

from kotp2p.net import handshake, links
from kotp2p.peer.peer import Peer
from kotp2p.referee.model.answers import Answer
from kotp2p.referee.model.decisions import Decision
from kotp2p.seams import commands, notices
from kotp2p.shell.game_stage import LATE_SECONDS
from kotp2p.shell.lobby_stage import GuestStage, HostStage
from kotp2p.wire import entries, frames
from tests.support.five_players import SIGNERS, genesis
from tests.support.game_of_one import FakeLink, Here
from tests.support.memory_tables import Recorder, TestTable
from tests.support.memory_world import MemoryDisk, memory_disk
from tests.support.whole_games import Leaver


class Watching(Recorder):
    def __init__(self, disk: MemoryDisk) -> None:
        super().__init__("watching")
        self.disk = disk
        self.locked: list[int] = []

    def games(self) -> int:
        return sum(path.name == "lock" and "games" in path.parts for path in self.disk.locks)

    async def decide(self, view: notices.SeatView, decision: Decision) -> Answer | commands.Leave:
        self.locked.append(self.games())
        return await super().decide(view, decision)


@pytest.mark.virtual_time
async def test_a_game_is_locked_against_other_processes_as_long_as_it_is_played() -> None:
    table = TestTable(players=2)
    disk = memory_disk(table.world_of(0))
    table.fronts[0] = front = Watching(disk)
    table.fronts[1] = Leaver("leaver", 9)
    await table.run()
    assert set(front.locked) == {1}
    assert front.games() == 0


def newcomer(table: bytes, key: bytes) -> frames.Hello:
    return replace(handshake.make_hello(SIGNERS[1], bytes(8), table, bytes(32)), key=key)


async def test_who_comes_to_a_running_game_and_is_none_of_its_players_reads_why() -> None:
    here, player = Here(0), SIGNERS[1].key
    table = genesis().charter.table
    for theirs, code in (
        (newcomer(b"", player), frames.RefusalCode.STARTED),
        (newcomer(bytes(32), player), frames.RefusalCode.NO_TABLE),
        (newcomer(table, bytes(32)), frames.RefusalCode.NO_TABLE),
        (newcomer(table, player), None),
    ):
        refusal = here.stage.judge_newcomer(theirs)
        assert (refusal and refusal.code) == code


async def test_what_is_due_at_a_time_is_done_at_that_time() -> None:
    """Or the loop of the table would wake again and again for it."""
    stage = Here(0).stage
    due = stage.deadline
    await stage.finish_batch(due)
    assert stage.deadline > due


async def test_what_the_player_says_comes_after_what_the_frames_before_it_call_for() -> None:
    here, link = Here(0), FakeLink(1, 1, dialled=False)
    here.accept(link)
    head = entries.sign_head(SIGNERS[1], genesis().id, 1, 0, 0, genesis().id)
    done: list[str] = []
    with (
        patch.object(Peer, "tick", lambda _peer, _now: done.append("tick")),
        patch.object(Peer, "stop_today", lambda _peer, wanted, _now: done.append(f"stop {wanted}")),
    ):
        here.stage.accept_item(links.FrameReceived(cast(links.Link, link), head), 1.0)
        assert done == []
        here.stage.accept_item(commands.StopToday(True), 1.0)
    assert done == ["tick", "stop True"]


async def test_a_link_has_the_budget_of_its_seat_which_is_dialled_when_it_closes() -> None:
    here, link = Here(0), FakeLink(2, 7, True)
    here.accept(link)
    assert link.budget is here.peer.gossip.budgets.of(2)
    here.stage._dialer._redials[2] = news = trio.Event()
    here.stage.accept_item(links.LinkClosed(cast(links.Link, link)), 0.0)
    assert news.is_set()


@pytest.mark.virtual_time
async def test_who_was_late_long_ago_is_forgotten() -> None:
    here = Here(0)
    for number in range(3):
        late = SimpleNamespace(table=b"", key=bytes((number,)))
        assert here.stage.judge_newcomer(cast(frames.Hello, late)) is not None
        await trio.sleep(LATE_SECONDS)
    assert len(here.stage._late) == 1


NOW = 7.5
OBEYED: list[tuple[commands.Command, tuple[Any, Any, Any]]] = [
    (commands.StartGame(), (call.start_game(NOW), None, None)),
    (commands.AddBot(), (call.add_bot(), None, None)),
    (commands.RemovePlayer("Rex"), (call.remove_player("Rex", NOW), None, None)),
    (commands.MovePlayer("Rex", 3), (call.move_player("Rex", 3), None, None)),
    (commands.OpenSeats(), (call.open_seats(), None, None)),
    (commands.ChangeName("Rex"),
     (call.choices.change_name("Rex", NOW), call.choices.change_name("Rex"), None)),
    (commands.ChangeMonster("Rex"),
     (call.choices.change_monster("Rex", NOW), call.choices.change_monster("Rex"), None)),
    (commands.MarkReady(False),
     (call.choices.mark_ready(False, NOW), call.choices.mark_ready(False), None)),
    (commands.AcceptKey("Rex"), (*[call.accept_key("Rex", NOW)] * 2, None)),
    (commands.Say("hi"), (*[call.send_chat("hi")] * 2, call.say_line("hi", NOW))),
    (commands.LeaveTable(), (call.close_table(), call.leave_table(), call.give_up(NOW))),
    (commands.KeepSeat(), (call.close_table(), call.leave_table(), call.keep_seat(NOW))),
    (commands.GoOn(bot=True), (None, None, call.go_on(True, NOW))),
    (commands.LetBotPlay(), (None, None, call.let_bot_play(NOW))),
    (commands.ComeBack(), (None, None, call.come_back(NOW))),
    (commands.LetBack(3), (None, None, call.let_back(3, NOW))),
]  # fmt: skip


@pytest.mark.parametrize(("command", "told"), OBEYED)
async def test_what_a_player_types_is_told_to_the_lobby_of_the_host_the_guest_or_the_game(
    command: commands.Command, told: tuple[Any, Any, Any]
) -> None:
    for number, wanted in enumerate(told):
        core, game = Mock(is_bound=False, deadline=NOW + 1), Here(0).stage
        common: dict[str, Any] = {"loop": game.loop, "lobby": core, "setup": None}
        game.peer = core
        stage = (HostStage(**common, announcer=Mock()), GuestStage(**common), game)[number]
        stage.accept_item(command, NOW)
        assert core.mock_calls == [wanted] * (wanted is not None)
