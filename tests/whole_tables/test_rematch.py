"""A second table with the same people: the same port, the seats moved on by one."""

from __future__ import annotations

from dataclasses import replace

import trio
import trio.testing

from kotp2p.bots import make_bot
from kotp2p.endings import EndKind
from kotp2p.seat_view import SeatView
from kotp2p.shell.run import HostOptions, SeatWish, host, join
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
