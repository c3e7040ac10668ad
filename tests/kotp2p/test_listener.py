"""What an untrusted listener holds: few strangers at a time, and none of them for long."""

from __future__ import annotations

import contextlib

import pytest
import trio

from kotp2p.endings import EndKind
from kotp2p.links import HANDSHAKE
from kotp2p.wiring import UNPROVED, UNPROVED_OF_ONE
from tests.kotp2p.tables import HOST, PORT, TestTable


async def held(strangers: list[trio.abc.Stream]) -> int:
    """How many of them the listener has not closed; none is closed by this look."""
    count = 0
    for stranger in strangers:
        with trio.move_on_after(0.1) as patience:
            with contextlib.suppress(trio.BrokenResourceError):
                assert await stranger.receive_some() == b""
        count += patience.cancelled_caught
    return count


@pytest.mark.parametrize(
    ("addresses", "most"), [(1, UNPROVED_OF_ONE), (2, 2 * UNPROVED_OF_ONE), (40, UNPROVED)]
)
async def test_strangers_are_held_in_small_numbers_and_for_a_short_time(
    addresses: int, most: int, autojump_clock: trio.testing.MockClock
) -> None:
    table = TestTable(players=2)
    strangers: list[trio.abc.Stream] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.host)
        await trio.sleep(1)
        for n in range(40):
            connection = await table.net.at(f"10.9.9.{n % addresses}").dial(HOST, PORT)
            strangers.append(connection.stream)
        assert await held(strangers) == most
        await trio.sleep(HANDSHAKE)
        assert await held(strangers) == 0
        nursery.start_soon(table.guest, 1)
    assert [e.kind for e in table.endings.values()] == [EndKind.FINISHED] * 2


async def test_a_player_gets_in_while_strangers_wait(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=2)

    async def crowd(number: int) -> None:
        """Comes again and again, and says nothing."""
        while not table.endings:
            await table.net.at(f"10.9.9.{number}").dial(HOST, PORT)
            await trio.sleep(1)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.host)
        await trio.sleep(1)
        for number in range(5):
            nursery.start_soon(crowd, number)
        await trio.sleep(5)
        await table.guest(1)
        nursery.cancel_scope.cancel()
    assert table.endings[1].kind is EndKind.FINISHED
