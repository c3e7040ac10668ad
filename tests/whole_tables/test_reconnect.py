"""A living process comes back by itself: after sleep, at a new address, over links that died."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
import trio

from kotp2p.net.dialer import FIRST_REDIAL_SECONDS
from kotp2p.peer.peer import Peer
from kotp2p.seams.notices import Gone, LinkChanged
from tests.support.memory_tables import TestTable
from tests.support.whole_games import Slow, same_sound_logs

pytestmark = pytest.mark.virtual_time


def slow_table(players: int) -> TestTable:
    table = TestTable(players=players)
    for n in range(players):
        table.fronts[n] = Slow(f"slow {n}")
    return table


async def test_a_peer_whose_address_changes_is_found_again() -> None:
    """The others learn the new address from the seat itself, and dial it from then on."""
    table = slow_table(3)

    async def move() -> None:
        await table.asked(1, 4)
        await table.moves(1, "10.0.0.77")
        await trio.sleep(60)
        # The links that it made itself break, and it cannot dial any more: it must be dialled.
        table.net.deaf.add("10.0.0.77")
        table.break_links("10.0.0.77")

    await table.run(move)
    same_sound_logs(table, range(3))
    for n in (0, 2):
        assert not table.front(n).seen(Gone)
        assert table.front(n).seen(LinkChanged)


def lid_closed(table: TestTable, n: int) -> Callable[[], Awaitable[None]]:
    """Return what lets a machine sleep for an hour, in which only its wall clock goes on."""
    slept = 0.0
    table.worlds[n] = replace(table.world_of(n), wall_clock=lambda: trio.current_time() + slept)

    async def sleep() -> None:
        nonlocal slept
        await table.asked(n, 3)
        slept = 3_600.0

    return sleep


async def test_a_machine_that_slept_drops_its_links_and_dials_anew() -> None:
    table, peers = slow_table(2), dict[int, Peer]()
    table.make_peer[1] = lambda *about: peers.setdefault(1, Peer(*about))
    await table.run(lid_closed(table, 1))
    same_sound_logs(table, range(2))
    assert [x.up for x in table.front(0).seen(LinkChanged)] == [False, True]
    assert not table.front(0).seen(Gone)
    assert peers[1]._has_slept, "who is out asks again for the seat after it"


@pytest.mark.parametrize("players", [2, 3])
async def test_a_host_that_slept_still_has_its_bots(players: int) -> None:
    """Alone with a bot, and with a guest beside it: they wait on this machine and dial it again."""
    table = slow_table(players)
    table.bots = 1
    await table.run(lid_closed(table, 0))
    same_sound_logs(table, range(players - 1))
    assert table.report(0).confirmed_by == (0, players - 1)[: players - 1]


async def test_a_link_that_came_and_went_while_the_process_stood_still_harms_nobody() -> None:
    table = slow_table(2)
    await table.run(lambda: _come_and_go(table))
    same_sound_logs(table, range(2))


async def _come_and_go(table: TestTable) -> None:
    """Both ends of a new link are closed before the table has taken either from its inbox."""
    await table.asked(1, 3)
    table.break_links("10.0.0.2")
    for _attempt in range(20):
        await trio.sleep(FIRST_REDIAL_SECONDS / 4)
        for _caller, _called, one, other in table.net.made[-1:]:
            one.breaks()
            other.breaks()
