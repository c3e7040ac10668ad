"""A fault of our own program in a lobby, or in what a seat tells of its addresses, ends nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest
import trio
import trio.testing

from kotp2p.lobby import lobby_chat
from kotp2p.lobby.start import StartAttempt
from kotp2p.net import dialer
from kotp2p.seams.cores import clean_chat_line
from kotp2p.seams.notices import LobbyChanged, ProgramFault, Said, StartFailed
from kotp2p.wire.frames import LobbyChat
from tests.support.memory_tables import TestTable
from tests.support.memory_world import MemoryHost
from tests.support.whole_games import same_sound_logs

N = TypeVar("N")


async def seen(table: TestTable, player: int, kind: type[N], count: int = 1) -> list[N]:
    with trio.fail_after(600):
        while len(found := table.front(player).seen(kind)) < count:
            await trio.sleep(0.1)
    return found


async def opened(table: TestTable, nursery: trio.Nursery) -> None:
    """Two players sit in the lobby."""
    nursery.start_soon(table.host)
    await seen(table, 0, LobbyChanged)
    nursery.start_soon(table.guest, 1)
    await seen(table, 1, LobbyChanged)


def say(table: TestTable, player: int, words: str) -> None:
    control = table.front(player).control
    assert control is not None
    control.say(words)


def with_a_bell(words: str) -> str:
    return f"{words}\a"


@pytest.mark.parametrize("player", [0, 1])
async def test_a_line_that_no_reader_takes_is_not_signed_and_the_lobby_goes_on(
    player: int, monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    table = TestTable(players=2, start_when_full=False)
    async with trio.open_nursery() as nursery:
        await opened(table, nursery)
        monkeypatch.setattr(lobby_chat, "clean_chat_line", with_a_bell)
        for _ in range(3):
            say(table, player, "hello")
        (told,) = await seen(table, player, ProgramFault)
        assert "printable" in told.detail
        assert not table.front(1 - player).seen(Said)
        monkeypatch.setattr(lobby_chat, "clean_chat_line", clean_chat_line)
        say(table, player, "again")
        assert [said.text for said in await seen(table, 1 - player, Said)] == ["again"]
        nursery.cancel_scope.cancel()


async def test_a_frame_of_a_lobby_that_no_reader_takes_is_not_sent(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    table = TestTable(players=2, start_when_full=False)
    async with trio.open_nursery() as nursery:
        await opened(table, nursery)
        monkeypatch.setattr(
            lobby_chat.LobbyLine, "sign", lambda *_: LobbyChat(bytes(5_000), bytes(64))
        )
        say(table, 0, "hello")
        await seen(table, 0, ProgramFault)
        control = table.front(0).control
        assert control is not None
        control.start()
        while len(table.endings) < 2:
            await trio.sleep(1)
    same_sound_logs(table, range(2))


async def test_a_start_that_no_guest_would_take_costs_nobody_a_seat(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    table = TestTable(players=2)
    right = StartAttempt.addresses
    async with trio.open_nursery() as nursery:
        monkeypatch.setattr(StartAttempt, "addresses", property(lambda _: (("a name", 1),) * 2))
        await opened(table, nursery)
        await seen(table, 0, ProgramFault)
        await trio.sleep(60)
        assert len(table.front(0).seen(ProgramFault)) == 1
        assert not table.front(0).seen(StartFailed)
        monkeypatch.setattr(StartAttempt, "addresses", right)
    same_sound_logs(table, range(2))


def addresses_at(*told: str) -> Callable[[MemoryHost, str | None], tuple[tuple[str, ...], bool]]:
    return lambda _host, _bind: (told, False)


async def test_addresses_that_mean_nothing_elsewhere_are_not_told(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    """A host that was bound to a name once ended with the first body that it signed."""
    table = TestTable(players=2)
    monkeypatch.setattr(
        MemoryHost, "addresses", addresses_at("localhost", "fe80::1%eth0", "10.0.0.7")
    )
    await table.run()
    same_sound_logs(table, range(2))
    assert not table.front(0).seen(ProgramFault)


async def test_addresses_that_no_reader_takes_are_not_signed_and_the_game_goes_on(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    table = TestTable(players=2)
    monkeypatch.setattr(MemoryHost, "addresses", addresses_at("localhost"))
    monkeypatch.setattr(dialer, "is_one_machine", lambda _: True)
    await table.run()
    same_sound_logs(table, range(2))
    assert len(table.front(0).seen(ProgramFault)) == 1
