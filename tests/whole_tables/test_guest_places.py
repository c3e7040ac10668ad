"""Where guests listen in whole games: where they reached the host, or where they want to."""

from __future__ import annotations

import trio
import trio.testing

from kotp2p.net.connections import ListenAt
from kotp2p.net.dialer import MACHINE_CHECK_SECONDS
from kotp2p.seams.endings import EndKind
from kotp2p.shell.run import SeatWish, join
from tests.support.memory_tables import HOST, HOST_TABLE, TestTable
from tests.support.whole_games import Slow, same_sound_logs

GUEST = "10.0.0.2"


async def test_a_guest_listens_at_its_own_address_of_the_link_to_the_host(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=2, start_when_full=False)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.host)
        await trio.sleep(1)
        nursery.start_soon(table.guest, 1)
        await trio.sleep(3)
        assert GUEST in {address for address, _ in table.net.listening}
        nursery.cancel_scope.cancel()
    assert not table.net.listening.keys() & {(GUEST, port) for port in range(40_000, 40_100)}


async def test_a_port_that_is_taken_ends_a_guest_that_wants_it(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=2, start_when_full=False)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.host)
        await trio.sleep(1)
        world = table.world_of(1)
        other = await world.net.listen(None, 5000, 1)
        for here in (ListenAt(port=5000), ListenAt(GUEST, 5000)):
            ending = await join(world, SeatWish("Rex"), HOST_TABLE, table.front(1), here=here)
            assert ending.kind is EndKind.PORT_TAKEN
        await other.aclose()
        nursery.cancel_scope.cancel()


async def test_a_guest_that_has_another_address_listens_there_and_says_so(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table, places = TestTable(players=2), set[str]()
    for n in range(2):
        table.fronts[n] = Slow(f"slow {n}")

    async def move() -> None:
        while table.front(1).asked < 3:
            await trio.sleep(0.1)
        await table.moves(1, "10.9.0.2")
        await trio.sleep(2 * MACHINE_CHECK_SECONDS)
        places.update(address for address, _ in table.net.listening)

    await table.run(move)
    assert places == {HOST, "10.9.0.2"}
    same_sound_logs(table, range(2))
