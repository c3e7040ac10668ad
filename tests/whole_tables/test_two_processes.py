"""A copied folder or a restored backup: two processes of one player, and nobody is convicted."""

from __future__ import annotations

from dataclasses import replace

import pytest
import trio
import trio.testing

from kotp2p.bots import make_bot
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import Cheated
from kotp2p.seams.world import World
from kotp2p.shell.run import resume
from tests.support.memory_tables import Recorder, TestTable
from tests.support.memory_world import MemoryDisk, seeded
from tests.support.whole_games import same_sound_logs

ELSEWHERE = "10.0.0.77"


class Elsewhere:
    """A machine with a copy of the files of a player."""

    def __init__(self, table: TestTable, n: int, name: str = "elsewhere") -> None:
        here = table.world_of(n)
        assert isinstance(here.disk, MemoryDisk)
        disk = MemoryDisk(files=dict(here.disk.files), links=dict(here.disk.links))
        self.world: World = replace(
            here, entropy=seeded(name), net=table.net.at(ELSEWHERE), disk=disk
        )
        self.name, self.front = name, Recorder(name, level="easy")
        self.ending: Ending | None = None

    async def resume(self) -> None:
        disk = self.world.disk
        assert isinstance(disk, MemoryDisk)
        disk.locks.clear()
        self.front = Recorder(self.name, level="easy")
        self.ending = await resume(self.world, None, None, self.front, make_bot)


async def asked(table: TestTable, n: int, times: int) -> None:
    while table.front(n).asked < times:
        await trio.sleep(0.05)


def nobody_is_convicted(table: TestTable, *more: Recorder) -> None:
    for front in (*table.fronts.values(), *more):
        assert not front.seen(Cheated)


@pytest.mark.parametrize("after", [1, 3, 6])
@pytest.mark.parametrize("victim", [0, 1])
async def test_of_two_processes_the_one_that_was_resumed_last_goes_on(
    victim: int, after: int, autojump_clock: trio.testing.MockClock
) -> None:
    table = TestTable(players=3, delay=0.05)
    table.fronts[victim] = Recorder("original", level="easy")
    copies: list[Elsewhere] = []

    async def copy() -> None:
        await asked(table, victim, after)
        copies.append(Elsewhere(table, victim))
        await copies[0].resume()

    await table.run(copy)
    (copied,) = copies
    assert table.endings[victim].kind is EndKind.ELSEWHERE
    assert copied.ending is not None
    assert copied.ending.kind is EndKind.FINISHED
    others = [n for n in range(3) if n != victim]
    same_sound_logs(table, others)
    nobody_is_convicted(table, copied.front)


async def test_two_processes_that_reach_nobody_but_the_host_hear_of_each_other_through_it(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """No guest can be dialled: all of them play through the host."""
    table = TestTable(players=4, delay=0.05)
    table.fronts[2] = Recorder("original", level="easy")
    table.net.undialable |= {"10.0.0.2", "10.0.0.3", "10.0.0.4", ELSEWHERE}
    copies: list[Elsewhere] = []

    async def copy() -> None:
        await asked(table, 2, 3)
        copies.append(Elsewhere(table, 2))
        await copies[0].resume()

    await table.run(copy)
    (copied,) = copies
    assert table.endings[2].kind is EndKind.ELSEWHERE
    assert copied.ending is not None
    assert copied.ending.kind is EndKind.FINISHED
    assert {called for _, called, _, _ in table.net.made} == {"10.0.0.1"}
    same_sound_logs(table, (0, 1, 3))
    nobody_is_convicted(table, copied.front)


async def test_the_player_comes_back_to_the_first_place_by_typing_resume_there(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=3, delay=0.05)
    table.fronts[1] = Recorder("original", level="easy")
    copies: list[Elsewhere] = []

    async def copy() -> None:
        await asked(table, 1, 3)
        copies.append(Elsewhere(table, 1))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(copies[0].resume)
            while 1 not in table.endings or copies[0].front.asked < 2:
                await trio.sleep(0.1)
            assert table.endings[1].kind is EndKind.ELSEWHERE
            nursery.start_soon(table.resume, 1)

    await table.run(copy)
    (copied,) = copies
    assert copied.ending is not None
    assert copied.ending.kind is EndKind.ELSEWHERE
    assert table.endings[1].kind is EndKind.FINISHED
    same_sound_logs(table, range(3))
    nobody_is_convicted(table, copied.front)


async def test_a_host_in_two_processes_stops_in_the_older_one_with_all_its_bots(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """Bots without noise never contradict themselves; these decide anew."""
    table = TestTable(players=4, bots=2, delay=0.05)
    table.fronts[0] = Recorder("original", level="easy")
    copies: list[Elsewhere] = []

    async def copy() -> None:
        await asked(table, 0, 3)
        copies.append(Elsewhere(table, 0))
        await copies[0].resume()

    await table.run(copy)
    (copied,) = copies
    assert table.endings[0].kind is EndKind.ELSEWHERE
    assert copied.ending is not None
    assert copied.ending.kind is EndKind.FINISHED
    same_sound_logs(table, [1])
    nobody_is_convicted(table, copied.front)


@pytest.mark.parametrize(("victim", "bots"), [(1, 0), (0, 2)])
@pytest.mark.parametrize("names", ["gh", "ij"])
async def test_two_copies_of_one_backup_do_not_both_stop(
    victim: int, bots: int, names: str, autojump_clock: trio.testing.MockClock
) -> None:
    """Both have the same epoch: the random bytes decide, for the bots as for their keeper."""
    table = TestTable(players=3 + bots, bots=bots, delay=0.05)
    copies: list[Elsewhere] = []

    async def copy() -> None:
        await asked(table, victim, 3)
        copies.extend(Elsewhere(table, victim, name) for name in names)
        copies[1].world = replace(copies[1].world, net=table.net.at("10.0.0.78"))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(copies[0].resume)
            while copies[0].front.asked < 2:
                await trio.sleep(0.1)
            nursery.start_soon(copies[1].resume)

    await table.run(copy)
    kinds = {one.ending.kind for one in copies if one.ending is not None}
    assert kinds == {EndKind.ELSEWHERE, EndKind.FINISHED}
    assert table.endings[victim].kind is EndKind.ELSEWHERE
    same_sound_logs(table, [n for n in range(3) if n != victim])
    nobody_is_convicted(table, *(one.front for one in copies))
