"""What a player types at a table reaches the core of the moment, whole and with its time."""

from typing import Any, cast
from unittest.mock import Mock, call

import pytest

from kotp2p.seams.commands import (
    AcceptKey,
    AddBot,
    ChangeMonster,
    ChangeName,
    ComeBack,
    Command,
    GoOn,
    KeepSeat,
    LeaveTable,
    LetBack,
    LetBotPlay,
    MarkReady,
    MovePlayer,
    OpenSeats,
    RemovePlayer,
    Say,
    StartGame,
    StopToday,
)  # fmt: skip
from kotp2p.shell.lobby_stage import GuestStage, HostStage
from tests.support.game_of_one import Here

NOW = 7.5
OF_ALL = [
    (AcceptKey("Rex"), call.accept_key("Rex", NOW)), (Say("hi"), call.send_chat("hi")),
    (GoOn(bot=True), None), (StopToday(True), None),
]  # fmt: skip
OF_HOST = [
    (LeaveTable(), call.close_table()), (KeepSeat(), call.close_table()),
    (StartGame(), call.start_game(NOW)), (AddBot(), call.add_bot()),
    (RemovePlayer("Rex"), call.remove_player("Rex", NOW)), (OpenSeats(), call.open_seats()),
    (MovePlayer("Rex", 3), call.move_player("Rex", 3)),
    (ChangeName("Rex"), call.choices.change_name("Rex", NOW)),
    (ChangeMonster("Kraken"), call.choices.change_monster("Kraken", NOW)),
    (MarkReady(False), call.choices.mark_ready(False, NOW)),
]  # fmt: skip
OF_GUEST = [
    (LeaveTable(), call.leave_table()), (KeepSeat(), call.leave_table()), (StartGame(), None),
    (ChangeName("Rex"), call.choices.change_name("Rex")),
    (ChangeMonster("Kraken"), call.choices.change_monster("Kraken")),
    (MarkReady(False), call.choices.mark_ready(False)),
]  # fmt: skip
OF_GAME = [
    (LeaveTable(), call.give_up(NOW)), (KeepSeat(), call.keep_seat(NOW)),
    (GoOn(bot=True), call.go_on(True, NOW)), (StopToday(False), call.stop_today(False, NOW)),
    (LetBotPlay(), call.let_bot_play(NOW)), (ComeBack(), call.come_back(NOW)),
    (LetBack(3), call.let_back(3, NOW)), (Say("hi"), call.say_line("hi", NOW)),
    (StartGame(), None), (AddBot(), None),
]  # fmt: skip


def stage_of(kind: str, core: Mock) -> Any:
    stage = Here(0).stage
    if kind == "game":
        stage.peer = core
        return stage
    common: dict[str, Any] = {"loop": stage.loop, "lobby": core, "setup": cast(Any, None)}
    return GuestStage(**common) if kind == "guest" else HostStage(**common, announcer=Mock())


@pytest.mark.parametrize(
    ("kind", "command", "wanted"),
    [
        *(("host", *pair) for pair in [*OF_ALL, *OF_HOST]),
        *(("guest", *pair) for pair in [*OF_ALL, *OF_GUEST]),
        *(("game", *pair) for pair in OF_GAME),
    ],
)
async def test_a_command_is_what_the_core_is_told(kind: str, command: Command, wanted: Any) -> None:
    core = Mock(is_bound=False, deadline=NOW + 1)
    stage_of(kind, core).accept_item(command, NOW)
    assert core.mock_calls == [wanted] * (wanted is not None)


@pytest.mark.parametrize("command", [LeaveTable(), KeepSeat()])
async def test_a_guest_who_goes_while_the_game_may_have_begun_leaves_that_game(
    command: Command,
) -> None:
    core = Mock(is_bound=True)
    stage = stage_of("guest", core)
    stage.accept_item(command, NOW)
    assert core.mock_calls == [call.leave_unless_begun(NOW)]
    assert stage._early.release() == [command]
