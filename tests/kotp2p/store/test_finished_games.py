"""The secrets of a game go when it is over for a seat, and its lock is free."""

import os
from dataclasses import replace
from pathlib import Path, PurePath

import pytest

from kotp2p.seams.endings import EndKind
from kotp2p.seams.world import World
from kotp2p.store.game_files import MAX_STARTS_KEPT, sweep_secrets
from kotp2p.store.machine_disk import MachineDisk
from kotp2p.store.saved_game import SavedPlaces
from kotp2p.wire.encoding import BadBytes
from tests.support.disk_worlds import UnfinishedFiles, unfinished_files
from tests.support.memory_tables import TestTable
from tests.support.memory_world import memory_disk
from tests.support.whole_games import Slow


def game_files(world: World) -> set[str]:
    disk = memory_disk(world)
    return {path.name for path in disk.files if "games" in path.parts}


def game_locks(world: World) -> set[PurePath]:
    disk = memory_disk(world)
    return {path for path in disk.locks if "games" in path.parts}


@pytest.mark.virtual_time
async def test_a_finished_game_leaves_its_log_and_nothing_secret() -> None:
    table = TestTable(players=3, bots=1)
    await table.run()
    for n in (0, 1):
        assert table.endings[n].kind is EndKind.FINISHED
        assert game_files(table.world_of(n)) == {"log"}
        assert game_locks(table.world_of(n)) == set()


@pytest.mark.virtual_time
async def test_a_game_to_come_back_to_keeps_its_secrets_and_frees_its_lock() -> None:
    table = TestTable(players=2, bots=1)
    table.fronts[0] = Slow("slow")

    async def close() -> None:
        await table.asked(0, 2)
        table.front(0).control.keep()

    await table.run(close)
    kept = table.endings.pop(0)
    assert kept.kind is EndKind.KEPT
    assert game_files(table.world_of(0)) == {"log", "seed", "places"}
    assert game_locks(table.world_of(0)) == set()
    await table.resume(0)
    assert table.endings[0].kind is EndKind.FINISHED
    assert game_files(table.world_of(0)) == {"log"}
    assert game_locks(table.world_of(0)) == set()


@pytest.fixture
def unfinished() -> UnfinishedFiles:
    return unfinished_files()


def secrets_in(data: Path) -> list[Path]:
    return [path for path in data.rglob("*") if path.name in ("seed", "key")]


async def test_secrets_that_a_crash_has_left_are_swept_and_no_others(
    tmp_path: Path, unfinished: UnfinishedFiles
) -> None:
    world = unfinished.put_into(tmp_path)
    before = secrets_in(tmp_path)
    sweep_secrets(world)
    assert secrets_in(tmp_path) == before
    places = tmp_path / unfinished.folder / "places"
    places.unlink()
    other = MachineDisk()
    assert other.lock(places.with_name("lock"))  # a process that is just ending
    sweep_secrets(world)
    assert secrets_in(tmp_path) == before
    other.release(places.with_name("lock"))
    sweep_secrets(world)
    assert places.with_name("seed") not in secrets_in(tmp_path)
    assert places.with_name("log").exists()
    assert tmp_path / "profiles" / "default" / "key" in secrets_in(tmp_path)
    assert other.lock(places.with_name("lock"))
    other.release(places.with_name("lock"))


def test_the_seeds_of_the_last_starts_are_kept(tmp_path: Path, unfinished: UnfinishedFiles) -> None:
    world = unfinished.put_into(tmp_path)
    starting = tmp_path / "starting"
    starting.mkdir(exist_ok=True)
    for n in range(MAX_STARTS_KEPT + 3):
        path = starting / f"{n:032x}-{n:016x}"
        path.write_bytes(b"seed")
        os.utime(path, (n, n))
    (starting / "mine.txt").write_bytes(b"")
    os.utime(starting / "mine.txt", (0, 0))
    sweep_secrets(world)
    left = sorted(path.name[:32] for path in starting.iterdir())
    assert left == [*(f"{n:032x}" for n in range(3, MAX_STARTS_KEPT + 3)), "mine.txt"]


@pytest.mark.parametrize("name", ["/tmp/a.kotlog", "../a.kotlog", "..", ".", "a/", "logs/a.kotlog"])
def test_the_second_name_of_a_log_leads_into_no_other_folder(name: str) -> None:
    places = SavedPlaces("", 4242, "", (("", 4242), ("", 0)), name)
    with pytest.raises(BadBytes):
        SavedPlaces.decode(places.encode())
    there = replace(places, shared="a.kotlog")
    assert SavedPlaces.decode(there.encode()) == there
