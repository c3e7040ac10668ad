"""A table that was broken off goes on from its files: same dice, same order, same log."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from kotp2p.game.verify import Result
from kotp2p.mesh.reachability import GONE_AFTER_UNREACHABLE_SECONDS
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import GameStarted, Gone, Missing
from kotp2p.shell.run import SeatWish, join
from kotp2p.wire.records import HEAD_BYTES, RecordReader, read_head
from tests.support.memory_tables import HOST_TABLE, TestTable
from tests.support.memory_world import MemoryDisk
from tests.support.whole_games import Slow, broken_off, same_sound_logs, went_well


def plays(table: TestTable, n: int) -> bool:
    started = table.front(n).seen(GameStarted)[0]
    assert isinstance(started, GameStarted)
    return started.view.seat in started.view.game.state.seats_alive()


async def all_resume(table: TestTable, *seats: int) -> None:
    """Who is out comes first: without him the game could end before he is there."""
    with trio.fail_after(36_000):
        async with trio.open_nursery() as nursery:
            for n in sorted(seats, key=lambda n: plays(table, n)):
                nursery.start_soon(table.resume, n)
                await trio.sleep(40)  # they come back one by one, later than any silence allows


@pytest.mark.parametrize("victim", [0, 2])
@pytest.mark.parametrize("after", [1, 6, 13])
async def test_a_table_goes_on_after_one_was_killed(
    victim: int, after: int, autojump_clock: trio.testing.MockClock
) -> None:
    table = TestTable(players=3, seed="b")
    await broken_off(table, victim, after)
    await all_resume(table, 2, 0, 1)
    went_well(table, 3)
    missing = [x.seats for x in table.front(2).seen(Missing)]
    assert set(missing[0]) <= {0, 1}
    assert missing[-1] == ()


async def test_bots_come_back_with_their_keeper(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=4, bots=2)
    await broken_off(table, 0)
    await all_resume(table, 1, 0)
    went_well(table, 2)
    assert len(table.report(0).confirmed_by) == 2  # a bot's keeper confirms for it


async def test_a_player_alone_with_bots_goes_on(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=3, bots=2)
    table.fronts[0] = Slow("alone")

    async def kill() -> None:
        while table.front(0).asked < 5:
            await trio.sleep(0.05)
        table.kill(0)

    await table.run(kill)
    await all_resume(table, 0)
    went_well(table, 1)


async def test_a_seat_that_has_moved_is_found_by_an_address_that_is_told(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=2)
    await broken_off(table, 1)
    table.net.moved["10.0.0.1"] = "10.0.0.77"
    with trio.fail_after(36_000):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(table.resume, 0)
            await trio.sleep(10)
            port = next(port for address, port in table.net.listening if address == "10.0.0.77")
            nursery.start_soon(table.resume, 1, ("10.0.0.77", port))
    went_well(table, 2)


@pytest.mark.parametrize("lost", [3, 200, 3_000])
async def test_an_older_or_torn_log_is_made_whole_by_the_others(
    lost: int, autojump_clock: trio.testing.MockClock
) -> None:
    table = TestTable(players=3)
    await broken_off(table, 1)
    disk = table.world_of(1).disk
    assert isinstance(disk, MemoryDisk)
    log = table.log_path(1)
    disk.files[log] = disk.files[log][:-lost]
    await all_resume(table, 0, 1, 2)
    went_well(table, 3)
    assert log.with_name("log.torn-1") in disk.files or lost > 1_000


async def test_a_damaged_log_is_not_resumed(autojump_clock: trio.testing.MockClock) -> None:
    table = TestTable(players=2)
    await broken_off(table, 1)
    disk = table.world_of(0).disk
    assert isinstance(disk, MemoryDisk)
    log = table.log_path(0)
    data = disk.files[log]
    reader = RecordReader(data, read_head(data)[1])
    reader.read_record()
    at = reader.offset + 20
    assert at > HEAD_BYTES
    disk.files[log] = data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :]
    await table.resume(0)
    assert table.endings[0].kind is EndKind.FILES
    assert "record 1" in table.endings[0].detail
    assert disk.files[log] == data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :]  # untouched


async def test_there_is_nothing_to_resume_after_the_end(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=2)
    await table.run()
    assert table.report(0).result is Result.SOUND
    await table.resume(0)
    assert table.endings[0].kind is EndKind.NO_GAME


async def test_one_process_plays_a_game(autojump_clock: trio.testing.MockClock) -> None:
    table = TestTable(players=2)
    await broken_off(table, 1)
    disk = table.world_of(0).disk
    assert isinstance(disk, MemoryDisk)
    disk.locks.clear()
    disk.locks.add(table.log_path(0).with_name("lock"))
    table.free = lambda n: None  # type: ignore[method-assign]
    await table.resume(0)
    assert table.endings[0].kind is EndKind.IN_USE


@pytest.mark.parametrize("victim", [0, 1])
async def test_a_seat_that_is_back_within_half_a_minute_stops_nobody(
    victim: int, autojump_clock: trio.testing.MockClock
) -> None:
    table = TestTable(players=3)

    async def kill_and_come_back() -> None:
        while table.front(victim).asked < 6:
            await trio.sleep(0.05)
        table.kill(victim)
        await trio.sleep(GONE_AFTER_UNREACHABLE_SECONDS - 10)
        await table.resume(victim)

    await table.run(kill_and_come_back)
    for n in range(3):
        assert table.endings[n].kind is EndKind.FINISHED
        assert not table.front(n).seen(Gone)
    same_sound_logs(table, range(3))


async def test_a_full_disk_ends_this_seat_with_the_reason_and_it_can_come_back(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=3)
    disk = table.world_of(1).disk
    assert isinstance(disk, MemoryDisk)

    async def fill_up() -> None:
        while table.front(1).asked < 6:
            await trio.sleep(0.05)
        disk.full = True
        while 1 not in table.endings:
            await trio.sleep(0.05)
        assert table.endings[1].kind is EndKind.FILES
        assert "No space left" in table.endings[1].detail
        disk.full = False
        await table.resume(1)

    await table.run(fill_up)
    assert {table.endings[n].kind for n in range(3)} == {EndKind.FINISHED}
    same_sound_logs(table, range(3))


async def test_a_log_that_was_moved_away_is_named_where_it_is(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=2)

    async def move() -> None:
        while table.front(0).asked < 3:
            await trio.sleep(0.05)
        disk = table.world_of(0).disk
        assert isinstance(disk, MemoryDisk)
        disk.links.clear()

    await table.run(move)
    assert table.endings[0].kind is EndKind.FINISHED
    log = table.endings[0].log
    assert log is not None
    assert log.name == "log"


async def test_the_same_join_comes_back_though_the_host_is_gone(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=3)
    await broken_off(table, 0)

    async def same_join() -> None:
        table.free(1)
        table.endings[1] = await join(
            table.world_of(1), SeatWish("Guest 1"), HOST_TABLE, table.front(1)
        )

    with trio.fail_after(36_000):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(same_join)
            await trio.sleep(40)
            nursery.start_soon(table.resume, 2)
            await trio.sleep(40)
            nursery.start_soon(table.resume, 0)
    went_well(table, 3)
