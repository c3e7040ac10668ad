"""Whoever comes first listens: no seat is special once the game has begun, the host's neither."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
import trio
import trio.testing

from kotp2p.bots import make_bot
from kotp2p.net.connections import ListenAt
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import Missing, Reopened
from kotp2p.shell.find_host import TableAddress
from kotp2p.shell.run import SeatWish, join, resume
from tests.support.memory_tables import HOST, PORT, TestTable
from tests.support.whole_games import broken_off, went_well


async def types_join(table: TestTable, n: int, address: str = HOST, port: int = PORT) -> None:
    """The same player types `kotp2p join ADDRESS`."""
    table.free(n)
    table.endings.pop(n, None)
    there = TableAddress((address,), port)
    with trio.CancelScope() as table.scopes[n]:
        table.endings[n] = await join(
            table.world_of(n), SeatWish("x"), there, table.front(n), bots=make_bot
        )


async def listens_elsewhere(table: TestTable, n: int, port: int) -> None:
    table.free(n)
    table.endings.pop(n, None)
    with trio.CancelScope() as table.scopes[n]:
        table.endings[n] = await resume(
            table.world_of(n), None, None, table.front(n), make_bot, ListenAt(port=port)
        )


async def one_after_the_other(*commands: Callable[[], Awaitable[None]]) -> None:
    with trio.fail_after(36_000):
        async with trio.open_nursery() as nursery:
            for command in commands:
                nursery.start_soon(command)
                await trio.sleep(100)


async def test_the_join_of_a_host_that_is_gone_goes_on_with_the_game(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=3)
    await broken_off(table, 0)
    await one_after_the_other(
        lambda: types_join(table, 1),
        lambda: types_join(table, 2),
        lambda: table.resume(0),
    )
    went_well(table, 3)
    shown = [x.seats for x in table.front(1).seen(Missing)]
    assert shown[0] == (0, 2)
    assert shown[-1] == ()


async def test_a_join_of_any_of_them_goes_on_and_brings_bots_back(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """The host himself types where a guest listens."""
    table = TestTable(players=3, bots=1)
    await broken_off(table, 1)
    await table_of(table)
    went_well(table, 2)
    assert len(table.report(0).confirmed_by) == 2  # a bot's keeper confirms for it


async def table_of(table: TestTable) -> None:
    with trio.fail_after(36_000):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(table.resume, 1)
            await trio.sleep(50)
            (shown,) = table.front(1).seen(Reopened)
            assert isinstance(shown, Reopened)
            nursery.start_soon(types_join, table, 0, shown.addresses[0], shown.port)


@pytest.mark.parametrize("order", [(1, 2, 0), (2, 0, 1)])
async def test_all_come_back_to_other_ports(
    order: tuple[int, int, int], autojump_clock: trio.testing.MockClock
) -> None:
    """Two find each other by an address that is told; from there it gets around."""
    table = TestTable(players=3)
    await broken_off(table, 1)
    first, second, third = order
    told = (f"10.0.0.{first + 1}", 5000 + first)
    await one_after_the_other(
        lambda: listens_elsewhere(table, first, 5000 + first),
        lambda: table.resume(second, told),
        lambda: table.resume(third, told),
    )
    went_well(table, 3)


async def test_a_join_where_nobody_is_and_nothing_was_says_so(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=2)
    await broken_off(table, 0)
    await types_join(table, 1, "10.0.0.99")
    assert table.endings[1].kind is EndKind.REFUSED
