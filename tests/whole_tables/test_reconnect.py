"""A living process comes back by itself: after sleep, at a new address, over links that died."""

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


async def test_a_machine_that_slept_drops_its_links_and_dials_anew() -> None:
    """Its wall clock has gone on for an hour, and nothing else."""
    table, peers, slept = slow_table(2), dict[int, Peer](), [0.0]
    table.make_peer[1] = lambda *about: peers.setdefault(1, Peer(*about))
    table.worlds[1] = replace(table.world_of(1), wall_clock=lambda: trio.current_time() + slept[0])

    async def sleep() -> None:
        await table.asked(1, 3)
        slept[0] = 3_600.0

    await table.run(sleep)
    same_sound_logs(table, range(2))
    assert [x.up for x in table.front(0).seen(LinkChanged)] == [False, True]
    assert not table.front(0).seen(Gone)
    assert peers[1]._has_slept, "who is out asks again for the seat after it"


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
