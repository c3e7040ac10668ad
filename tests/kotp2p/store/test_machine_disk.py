"""The files of this machine: who may read them, what is locked, and what a copy may touch."""

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio

from kotp2p.cli.commands.settings import set_setting
from kotp2p.seams.world import FileTrouble, World
from kotp2p.store import files, saved_game
from kotp2p.store.files import GAMES_FOLDER, make_folder
from kotp2p.store.game_files import PlacesFile, glance
from kotp2p.store.log_writer import LogWriter
from kotp2p.store.machine_disk import MachineDisk
from kotp2p.wire.addresses import AddressBook
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.records import BLOCK_BYTES, HEAD_BYTES, SALT_BYTES, pack_head, pack_record
from tests.support import five_players
from tests.support.courses import digest_of
from tests.support.disk_worlds import UnfinishedFiles, unfinished_files
from tests.support.log_bytes import boundaries, cut_to, long_log, offsets
from tests.support.memory_world import MemoryNet, memory_disk
from tests.support.memory_world import world as memory_world


@pytest.fixture(params=[0o000, 0o022, 0o077, 0o277, 0o777], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@pytest.fixture
def unfinished() -> UnfinishedFiles:
    return unfinished_files()


def modes_below(root: Path) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {"folders": set(), "files": set()}
    for path in root.rglob("*"):
        kind = "folders" if path.is_dir() else "files"
        found[kind].add(stat.S_IMODE(path.stat().st_mode))
    return found


async def write_one_of_each(disk: MachineDisk, data: Path) -> None:
    folder = data / "games" / ("a" * 64) / ("b" * 64)
    assert disk.lock(folder / "lock")
    await disk.write_secret(folder / "seed", b"seed")
    await disk.replace(folder / "places", b"places")
    await (await disk.create_log(folder / "log", b"log")).aclose()
    await disk.share(folder / "log", data / "logs" / "deep", "name", ".kotlog")
    await (await disk.reopen_log(folder / "log", 2)).aclose()
    assert disk.lock(data / "profiles" / "default" / "lock")
    disk.release(folder / "lock")
    disk.release(data / "profiles" / "default" / "lock")


async def test_nobody_else_may_enter_or_read_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    await write_one_of_each(MachineDisk(tmp_path / "data"), tmp_path / "data")
    assert modes_below(tmp_path) == {"folders": {0o700}, "files": {0o600}}
    assert (tmp_path / "data" / "games" / ("a" * 64) / ("b" * 64) / "log.torn-1").exists()


def test_the_settings_are_their_owners_whatever_the_umask(
    tmp_path: Path, umask: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KOTP2P_CONFIG", str(tmp_path / "one" / "two" / "config.toml"))
    assert set_setting("speed", "slow") == 0
    assert modes_below(tmp_path) == {"folders": {0o700}, "files": {0o600}}


async def test_a_copy_on_another_file_system_is_for_its_owner_only(
    tmp_path: Path, umask: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_paths: object) -> None:
        raise OSError("no links here")

    monkeypatch.setattr(os, "link", no_links)
    await write_one_of_each(MachineDisk(), tmp_path / "data")
    assert modes_below(tmp_path) == {"folders": {0o700}, "files": {0o600}}


async def test_folders_that_an_earlier_version_left_open_are_closed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "profiles" / "default").mkdir(parents=True)
    for path in (tmp_path, data, data / "profiles", data / "profiles" / "default"):
        path.chmod(0o777)
    await MachineDisk(data).write_secret(data / "profiles" / "default" / "key", b"key")
    assert modes_below(data) == {"folders": {0o700}, "files": {0o600}}
    # What a person has chosen, and what is not ours, stays as it is.
    assert stat.S_IMODE(data.stat().st_mode) == stat.S_IMODE(tmp_path.stat().st_mode) == 0o777


def test_a_folder_outside_the_data_keeps_its_mode(tmp_path: Path) -> None:
    chosen = tmp_path / "shared"
    chosen.mkdir()
    chosen.chmod(0o755)
    make_folder(chosen / "logs", tmp_path / "data")
    assert stat.S_IMODE(chosen.stat().st_mode) == 0o755
    assert stat.S_IMODE((chosen / "logs").stat().st_mode) == 0o700


def test_a_released_lock_is_free_for_others_and_leaves_no_descriptor(tmp_path: Path) -> None:
    one, other = MachineDisk(), MachineDisk()
    before = len(os.listdir("/dev/fd"))
    for n in range(40):
        assert one.lock(tmp_path / str(n) / "lock")
        assert one.lock(tmp_path / str(n) / "lock")  # it has it already
        assert not other.lock(tmp_path / str(n) / "lock")
        one.release(tmp_path / str(n) / "lock")
        one.release(tmp_path / str(n) / "lock")  # nothing more to give back
        assert one.read(tmp_path / str(n) / "lock") == b""
        assert other.lock(tmp_path / str(n) / "lock")
        other.release(tmp_path / str(n) / "lock")
    assert len(os.listdir("/dev/fd")) == before


def test_a_link_that_leads_nowhere_hides_no_entry(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert {path.name for path in MachineDisk().newest(tmp_path)} == {"a", "dangling", "loop"}
    with pytest.raises(FileTrouble):
        MachineDisk().read(tmp_path / "loop")


@pytest.mark.parametrize(
    ("path", "named"),
    [("file/a/b", "file"), ("loop/a/b", "loop"), (f"{'x' * 300}/a", "x" * 300), ("no/a", "no/a")],
)
def test_trouble_names_what_is_in_the_way(tmp_path: Path, path: str, named: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(OSError) as fault:
        os.stat(tmp_path / path)
    assert files.fault_at(tmp_path / path, fault.value).path == tmp_path / named


async def test_a_recorded_evening_of_a_disk_goes_as_it_went(tmp_path: Path) -> None:
    """Files of two folders are written, torn, shared, locked and removed by two processes."""
    chance, seen, logs = Random(1), list[object](), tmp_path / "logs"
    disk, other = MachineDisk(tmp_path), MachineDisk(tmp_path)
    for n in range(300):
        path, data = tmp_path / chance.choice("ab") / chance.choice(("log", "seed")), b"%d," % n
        lock, who = path.with_name("lock"), chance.choice((disk, other))
        try:
            match chance.randrange(9):
                case 0:
                    await disk.write_secret(path, data)
                case 1:
                    await disk.replace(path, data)
                case 2:
                    await (await disk.create_log(path, data)).aclose()
                case 3:
                    log = await disk.reopen_log(path, chance.randrange(4))
                    log.write(data)
                    await log.append(data)
                    await log.aclose()
                case 4:
                    seen.append((await disk.share(path, logs, "name", ".kotlog")).name)
                case 5:
                    seen.append(await disk.refresh(path, logs / f"name-{n % 4}.kotlog"))
                case 6:
                    seen.append(who.lock(lock))
                case 7:
                    who.release(lock)
                case 8:
                    disk.remove(path)
        except FileTrouble as trouble:
            assert trouble.fault is not None
            seen.append((trouble.fault.path.name, trouble.fault.error))
        there = sorted(path for path in tmp_path.rglob("*") if path.is_file())
        seen += [(p.name, p.read_bytes(), p.stat().st_nlink) for p in there]
        seen += [files.is_locked(lock), disk.read(path)]
    assert digest_of(seen) == "9f0a0b0da7e0afca"


# -- a copy of the whole data -----------------------------------------------------------------


def everything(data: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(data)): path.read_bytes()
        for path in sorted(data.rglob("*"))
        if path.is_file() and path.name != "lock"
    }


def load(world: World, unfinished: UnfinishedFiles) -> saved_game.SavedGame:
    saved = saved_game.load_game(world, world.data / unfinished.folder, unfinished.signer)
    assert saved is not None
    return saved


async def write_on(world: World, unfinished: UnfinishedFiles, data: bytes = b"") -> None:
    """What a process that comes back does to the log, without the playing."""
    book = await LogWriter.reopen(world, load(world, unfinished))
    places = PlacesFile(world.disk, book.path.with_name("places"), load(world, unfinished).places)
    places.name_log(book.shared)
    await places.save(AddressBook(book.genesis.id, book.genesis.players))
    assert book._file is not None
    if data:
        await book._file.append(data)
    assert await book.close_log() is not None


def copy_files(original: Path, copy: Path) -> None:
    shutil.copytree(original, copy)


def copy_links(original: Path, copy: Path) -> None:
    """As `cp -al` does, and tools for backups: both folders share each file."""
    shutil.copytree(original, copy, copy_function=os.link)


@pytest.mark.parametrize("copy", [copy_files, copy_links])
async def test_a_copied_folder_never_writes_into_the_original(
    tmp_path: Path, unfinished: UnfinishedFiles, copy: Callable[[Path, Path], None]
) -> None:
    original, copied = tmp_path / "original", tmp_path / "copied"
    await write_on(unfinished.put_into(original), unfinished)
    assert len(list(original.glob("logs/*.kotlog"))) == 1
    copy(original, copied)
    before = everything(original)
    await write_on(unfinished.world_at(copied), unfinished, b"more")
    assert everything(original) == before
    own, shared = copied / unfinished.folder / "log", next(copied.glob("logs/*.kotlog"))
    assert shared.read_bytes() == own.read_bytes()
    assert own.read_bytes().endswith(b"more")
    assert len(list(copied.glob("logs/*"))) == 1


def test_no_file_of_a_game_says_where_data_is(tmp_path: Path, unfinished: UnfinishedFiles) -> None:
    trio.run(write_on, unfinished.put_into(tmp_path), unfinished)
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or str(tmp_path).encode() not in path.read_bytes(), path


async def test_a_log_whose_second_name_was_moved_away_gets_one_anew(
    tmp_path: Path, unfinished: UnfinishedFiles
) -> None:
    world = unfinished.put_into(tmp_path)
    await write_on(world, unfinished)
    (shared,) = tmp_path.glob("logs/*.kotlog")
    shared.rename(tmp_path / "mine.kotlog")
    await write_on(world, unfinished)
    assert len(list(tmp_path.glob("logs/*.kotlog"))) == 1


async def test_a_log_that_is_gone_is_not_named(tmp_path: Path, unfinished: UnfinishedFiles) -> None:
    world = unfinished.put_into(tmp_path)
    book = await LogWriter.reopen(world, load(world, unfinished))
    shutil.rmtree(tmp_path / GAMES_FOLDER)
    assert book.shared is not None
    assert await book.close_log() == book.shared  # the second name still leads to it
    shutil.rmtree(tmp_path / "logs")
    without = LogWriter(world, book.path, book.genesis, book.shared)
    assert await without.close_log() is None


# -- blocks that a crash has lost ---------------------------------------------------------


LOG = long_log()
STARTS = offsets(LOG)
"""Where each record starts, and the end."""


def without(start: int, end: int) -> bytes:
    return LOG[:start] + bytes(end - start) + LOG[end:]


def record_at(offset: int) -> int:
    """Where the record begins in which a byte lies."""
    return max(start for start in STARTS if start <= offset)


def test_a_log_that_is_whole_or_torn_is_left_as_it_is() -> None:
    for size in (len(LOG), STARTS[-2], STARTS[-2] + 9, len(LOG) - 1):
        assert saved_game.cut_lost_blocks(LOG[:size]) == LOG[:size]


@pytest.mark.parametrize("blocks", [1, 8])
def test_a_log_is_cut_before_the_record_of_which_a_block_is_lost(blocks: int) -> None:
    size = blocks * BLOCK_BYTES
    found = 0
    for start in range(size, len(LOG) - size, size):
        cut = saved_game.cut_lost_blocks(without(start, start + size))
        assert cut == LOG[: record_at(start)]
        found += 1
    assert found > 3


def test_of_a_block_that_was_synced_in_part_only_the_rest_is_lost() -> None:
    """The rest begins with a record, and has more than the first zeros of a length."""
    for start in STARTS[1:-1]:
        end = start - start % BLOCK_BYTES + BLOCK_BYTES
        if end < len(LOG) and end - start >= 4:
            assert saved_game.cut_lost_blocks(without(start, end)) == LOG[:start]


@pytest.mark.parametrize(("left", "is_cut"), [(1, False), (2, False), (4, True)])
def test_the_first_zeros_of_a_length_are_no_lost_block(left: int, is_cut: bool) -> None:
    """The second record begins so many bytes before the end of a block, which are zeros."""
    salt = LOG[20 : 20 + SALT_BYTES]
    around = HEAD_BYTES + len(pack_record(salt, 0, Signed(BodyKind.PLAY, bytes(300), b"")))
    filler = bytes(300 + BLOCK_BYTES - left - around)
    log = pack_head(salt) + pack_record(salt, 0, Signed(BodyKind.PLAY, filler, b""))
    assert len(log) == BLOCK_BYTES - left
    damaged = bytearray(pack_record(salt, 1, Signed(BodyKind.PLAY, b"x" * 600, b"")))
    damaged[:left], damaged[-1] = bytes(left), damaged[-1] ^ 1
    whole = log + damaged
    assert saved_game.cut_lost_blocks(whole) == (log if is_cut else whole)


def test_a_game_goes_on_from_before_a_lost_block() -> None:
    genesis, *ends = boundaries()
    start = genesis - genesis % BLOCK_BYTES + BLOCK_BYTES
    good = max(end for end in (genesis, *ends) if end <= start)
    world, folder, signer = cut_to(ends[-2])
    files, log = memory_disk(world).files, folder / "log"
    files[log] = files[log][:start] + bytes(BLOCK_BYTES) + files[log][start + BLOCK_BYTES :]
    saved = saved_game.load_game(world, folder, signer)
    assert saved is not None and saved.log_bytes == good
    assert glance(world, folder) is not None


async def test_places_that_are_written_while_the_game_ends_are_removed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here, genesis = memory_world(MemoryNet(), "10.0.0.1", "a"), five_players.genesis()
    path, replace = here.data / "places", here.disk.replace
    places = PlacesFile(here.disk, path, saved_game.SavedPlaces("", 4242, "", (), ""))

    async def write_late(*file: Any) -> None:
        places.close(keep=False)
        await replace(*file)

    monkeypatch.setattr(here.disk, "replace", write_late)
    await places.save(AddressBook(genesis.id, genesis.players))
    assert here.disk.read(path) is None
