"""A process that dies as its game begins: it comes back, or it is said that it cannot."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import PurePath

import pytest
import trio

from kotp2p.net.connections import ListenAt
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import Missing
from kotp2p.seams.world import LogFile
from kotp2p.shell.find_host import TableAddress
from kotp2p.shell.resume import list_games
from kotp2p.shell.run import SeatWish, join
from kotp2p.store.game_files import UnfinishedGame
from kotp2p.store.saved_game import CannotResume
from tests.support.memory_tables import HOST, HOST_TABLE, PORT, TestTable
from tests.support.memory_world import MemoryDisk, MemoryLog
from tests.support.whole_games import broken_off, same_sound_logs, went_well
from tests.tools.sim.rules import short_rules

pytestmark = pytest.mark.virtual_time

MOST = 12
"""More than there are writes before the first move."""


@pytest.fixture(autouse=True)
def short_games() -> Iterator[None]:
    """Each is played to its end, and what is asked happens before its first move."""
    with short_rules():
        yield


def nobody() -> None:
    """Dies."""


@dataclass
class Dying(MemoryDisk):
    """Its process dies before the write with this number for a game."""

    at: int = 0
    dies: Callable[[], None] = nobody
    dead: bool = False
    _writes: int = 0

    async def write(self, path: PurePath) -> bool:
        """Whether it may be written: a log is written to the end, whatever happens."""
        if {"games", "starting"} & set(path.parts):
            self._writes += 1
        if self._writes == self.at:
            self.dead = True
            self.dies()
        await trio.lowlevel.checkpoint()
        return not self.dead

    async def write_secret(self, path: PurePath, data: bytes) -> None:
        if await self.write(path):
            await super().write_secret(path, data)

    async def replace(self, path: PurePath, data: bytes) -> None:
        if await self.write(path):
            await super().replace(path, data)

    def remove(self, path: PurePath) -> None:
        if not self.dead:
            super().remove(path)

    async def create_log(self, path: PurePath, data: bytes) -> LogFile:
        if await self.write(path):
            await super().create_log(path, data)
        return DyingLog(self, path)


class DyingLog(MemoryLog):
    async def append(self, data: bytes) -> None:
        assert isinstance(self.disk, Dying)
        if await self.disk.write(self.path):
            await super().append(data)


@dataclass
class Beginning:
    """A table of two people and `bots`, of whom `victim` dies; what he has left."""

    victim: int
    at: int
    bots: int = 0
    table: TestTable = field(init=False)
    found: list[UnfinishedGame | CannotResume] = field(default_factory=list)
    logs: int = 0
    places: int = 0
    starts: int = 0
    """What he has left of starts that he has signed."""

    async def play(self, *, one_game: bool = False) -> None:
        self.table = table = TestTable(players=2 + self.bots, bots=self.bots, rules="short-second")
        disk = Dying(at=self.at, dies=self._die)
        table.worlds[self.victim] = world = replace(table.world_of(self.victim), disk=disk)
        if one_game:
            assert disk.lock(world.data / "profiles" / world.profile / "lock")
        await table.run(self._come_back)

    def _die(self) -> None:
        self.table.kill(self.victim)

    async def _come_back(self) -> None:
        table, world = self.table, self.table.world_of(self.victim)
        disk = world.disk
        assert isinstance(disk, Dying)
        while not disk.dead and len(table.endings) < 2:
            await trio.sleep(0.01)
        if not disk.dead:
            return
        await trio.sleep(1)
        disk.dead, disk.at = False, -1
        self.found = list(list_games(world))
        left = [path.name for path in disk.files if "games" in path.parts]
        self.logs, self.places = left.count("log"), left.count("places")
        self.starts = len([path for path in disk.files if "starting" in path.parts])
        await table.resume(self.victim)
        if table.endings[self.victim].kind is not EndKind.FINISHED:
            table.kill(1 - self.victim)

    @property
    def ended(self) -> set[EndKind]:
        return {ending.kind for ending in self.table.endings.values()}


@pytest.mark.parametrize("one_game", [False, True])
async def test_a_guest_that_has_signed_goes_on_and_one_that_has_not_had_not_begun(
    one_game: bool,
) -> None:
    seen = set()
    for at in range(1, MOST):
        one = Beginning(1, at)
        await one.play(one_game=one_game)
        if one.logs or one.starts:
            assert [type(found) for found in one.found] == [UnfinishedGame] * one.logs, at
            assert one.ended == {EndKind.FINISHED}, at
            same_sound_logs(one.table, range(2))
            seen.add((one.logs, min(one.places, 1)))
        else:
            assert not one.found
            assert one.table.endings[1].kind is EndKind.NO_GAME
            seen.add((0, 0))
    assert seen == {(0, 0), (0, 1), (1, 1)}


@pytest.mark.parametrize("one_game", [False, True])
async def test_a_host_with_a_log_goes_on_and_a_host_without_is_told_so(one_game: bool) -> None:
    seen, victim = set(), 0
    for at in range(1, MOST):
        one = Beginning(victim, at)
        await one.play(one_game=one_game)
        if one.logs:
            assert [type(found) for found in one.found] == [UnfinishedGame], at
            assert one.ended == {EndKind.FINISHED}, at
            same_sound_logs(one.table, range(2))
            seen.add("goes on")
        elif one.places:
            (found,) = one.found
            assert isinstance(found, CannotResume)
            assert "it says nothing" in str(found)
            assert one.table.endings[victim].kind is EndKind.FILES
            assert str(found) in one.table.endings[victim].detail
            seen.add("reads so")
        else:
            assert not one.found
            assert one.table.endings[victim].kind is EndKind.NO_GAME
            seen.add("had not begun")
    assert seen == {"goes on", "reads so", "had not begun"}


async def test_a_keeper_brings_all_its_bots_along() -> None:
    resumed = 0
    for at in range(1, MOST + 5):
        one = Beginning(0, at, bots=2)
        await one.play()
        own = [found for found in one.found if isinstance(found, UnfinishedGame)]
        if own:
            assert one.found == own, at
            assert one.ended == {EndKind.FINISHED}, at
            same_sound_logs(one.table, range(2))
            assert len(one.table.report(0).confirmed_by) == 2, at  # the keepers
            assert one.logs == 1, at  # the bots write none of their own
            resumed += 1
            disk = one.table.world_of(0).disk
            assert isinstance(disk, Dying)
            assert not [path for path in disk.files if "starting" in path.parts], at
    assert resumed >= 2


# -- coming first ----------------------------------------------------------------------------------

# Whoever comes first listens: no seat is special once the game has begun, the host's neither.


async def types_join(table: TestTable, n: int, address: str = HOST, port: int = PORT) -> None:
    """The same player types `kotp2p join ADDRESS`."""
    table.free(n)
    table.endings.pop(n, None)
    there = TableAddress((address,), port)
    with trio.CancelScope() as table.scopes[n]:
        table.endings[n] = await join(table.world_of(n), SeatWish("x"), there, table.front(n))


async def one_after_the_other(*commands: Callable[[], Awaitable[None]]) -> None:
    with trio.fail_after(36_000):
        async with trio.open_nursery() as nursery:
            for command in commands:
                nursery.start_soon(command)
                await trio.sleep(100)


async def test_the_join_of_a_host_that_is_gone_goes_on_with_the_game() -> None:
    table = TestTable(players=3)
    await broken_off(table, 0)
    await one_after_the_other(
        lambda: types_join(table, 1), lambda: types_join(table, 2), lambda: table.resume(0)
    )
    went_well(table, 3)
    shown = {seat: [x.seats for x in table.front(seat).seen(Missing)] for seat in (0, 1)}
    assert shown[1][0] == (0, 2)
    assert shown[1][-1] == ()
    assert shown[0] == [()]  # links take their time: nobody had been missing


async def test_a_join_where_nobody_is_and_nothing_was_says_so() -> None:
    table = TestTable(players=2)
    await broken_off(table, 0)
    await types_join(table, 1, "10.0.0.99")
    assert table.endings[1].kind is EndKind.REFUSED


# -- guest places ----------------------------------------------------------------------------------

# Where guests listen in whole games: where they reached the host, or where they want to.


GUEST = "10.0.0.2"


async def test_a_port_that_is_taken_ends_a_guest_that_wants_it() -> None:
    table = TestTable(players=2, start_when_full=False)
    async with table.hosted() as nursery:
        world = table.world_of(1)
        other = await world.net.listen(None, 5000, 1)
        for here in (ListenAt(port=5000), ListenAt(GUEST, 5000)):
            ending = await join(world, SeatWish("Rex"), HOST_TABLE, table.front(1), here=here)
            assert ending.kind is EndKind.PORT_TAKEN
        await other.aclose()
        nursery.cancel_scope.cancel()
