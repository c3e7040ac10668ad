"""A poster follows its lobby: from the first look to the start or the close."""

from dataclasses import replace

import pytest
import trio

from kotp2p.lobby.host import HostLobby, TableOffer
from kotp2p.seams.commands import LeaveTable
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import TableAnnounced, TableOpened
from kotp2p.shell.lobby_stage import ANNOUNCE_AGAIN_SECONDS, Announcer
from kotp2p.shell.run import ADDRESS_CHECK_SECONDS
from kotp2p.shell.table_code import HeldCode
from kotp2p.wire.addresses import Poster
from kotp2p.wire.crypto import Signer
from kotp2p.wire.frames import CodeTold
from tests.support.memory_mailbox import accept_nobody
from tests.support.memory_tables import TestTable
from tests.support.memory_world import MemoryLan, seeded

pytestmark = pytest.mark.virtual_time


def table_on(lan: MemoryLan, players: int = 3) -> TestTable:
    table = TestTable(players)
    table.worlds[0] = replace(table.world_of(0), lan=lan)
    return table


async def announced_once_it_can_be(
    lan: MemoryLan, table: TestTable, seconds: float, moves_to: str = "10.0.0.1"
) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.host)
        await trio.sleep(2 * seconds)
        assert lan.now == []
        lan.trouble, table.net.moved["10.0.0.1"] = "", moves_to
        await trio.sleep(2 * seconds)
        assert len(lan.now) == 1
        nursery.cancel_scope.cancel()


async def test_it_shows_the_seats_fill_and_goes_when_the_game_begins() -> None:
    lan = MemoryLan()
    table = table_on(lan)

    async def look() -> None:
        await table.asked(1, 1)
        assert lan.now == []

    await table.run(look)
    assert [poster.free for poster in lan.past] == [2, 1, 0, 0]
    assert [poster.open for poster in lan.past] == [True, True, True, False]
    (told,) = table.front(0).seen(TableAnnounced)
    assert lan.past[0] == Poster("Ana", "second", 3, 2, 4242)
    assert told == TableAnnounced()
    assert table.endings[0].kind is EndKind.FINISHED


async def test_new_addresses_of_the_host_are_shown_and_announced_until_the_game_begins() -> None:
    lan = MemoryLan()
    table = table_on(lan)
    net, front = table.net, table.front(0)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.host)
        await trio.sleep(2 * ADDRESS_CHECK_SECONDS)
        assert [opened.addresses for opened in front.seen(TableOpened)] == [("10.0.0.1",)]
        assert len(lan.past) == 1
        net.moved["10.0.0.1"] = "192.168.7.7"
        await trio.sleep(2 * ADDRESS_CHECK_SECONDS)
        assert [opened.addresses for opened in front.seen(TableOpened)][1:] == [("192.168.7.7",)]
        assert lan.now == [lan.past[0]] == lan.past[1:]
        control = front.control
        control(LeaveTable())
    assert lan.now == []


async def test_a_host_that_finds_a_network_after_the_start_is_announced_there() -> None:
    lan = MemoryLan(trouble="this machine is on no private network")
    table = table_on(lan)
    await announced_once_it_can_be(lan, table, ADDRESS_CHECK_SECONDS, "192.168.7.7")
    told = table.front(0).seen(TableAnnounced)
    assert [bool(notice.fault) for notice in told] == [True, False]


async def test_a_network_that_takes_announcements_only_later_has_them_then() -> None:
    lan = MemoryLan(trouble="no interface of this machine takes multicast")
    await announced_once_it_can_be(lan, table_on(lan), ANNOUNCE_AGAIN_SECONDS)


@pytest.mark.parametrize(
    ("bind", "count"),
    [
        ("127.0.0.1", 0), ("::1", 0), ("127.8.8.8", 0), ("::ffff:127.0.0.1", 0), ("10.0.0.1", 1),
        (None, 1),
    ],
)  # fmt: skip
async def test_a_table_for_this_machine_only_is_not_announced(bind: str | None, count: int) -> None:
    lan = MemoryLan()
    table = table_on(lan)
    world, front = table.world_of(0), table.front(0)
    code = HeldCode(world, front, accept_nobody, known=CodeTold(7412, 3, 5))
    announcer = Announcer(world, bind, front, code)
    announcer.announce_lobby(
        HostLobby(Signer(bytes([1]) * 32), "Ana", "", TableOffer("second", 3), 4242, seeded("host"))
    )
    with trio.move_on_after(1):
        await announcer.run()
    assert len(lan.past) == count
    assert [poster.code_number for poster in lan.past] == [7412] * count
