"""A second table with the same people: the same port, the seats moved on by one."""

from __future__ import annotations

from dataclasses import replace

import pytest
import trio
import trio.testing

from kotp2p.bots import make_bot
from kotp2p.endings import EndKind
from kotp2p.seat_view import SeatView
from kotp2p.shell.run import HostOptions, SeatWish, host, join
from kotp2p.wire.crypto import Signer
from tests.support.memory_tables import HOST, PORT, Recorder, TestTable


async def test_the_seats_move_on_by_one_and_late_comers_find_the_table(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=4, bots=1)
    await table.run()
    before = table.endings[0].view
    assert before is not None
    assert table.endings[0].port == PORT
    keys = [b"" if p.bot else p.key for p in before.players]
    order = (*keys[1:], keys[0])
    views: dict[int, SeatView] = {}

    def again(n: int) -> Recorder:
        return Recorder(f"again {n}")

    async def guest(n: int, later: float) -> None:
        await trio.sleep(later)
        world = replace(table.world_of(n))
        ending = await join(world, SeatWish(f"Guest {n}"), HOST, PORT, again(n), patience=60.0)
        assert ending.kind is EndKind.FINISHED
        assert ending.view is not None
        views[n] = ending.view

    async def hosting() -> None:
        await trio.sleep(20)  # the guests have said yes before their host
        options = HostOptions(players=4, bots=1, start_when_full=True, order=order)
        ending = await host(table.world_of(0), SeatWish("Ana"), options, again(0), make_bot)
        assert ending.kind is EndKind.FINISHED
        assert ending.view is not None
        views[0] = ending.view

    for n in range(3):
        table.free(n)
    with trio.fail_after(36_000):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(guest, 1, 0)
            nursery.start_soon(guest, 2, 25)
            nursery.start_soon(hosting)
    after = [b"" if p.bot else p.key for p in views[0].players]
    assert after == list(order)
    assert len({v.phrase for v in views.values()}) == 1
    assert views[0].phrase != before.phrase


async def test_a_guest_that_waits_for_a_host_that_never_comes_is_told_so(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=2)
    ending = await join(
        table.world_of(1), SeatWish("Guest"), HOST, PORT, Recorder("alone"), patience=60.0
    )
    assert ending.kind is EndKind.REFUSED
    assert trio.current_time() >= 60.0


async def test_a_player_with_a_key_for_one_game_comes_back_with_it_and_a_stranger_does_not(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """Two terminals of one profile: the second one plays under a key of its own."""
    table = TestTable(players=2)
    world = table.world_of(1)
    lock = world.data / "profiles" / world.profile / "lock"
    assert world.disk.lock(lock)
    await table.run()
    before, key = table.endings[0].view, table.endings[1].one_game_key
    assert before is not None
    assert key is not None
    assert [p.one_game for p in before.players] == [False, True]
    keys = [p.key for p in before.players]
    kinds: dict[str, EndKind] = {}

    async def guest(name: str, own: Signer | None) -> None:
        front = Recorder(name)
        ending = await join(world, SeatWish(name), HOST, PORT, front, one_game_key=own)
        kinds[name] = ending.kind

    async def hosting() -> None:
        options = HostOptions(players=2, start_when_full=True, order=(keys[1], keys[0]))
        front = Recorder("again")
        ending = await host(table.world_of(0), SeatWish("Ana"), options, front, make_bot)
        assert ending.view is not None
        assert [p.key for p in ending.view.players] == [keys[1], keys[0]]

    table.free(0)
    with trio.fail_after(36_000):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(hosting)
            await trio.sleep(1)
            await guest("Stranger", None)
            nursery.start_soon(guest, "Guest 1", key)
    assert kinds == {"Stranger": EndKind.KEPT_FOR_OTHERS, "Guest 1": EndKind.FINISHED}


async def test_a_rematch_keeps_every_seat_for_somebody(
    autojump_clock: trio.testing.MockClock,
) -> None:
    options = HostOptions(players=3, order=(b"", b""))
    with pytest.raises(ValueError):
        await host(TestTable().world_of(0), SeatWish("Ana"), options, Recorder("few"), make_bot)


async def test_a_rematch_is_with_the_host_of_the_game_before(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """At an open table only the address says whose it is, and somebody else may listen there."""
    table = TestTable(players=2)
    await table.run()
    key = table.endings[1].host_key
    assert table.endings[0].view is not None
    assert key == table.endings[0].view.players[0].key
    for n in range(2):
        table.free(n)
    mallory = replace(table.world_of(0), profile="mallory")
    async with trio.open_nursery() as nursery:
        options = HostOptions(players=2, start_when_full=True)
        nursery.start_soon(host, mallory, SeatWish("Ana"), options, Recorder("Mallory"), make_bot)
        ending = await join(
            table.world_of(1), SeatWish("Guest 1"), HOST, PORT, Recorder("again"), patience=60.0,
            host_key=key,
        )  # fmt: skip
        nursery.cancel_scope.cancel()
    assert ending.kind is EndKind.OTHER_HOST
    assert trio.current_time() >= 60.0
