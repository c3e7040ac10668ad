"""A player whose files are lost: the log comes from another player, and the seat is played on."""

from unittest.mock import AsyncMock, Mock, call

import pytest
import trio

from kotp2p.mesh.feeds import WINDOW_BYTES
from kotp2p.net import links
from kotp2p.seams.cores import STRANGER_UNITS
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import GameStarted
from kotp2p.shell import resume
from kotp2p.shell.find_host import TableAddress
from kotp2p.shell.resume import NotFetched, _Reader, _set_aside, fetch_game
from kotp2p.wire import frames
from kotp2p.wire.crypto import Signer
from kotp2p.wire.frames import LogPart
from kotp2p.wire.records import HEAD_BYTES, MAX_LOG_BYTES
from tests.support.log_bytes import boundaries, cut_to
from tests.support.memory_tables import HOST, PORT, TestTable
from tests.support.memory_world import MemoryNet, memory_disk, world
from tests.support.whole_games import Slow, broken_off

pytestmark = pytest.mark.virtual_time


def slow_table() -> TestTable:
    table = TestTable(players=3)
    for n in range(3):
        table.fronts[n] = Slow(f"slow {n}", goes_on=True)
    return table


def lose_files(table: TestTable, n: int) -> None:
    table.kill(n)
    disk = memory_disk(table.world_of(n))
    for path in [path for path in disk.files if "games" in path.parts]:
        del disk.files[path]
    disk.links.clear()


async def join_again(table: TestTable) -> None:
    table.free(2)
    await table.guest(2)


@pytest.mark.parametrize("lose", [True, False])
async def test_an_older_game_with_the_same_host_does_not_stand_in_the_way(*, lose: bool) -> None:
    old, table = slow_table(), slow_table()
    await broken_off(old, 2)
    table.net, table.worlds = old.net, old.worlds
    for n in range(3):
        table.free(n)
    disk = memory_disk(table.world_of(2))
    older = set(disk.files)

    async def meanwhile() -> None:
        await trio.sleep(30)
        table.kill(2)
        for path in [p for p in disk.files if lose and p not in older and "games" in p.parts]:
            del disk.files[path]
        await trio.sleep(3)
        await join_again(table)

    await table.run(meanwhile)
    assert {table.endings[n].kind for n in range(3)} == {EndKind.FINISHED}
    assert [n.resumed for n in table.front(2).seen(GameStarted)] == [False, True]


async def test_a_log_of_more_frames_than_may_wait_is_fetched_as_a_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A long game has more of them than a stranger may send at once."""
    monkeypatch.setattr(frames, "MAX_PART_BYTES", 64)
    table, took = slow_table(), list[float]()

    async def meanwhile() -> None:
        await trio.sleep(60)
        size = len(table.world_of(0).disk.read(table.log_path(0)) or b"")
        assert size > 64 * (links.MAX_WAITING_FRAMES + STRANGER_UNITS)
        lose_files(table, 2)
        await trio.sleep(3)
        async with trio.open_nursery() as nursery:
            began = trio.current_time()
            nursery.start_soon(join_again, table)
            while len(table.front(2).seen(GameStarted)) < 2:
                await trio.sleep(0.1)
            took.append(trio.current_time() - began)

    await table.run(meanwhile)
    assert took[0] < 1
    assert {table.endings[n].kind for n in range(3)} == {EndKind.FINISHED}


async def test_a_stranger_is_not_served_though_the_address_is_right() -> None:
    table = slow_table()

    async def meanwhile() -> None:
        await trio.sleep(20)
        here = world(table.net, "10.0.9.9", "stranger")
        with pytest.raises(NotFetched) as refused:
            await fetch_game(here, Signer(bytes([77]) * 32), TableAddress((HOST,), PORT))
        assert refused.value.ending.kind is EndKind.NO_WATCHERS

    await table.run(meanwhile)
    assert table.endings[0].kind is EndKind.FINISHED


async def test_a_source_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    link = Mock(run=AsyncMock())
    monkeypatch.setattr(resume, "_connect_to_read", AsyncMock(return_value=(link, HOST)))
    here = world(MemoryNet(), "10.0.0.1", "a")
    with trio.fail_after(frames.LINK_DEAD_SECONDS + 1), pytest.raises(NotFetched) as refused:
        await fetch_game(here, Signer(bytes([77]) * 32), TableAddress((HOST,), PORT))
    assert (refused.value.ending.kind, link.cut.called) == (EndKind.WRONG_LOG, True)


async def test_each_log_in_whose_place_another_is_fetched_is_kept_under_the_next_number() -> None:
    here = world(MemoryNet(), "10.0.0.1", "a")
    files, log = memory_disk(here).files, here.data / "game" / "log"
    for old in (b"first", b"second"):
        files[log] = old
        await _set_aside(here, log.parent)
    assert [files[log.with_name(f"log.torn-{n}")] for n in (1, 2)] == [b"first", b"second"]


HALF = WINDOW_BYTES // 2
GOAL, SHORT = frames.Admitted(2 * HALF, False), frames.Admitted(3, False)


def part(offset: int, size: int) -> LogPart:
    return LogPart(offset, bytes(size))


@pytest.mark.parametrize(
    ("heard", "size", "is_wrong", "is_over", "asked"),
    [
        ([GOAL, part(0, HALF - 1)], HALF - 1, False, False, []),
        ([GOAL, part(0, HALF - 1), part(HALF - 1, 1), part(HALF, 1)], HALF + 1, 0, 0, [HALF]),
        ([GOAL, part(0, HALF), part(HALF, HALF)], 2 * HALF, False, True, [HALF]),
        ([SHORT, frames.Ping(), frames.Watched(2), part(0, 3)], 3, False, True, []),
        ([SHORT, part(0, 3), part(3, 1)], 3, True, True, []),
        ([GOAL, part(0, 5), part(4, 5)], 5, True, True, []), ([part(0, 5)], 5, False, False, []),
        ([GOAL, GOAL], 0, True, True, []), ([frames.Admitted(0, False)], 0, True, True, []),
        ([frames.Admitted(MAX_LOG_BYTES, False)], 0, False, False, []),
        ([frames.Admitted(MAX_LOG_BYTES + 1, False)], 0, True, True, []),
        ([frames.Closed(0)], 0, True, True, []), ([frames.Stand()], 0, True, True, []),
    ],
)  # fmt: skip
def test_a_log_comes_in_order_and_more_is_asked_for_when_half_a_window_was_read(
    heard: list[frames.Frame], size: int, is_wrong: bool, is_over: bool, asked: list[int]
) -> None:
    link = Mock()
    reader = _Reader(link)
    for frame in heard:
        reader.receive_frame(frame)
    assert (len(reader.data), reader.is_wrong, reader.is_over) == (size, is_wrong, is_over)
    assert link.send.mock_calls == [call(frames.Watch(at, b"")) for at in asked]
    assert (link.note_taken.call_count, reader.heard.is_set()) == (len(heard), True)


@pytest.mark.parametrize(
    ("record", "more", "locked", "other_key", "refused"),
    [
        (-2, 0, 0, 0, None), (-2, 9, 0, 0, EndKind.WRONG_LOG), (0, 0, 0, 0, EndKind.WRONG_LOG),
        (-1, 0, 0, 0, EndKind.NO_GAME), (-2, 0, 0, 1, EndKind.NO_GAME),
        (-2, 0, 1, 0, EndKind.IN_USE),
    ],
)  # fmt: skip
def test_what_was_fetched_is_the_whole_game_of_this_player_that_goes_on_here(
    record: int,
    more: int,
    locked: int,
    other_key: int,
    refused: EndKind | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The log ends so many bytes behind one of its records; the first of them is its head."""
    here, folder, own = cut_to([HEAD_BYTES, *boundaries()][record] + more)
    signer, disk = Signer(bytes([77]) * 32) if other_key else own, memory_disk(here)
    data = disk.files.pop(folder / "log")
    before = {path: disk.files[path] for path in disk.files if path.parent == folder}
    disk.files[folder / "epoch"] = b"1"
    if locked:
        disk.lock(folder / "lock")
    monkeypatch.setattr(resume, "_fetch_log", AsyncMock(return_value=(data, "10.0.0.9")))
    table = TableAddress((HOST,), PORT, bytes(10))
    try:
        game = trio.run(fetch_game, here, signer, table)
    except NotFetched as fault:
        assert fault.ending.kind is refused
        assert (folder / "lock" in disk.locks) is bool(locked)
        return
    assert (refused, folder / "lock" in disk.locks) == (None, True)
    assert (game.folder, game.signer, game.log_bytes) == (folder, signer, len(data))
    assert (game.places.host_address, game.places.secret) == ("10.0.0.9", bytes(10))
    assert game.places.addresses == (("", 0),) * len(game.genesis.players)
    files = {path.name: disk.files[path] for path in disk.files if path.parent == folder}
    assert files == {"log": data, "seed": game.seed, "places": game.places.encode()}
    assert before[folder / "seed"] != game.seed
