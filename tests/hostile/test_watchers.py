"""A watcher sends what no watcher sends: it costs them their link, and the table nothing."""

from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
import trio

from kotp2p.net.handshake import LinkFault
from kotp2p.seams.commands import WatchOffer
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import Happened, LinkChanged
from kotp2p.wire.frames import Ping, decode
from tests.support.memory_tables import Recorder, TestTable
from tests.support.onlookers import BareWatcher, Thinking, Watching, until
from tests.tools.vector_frames import all_frames

pytestmark = pytest.mark.virtual_time

OFFER = WatchOffer(60, has_chat=True)


def table_of_two(think: float = 1.0) -> TestTable:
    fronts: dict[int, Recorder] = {n: Thinking(f"player {n}", think) for n in range(2)}
    return TestTable(players=2, watch=OFFER, fronts=fronts)


async def play_beside(table: TestTable, attack: Callable[[TestTable], Awaitable[None]]) -> Watching:
    """A game with an honest watcher and an attack that begins when it has begun."""
    honest = Watching(table.net, 70)

    async def meanwhile() -> None:
        await until(lambda: bool(table.front(1).seen(Happened)))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(honest.run)
            await trio.sleep(0.5)
            await attack(table)

    await table.run(meanwhile)
    for n in range(2):
        assert table.endings[n].kind is EndKind.FINISHED
        assert table.front(n).seen(LinkChanged) == []
    assert honest.ending is not None
    assert honest.ending.kind is EndKind.FINISHED
    assert honest.log() == table.world_of(0).disk.read(table.log_path(0))
    return honest


async def test_asks_without_end() -> None:
    """A watcher has the budget of a stranger."""

    async def attack(table: TestTable) -> None:
        async with trio.open_nursery() as nursery:
            for number in range(4):
                bare = BareWatcher(table.net, number)
                nursery.start_soon(bare.run)
                await trio.sleep(0.2)
                assert bare.link is not None
                for _ in range(500):
                    bare.link.send(Ping())
            await trio.sleep(5)
            nursery.cancel_scope.cancel()

    await play_beside(table_of_two(), attack)


async def test_breaks_off_in_every_step_of_the_handshake() -> None:
    async def attack(table: TestTable) -> None:
        for number in range(30):
            bare = BareWatcher(table.net, number)
            with trio.move_on_after(0.005 * number), suppress(LinkFault):
                await bare.open()
            await trio.sleep(0.15)

    await play_beside(table_of_two(), attack)


async def test_comes_with_the_role_of_a_watcher_and_plays_as_a_guest() -> None:
    """In the lobby, too, a watcher has no seat, whatever it sends."""
    table = TestTable(players=3, bots=1, watch=OFFER)
    frames = all_frames()
    sit = decode(bytes.fromhex(str(frames["sit"]))[4:])
    assert sit is not None
    cut = False

    async def attack() -> None:
        nonlocal cut
        await trio.sleep(0.3)
        bare = BareWatcher(table.net)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(bare.run)
            await trio.sleep(0.1)
            assert bare.link is not None
            bare.link.send(sit)
            await until(lambda: bare.is_cut)
            cut = True
            nursery.cancel_scope.cancel()

    await table.run(attack)
    assert cut
    assert table.endings[0].kind is EndKind.FINISHED
    assert len(table.report(0).players) == 3
