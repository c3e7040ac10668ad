"""What a table leaves behind: what is told of it without replaying it; damage; an unsigned end."""

import os
import zlib
from dataclasses import replace
from pathlib import Path, PurePath

import pytest

from kotp2p.game.steps import Finished
from kotp2p.game.verify import Result
from kotp2p.seams.endings import EndKind
from kotp2p.seams.world import World
from kotp2p.store.game_files import (
    MAX_STARTS_KEPT,
    UnfinishedGame,
    glance,
    list_unfinished,
    sweep_secrets,
)
from kotp2p.store.machine_disk import MachineDisk
from kotp2p.store.saved_game import CannotResume, SavedPlaces, load_game
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.lineups import Leave
from kotp2p.wire.records import HEAD_BYTES, LOG_MAGIC, SALT_BYTES, pack_record, read_salt
from tests.support.disk_worlds import UnfinishedFiles, unfinished_files
from tests.support.log_bytes import boundaries, cut_to, played
from tests.support.memory_tables import TestTable
from tests.support.memory_world import MemoryDisk, memory_disk
from tests.support.whole_games import Slow

pytestmark = pytest.mark.virtual_time


def test_damage_in_the_middle_is_refused_and_left_alone() -> None:
    _, _, files = played()
    for place in (HEAD_BYTES + 3, HEAD_BYTES + 20, list(boundaries())[5] - 1):
        world, folder, signer = cut_to(10**9)
        disk = memory_disk(world)
        data = bytearray(files[folder / "log"])
        data[place] ^= 1
        disk.files[folder / "log"] = bytes(data)
        with pytest.raises(CannotResume):
            load_game(world, folder, signer)
        with pytest.raises(CannotResume):
            glance(world, folder)
        assert disk.files[folder / "log"] == bytes(data)


def test_a_game_of_an_older_version_is_refused_by_name_of_the_versions() -> None:
    """Its head alone tells, so nothing behind the head is read as this version's form."""
    world, folder, signer = cut_to(10**9)
    disk = memory_disk(world)
    data = disk.files[folder / "log"]
    head = LOG_MAGIC + bytes.fromhex("000000010000000400000001") + data[20 : HEAD_BYTES - 4]
    older = head + zlib.crc32(head).to_bytes(4, "big") + data[HEAD_BYTES:]
    disk.files[folder / "log"] = older
    words = "another version of kotp2p: log format 1, protocol 4, rules 1; this program reads"
    for look in (lambda: load_game(world, folder, signer), lambda: glance(world, folder)):
        with pytest.raises(CannotResume, match=words):
            look()
    assert disk.files[folder / "log"] == older


def test_a_glance_tells_the_turn_that_a_replay_would_tell() -> None:
    ends = list(boundaries())
    seen = set()
    for end in ends[3 :: max(1, len(ends) // 25)]:
        world, folder, signer = cut_to(end)
        found, saved = glance(world, folder), load_game(world, folder, signer)
        if saved is None or isinstance(saved.ledger.step, Finished):
            continue
        assert isinstance(found, UnfinishedGame)
        turn = saved.ledger.game.state.turn
        assert found.turn in (turn, turn - 1) or turn == 0  # the first roll of a turn tells of it
        assert found.genesis.id == saved.genesis.id
        assert found.day == "2026-11-21"
        seen.add(found.turn)
    assert len(seen) > 5


@pytest.fixture
def world_without_end() -> World:
    """Killed between the last move and the record of the end. This fixture is no coroutine, as the
    game is played by a `trio.run` of its own, unless another test has played it."""
    return cut_to(list(boundaries())[-2])[0]


async def test_a_game_whose_end_nobody_has_signed_is_signed_after_all(
    world_without_end: World,
) -> None:
    table = TestTable(players=2)
    table.worlds[0] = world_without_end
    await table.resume(0)
    assert table.endings[0].kind is EndKind.FINISHED
    assert table.report(0).result is Result.SOUND


# -- all games of a profile ------------------------------------------------------------------------


def broken_off() -> tuple[World, MemoryDisk, PurePath, Signer]:
    world, folder, signer = cut_to(list(boundaries())[-2])
    return world, memory_disk(world), folder, signer


def test_a_seat_whose_files_are_wrong_hides_no_other_seat_of_its_game() -> None:
    world, disk, folder, signer = broken_off()
    wrong = folder.with_name("f" * 64)
    disk.files[wrong / "places"] = disk.files[wrong / "log"] = b"\xff" * 100
    own = bytes.fromhex(wrong.name)
    assert [type(one) for one in list_unfinished(world, own)] == [CannotResume], "one is another's"
    disk.files[folder / "key"] = signer.secret()
    found = list(list_unfinished(world, own))
    assert [type(one) for one in found] == [CannotResume, UnfinishedGame]


def test_a_person_whose_log_says_nothing_is_told_of() -> None:
    world, disk, folder, _ = broken_off()
    disk.files[folder / "log"] = disk.files[folder / "log"][:HEAD_BYTES]
    (found,) = list_unfinished(world)
    assert isinstance(found, CannotResume) and str(folder) in str(found)


def test_a_game_goes_on_without_its_places_and_not_without_its_seed_as_well() -> None:
    world, disk, folder, _ = broken_off()
    for lost, goes_on in (("places", True), ("seed", False)):
        del disk.files[folder / lost]
        assert (glance(world, folder) is not None) is goes_on


def test_a_seed_without_a_game_is_none_to_go_on_with() -> None:
    world, disk, folder, _ = broken_off()
    del disk.files[folder / "places"], disk.files[folder / "log"]
    assert glance(world, folder) is None


@pytest.mark.parametrize("is_own", [False, True])
def test_a_game_that_this_seat_has_left_is_none_to_go_on_with(is_own: bool) -> None:
    world, disk, folder, signer = broken_off()
    found = glance(world, folder)
    assert isinstance(found, UnfinishedGame)
    seat = found.seat if is_own else 1 - found.seat
    leave = Leave.sign(signer, found.genesis.id, seat, 0, 0).signed
    records = len(list(boundaries()))  # less one that is cut, and one before the genesis
    disk.files[folder / "log"] += pack_record(found.genesis.id[:SALT_BYTES], records, leave)
    assert (glance(world, folder) is None) is is_own


def test_a_game_is_also_known_by_where_its_links_came_from() -> None:
    world, _, folder, _ = broken_off()
    found = glance(world, folder)
    assert isinstance(found, UnfinishedGame)
    places = replace(
        found.places, host_address="192.0.2.1", addresses=(("", 7001), ("192.0.2.2", 7002)),
        seen=((1 - found.seat, "192.0.2.3"),),
    )  # fmt: skip
    other = 7002 - found.seat
    assert replace(found, places=places).targets() == {
        ("192.0.2.1", 7001),
        ("192.0.2.2", 7002),
        ("192.0.2.3", other),
    }


# -- games that are over ------------------------------------------------------------------


def game_files(world: World) -> set[str]:
    return {path.name for path in memory_disk(world).files if "games" in path.parts}


def game_locks(world: World) -> set[PurePath]:
    return {path for path in memory_disk(world).locks if "games" in path.parts}


async def test_a_finished_game_leaves_its_log_and_nothing_secret() -> None:
    table = TestTable(players=3, bots=1)
    await table.run()
    for n in (0, 1):
        assert table.endings[n].kind is EndKind.FINISHED
        assert game_files(table.world_of(n)) == {"log"}
        assert game_locks(table.world_of(n)) == set()


async def test_a_game_to_come_back_to_keeps_its_secrets_and_frees_its_lock() -> None:
    table = TestTable(players=2, bots=1)
    table.fronts[0] = Slow("slow")
    await table.run(table.keep_seat)
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
    sweep_secrets(world)
    assert secrets_in(tmp_path) == before  # the game can go on
    saved = load_game(world, world.data / unfinished.folder, unfinished.signer)
    assert saved is not None
    leave = Leave.sign(unfinished.signer, saved.genesis.id, saved.seat, 0, 0).signed
    with places.with_name("log").open("r+b") as log:
        salt = read_salt(log.read())
        log.write(pack_record(salt, saved.log_records, leave))
    assert glance(world, world.data / unfinished.folder) is None
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
