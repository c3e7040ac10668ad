"""A table that was broken off goes on from its files: same dice, same order, same log."""

from dataclasses import replace
from typing import TypeVar

import pytest
import trio

from kotp2p.lobby import lobby_chat
from kotp2p.lobby.start import StartAttempt
from kotp2p.net import dialer
from kotp2p.seams import cores, notices
from kotp2p.seams.commands import Say, StartGame
from kotp2p.seams.cores import clean_chat_line
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.world import World
from kotp2p.shell.resume import OLD_COPY_SECONDS
from kotp2p.shell.run import resume
from kotp2p.store.saved_game import write_epoch
from kotp2p.wire.frames import LobbyChat
from tests.support.memory_tables import Recorder, TestTable
from tests.support.memory_world import MemoryDisk, MemoryHost, memory_disk, seeded
from tests.support.whole_games import broken_off, same_sound_logs, went_well

pytestmark = pytest.mark.virtual_time


def plays(table: TestTable, n: int) -> bool:
    started = table.front(n).seen(notices.GameStarted)[0]
    assert isinstance(started, notices.GameStarted)
    return started.view.seat in started.view.game.state.seats_alive()


async def all_resume(table: TestTable, *seats: int) -> None:
    """Who is out comes first: without him the game could end before he is there."""
    with trio.fail_after(36_000):
        async with trio.open_nursery() as nursery:
            for n in sorted(seats, key=lambda n: plays(table, n)):
                nursery.start_soon(table.resume, n)
                await trio.sleep(40)  # they come back one by one, later than any silence allows


@pytest.mark.parametrize(("victim", "after"), [(2, 6), (0, 13)])
async def test_a_table_goes_on_after_one_was_killed(victim: int, after: int) -> None:
    table = TestTable(players=3, seed="b")
    await broken_off(table, victim, after)
    await all_resume(table, 2, 0, 1)
    went_well(table, 3)
    missing = [x.seats for x in table.front(2).seen(notices.Missing)]
    assert set(missing[0]) <= {0, 1}
    assert missing[-1] == ()


async def test_who_waits_alone_for_minutes_is_told_what_may_have_happened_once() -> None:
    table = TestTable(players=3)
    await broken_off(table, 1)
    with trio.move_on_after(600):
        await table.resume(0)
    missing = notices.Missing((1, 2))
    assert table.front(0).seen(notices.Missing) == [missing, replace(missing, is_alone=True)]


@pytest.mark.parametrize("lost", [3, 3_000])
async def test_an_older_or_torn_log_is_made_whole_by_the_others(lost: int) -> None:
    table = TestTable(players=3)
    await broken_off(table, 1)
    disk = memory_disk(table.world_of(1))
    log = table.log_path(1)
    disk.files[log] = disk.files[log][:-lost]
    await all_resume(table, 0, 1, 2)
    went_well(table, 3)
    assert log.with_name("log.torn-1") in disk.files or lost > 1_000


async def test_one_process_plays_a_game() -> None:
    table = TestTable(players=2)
    await broken_off(table, 1)
    disk = memory_disk(table.world_of(0))
    disk.locks.clear()
    disk.locks.add(table.log_path(0).with_name("lock"))
    table.free = lambda n: None  # type: ignore[method-assign]
    await table.resume(0)
    assert table.endings[0].kind is EndKind.IN_USE


async def test_a_full_disk_ends_this_seat_with_the_reason_and_it_can_come_back() -> None:
    table = TestTable(players=3)
    disk = memory_disk(table.world_of(1))

    async def fill_up() -> None:
        await table.asked(1, 6)
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


# -- two processes ---------------------------------------------------------------------------------

# A copied folder or a restored backup: two processes of one player, and nobody is convicted.


ELSEWHERE = "10.0.0.77"


class Elsewhere:
    def __init__(self, table: TestTable, n: int, name: str = "elsewhere") -> None:
        here = table.world_of(n)
        disk = MemoryDisk(files=dict(memory_disk(here).files), links=dict(memory_disk(here).links))
        self.world: World = replace(
            here, entropy=seeded(name), net=table.net.at(ELSEWHERE), disk=disk
        )
        self.name, self.front = name, Recorder(name, level="easy")
        self.ending: Ending | None = None

    async def resume(self) -> None:
        disk = memory_disk(self.world)
        disk.locks.clear()
        self.front = Recorder(self.name, level="easy")
        self.ending = await resume(self.world, None, None, self.front)


def nobody_is_convicted(table: TestTable, *more: Recorder) -> None:
    for front in (*table.fronts.values(), *more):
        assert not front.seen(notices.Cheated)


@pytest.mark.parametrize(("victim", "after", "bots"), [(0, 1, 0), (1, 3, 0), (0, 3, 2)])
async def test_of_two_processes_the_last_one_goes_on(victim: int, after: int, bots: int) -> None:
    """Bots without noise never contradict themselves; these decide anew."""
    table = TestTable(players=3 + bots, bots=bots, delay=0.05)
    table.fronts[victim] = Recorder("original", level="easy")
    copies: list[Elsewhere] = []

    async def copy() -> None:
        await table.asked(victim, after)
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


async def test_two_processes_that_reach_nobody_but_the_host_hear_of_each_other_through_it() -> None:
    """No guest can be dialled: all of them play through the host."""
    table = TestTable(players=4, delay=0.05)
    table.fronts[2] = Recorder("original", level="easy")
    table.net.undialable |= {"10.0.0.2", "10.0.0.3", "10.0.0.4", ELSEWHERE}
    copies: list[Elsewhere] = []

    async def copy() -> None:
        await table.asked(2, 3)
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


@pytest.mark.parametrize(("victim", "bots", "names"), [(1, 0, "gh"), (0, 2, "ij")])
async def test_two_copies_of_a_backup_do_not_both_stop(victim: int, bots: int, names: str) -> None:
    """Both have the same epoch: the random bytes decide, for the bots as for their keeper."""
    table = TestTable(players=3 + bots, bots=bots, delay=0.05)
    copies: list[Elsewhere] = []

    async def copy() -> None:
        await table.asked(victim, 3)
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


async def test_an_older_copy_goes_on_if_resume_is_typed_there_last() -> None:
    table = TestTable(players=3, delay=0.2)
    copies: list[Elsewhere] = []

    async def copy() -> None:
        await table.asked(1, 3)
        copies.extend(Elsewhere(table, 1, name) for name in "gh")
        copies[1].world = replace(copies[1].world, net=table.net.at("10.0.0.78"))
        disk = memory_disk(copies[0].world)
        (seed,) = (path for path in disk.files if path.name == "seed")
        await write_epoch(disk, seed.parent, 7)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(copies[0].resume)
            await trio.sleep(OLD_COPY_SECONDS)
            nursery.start_soon(copies[1].resume)

    await table.run(copy)
    kinds = [one.ending.kind for one in copies if one.ending is not None]
    assert kinds == [EndKind.ELSEWHERE, EndKind.FINISHED]
    nobody_is_convicted(table, *(one.front for one in copies))


# -- own faults ------------------------------------------------------------------------------------

# A fault of our own program in a lobby, or in what a seat tells of its addresses, ends nothing.


N = TypeVar("N")


async def seen(table: TestTable, player: int, kind: type[N], count: int = 1) -> list[N]:
    with trio.fail_after(600):
        while len(found := table.front(player).seen(kind)) < count:
            await trio.sleep(0.1)
    return found


async def opened(table: TestTable, nursery: trio.Nursery) -> None:
    nursery.start_soon(table.host)
    await seen(table, 0, notices.LobbyChanged)
    nursery.start_soon(table.guest, 1)
    await seen(table, 1, notices.LobbyChanged)


def say(table: TestTable, player: int, words: str) -> None:
    table.front(player).control(Say(words))


@pytest.mark.parametrize("player", [0, 1])
async def test_a_line_that_no_reader_takes_is_not_signed_and_the_lobby_goes_on(
    player: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = TestTable(players=2, start_when_full=False)
    async with trio.open_nursery() as nursery:
        await opened(table, nursery)
        monkeypatch.setattr(cores, "clean_chat_line", lambda words: f"{words}\a")
        for _ in range(3):
            say(table, player, "hello")
        (told,) = await seen(table, player, notices.ProgramFault)
        assert "printable" in told.detail
        assert not table.front(1 - player).seen(notices.Said)
        monkeypatch.setattr(cores, "clean_chat_line", clean_chat_line)
        say(table, player, "again")
        assert [said.text for said in await seen(table, 1 - player, notices.Said)] == ["again"]
        nursery.cancel_scope.cancel()


async def test_a_frame_of_a_lobby_that_no_reader_takes_is_not_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = TestTable(players=2, start_when_full=False)
    async with trio.open_nursery() as nursery:
        await opened(table, nursery)
        monkeypatch.setattr(
            lobby_chat.LobbyLine, "sign", lambda *_: LobbyChat(bytes(5_000), bytes(64))
        )
        say(table, 0, "hello")
        await seen(table, 0, notices.ProgramFault)
        table.front(0).control(StartGame())
        while len(table.endings) < 2:
            await trio.sleep(1)
    same_sound_logs(table, range(2))


async def test_a_start_that_no_guest_would_take_costs_nobody_a_seat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = TestTable(players=2)
    right = StartAttempt.addresses
    async with trio.open_nursery() as nursery:
        monkeypatch.setattr(StartAttempt, "addresses", property(lambda _: (("a name", 1),) * 2))
        await opened(table, nursery)
        await seen(table, 0, notices.ProgramFault)
        await trio.sleep(60)
        assert len(table.front(0).seen(notices.ProgramFault)) == 1
        assert not table.front(0).seen(notices.StartFailed)
        monkeypatch.setattr(StartAttempt, "addresses", right)
    same_sound_logs(table, range(2))


async def test_addresses_that_no_reader_takes_are_not_signed_and_the_game_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = TestTable(players=2)
    monkeypatch.setattr(MemoryHost, "addresses", lambda _host, _bind: (("localhost",), False))
    monkeypatch.setattr(dialer, "is_one_machine", lambda _: True)
    await table.run()
    same_sound_logs(table, range(2))
    assert len(table.front(0).seen(notices.ProgramFault)) == 1
