"""Files of unknown origin are read whole, or not at all."""

import errno
import io
import os
import signal
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import TypeVar

import pytest
import trio

from kotp2p.cli.system.process import ending_signals
from kotp2p.seams.endings import EndKind
from kotp2p.seams.world import FileTrouble
from kotp2p.shell.game_stage import GameStage
from kotp2p.store import files
from kotp2p.store.machine_disk import MachineDisk
from kotp2p.wire.entries import BodyKind, Entry, Signed
from kotp2p.wire.frames import Frame
from tests.support.memory_tables import TestTable
from tests.support.memory_world import world
from tests.support.whole_games import Leaver

MOST = 1000


def test_a_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(bytes(MOST))
    assert files.read_whole_file(file, MOST) == bytes(MOST)


@pytest.mark.parametrize("size", [MOST + 1, 10 * MOST])
def test_nothing_of_a_longer_file_is_read(tmp_path: Path, size: int) -> None:
    file = tmp_path / "file"
    file.write_bytes(bytes(size))
    with pytest.raises(OSError, match="longer") as refused:
        files.read_whole_file(file, MOST)
    assert refused.value.errno == errno.EFBIG


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes in folders")
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_a_pipe_or_folder_is_refused_at_once(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "thing")
    with pytest.raises(OSError, match="not a file"):
        files.read_whole_file(tmp_path / "thing", MOST)


# -- whole files --------------------------------------------------------------------------


def no_links(*_paths: object) -> None:
    raise OSError(errno.EPERM, "no links here")


def fail_on_full_disk(_descriptor: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(("is_private", "mode"), [(True, 0o600), (False, 0o644)])
def test_only_a_private_file_is_its_owners(tmp_path: Path, is_private: bool, mode: int) -> None:
    before = os.umask(0o022)
    files.write_whole(tmp_path / "file", [b"new"], is_private=is_private)
    os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == mode


@pytest.mark.parametrize("is_new", [False, True])
@pytest.mark.parametrize("has_links", [False, True])
def test_a_full_disk_leaves_what_was_there(
    tmp_path: Path, is_new: bool, has_links: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"old")
    if not has_links:
        monkeypatch.setattr(os, "link", no_links)
    monkeypatch.setattr(os, "fsync", fail_on_full_disk)
    for name in ("new",) if is_new else ("new", "file"):
        with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
            files.write_whole(tmp_path / name, [b"new"], is_new=is_new)
    assert (tmp_path / "file").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]


async def test_a_full_disk_gets_no_new_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", fail_on_full_disk)
    with pytest.raises(FileTrouble):
        await MachineDisk().create_log(tmp_path / "log", b"head")
    assert os.listdir(tmp_path) == []


def test_an_error_of_the_content_leaves_nothing(tmp_path: Path) -> None:
    def parts() -> Iterator[bytes]:
        yield b"ne"
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError):
        files.write_whole(tmp_path / "file", parts())
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("has_links", [False, True])
def test_a_new_file_takes_the_place_of_none(
    tmp_path: Path, has_links: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_links:
        monkeypatch.setattr(os, "link", no_links)
    files.write_whole(tmp_path / "file", [b"first"], is_new=True)
    with pytest.raises(FileExistsError):
        files.write_whole(tmp_path / "file", [b"second"], is_new=True)
    assert (tmp_path / "file").read_bytes() == b"first"
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileExistsError):
        files.write_whole(tmp_path / "dangling", [b"second"], is_new=True)
    assert sorted(os.listdir(tmp_path)) == ["dangling", "file"]


def test_a_link_in_the_place_of_the_file_leads_nowhere_else(tmp_path: Path) -> None:
    (tmp_path / "precious").write_bytes(b"precious")
    (tmp_path / "file").symlink_to(tmp_path / "precious")
    files.write_whole(tmp_path / "file", [b"new"])
    assert (tmp_path / "precious").read_bytes() == b"precious"
    assert (tmp_path / "file").read_bytes() == b"new"


def test_a_link_planted_under_the_unfinished_name_is_not_written_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can guess the name; if somebody did, it would be refused."""
    (tmp_path / "precious").write_bytes(b"precious")
    planted = files.unfinished_name(tmp_path / "file")
    planted.symlink_to(tmp_path / "precious")
    monkeypatch.setattr("kotp2p.store.files.unfinished_name", lambda _path: planted)
    with pytest.raises(FileExistsError):
        files.write_whole(tmp_path / "file", [b"new"])
    assert (tmp_path / "precious").read_bytes() == b"precious"


@pytest.mark.parametrize(
    ("seconds", "is_kept"),
    [(files.LEFTOVER_SECONDS - 60, True), (files.LEFTOVER_SECONDS + 60, False)],
)
async def test_what_a_dead_process_has_left_is_removed_with_the_next_write(
    tmp_path: Path, seconds: float, is_kept: bool
) -> None:
    left, other = files.unfinished_name(tmp_path / "key"), tmp_path / "key.old"
    for path in (left, other):
        path.write_bytes(b"secret")
        now = path.stat().st_mtime
        os.utime(path, (now - seconds, now - seconds))
    await MachineDisk().replace(tmp_path / "known", b"")
    assert left.exists() == is_kept
    assert other.exists()


def test_unfinished_names_are_told_from_all_others(tmp_path: Path) -> None:
    assert files.UNFINISHED.fullmatch(files.unfinished_name(tmp_path / "x").name)
    for name in ("key.new", ".kotp2p-0123456789abcdef.new2", "kotp2p-0123456789abcdef.new"):
        assert not files.UNFINISHED.fullmatch(name)


# -- durable writes -----------------------------------------------------------------------


T = TypeVar("T")


@dataclass
class Synced:
    """By device and number of each file and folder: its bytes, or its names, when it was synced."""

    files: dict[tuple[int, int], bytes] = field(default_factory=dict)
    folders: dict[tuple[int, int], set[str]] = field(default_factory=dict)

    def sync(self, descriptor: int) -> None:
        status = os.fstat(descriptor)
        path = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
        place = status.st_dev, status.st_ino
        if path.is_dir():
            self.folders[place] = {*os.listdir(path)}
        else:
            self.files[place] = path.read_bytes()

    def content(self, path: Path) -> bytes | None:
        status = path.stat()
        return self.files.get((status.st_dev, status.st_ino))

    def has_name(self, path: Path) -> bool:
        status = path.parent.stat()
        return path.name in self.folders.get((status.st_dev, status.st_ino), ())


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> Synced:
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("only where the path of a descriptor can be read")
    found, fsync = Synced(), os.fsync

    def watched(descriptor: int) -> None:
        fsync(descriptor)
        found.sync(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    return found


def test_on_a_mac_also_the_cache_of_the_disk_is_emptied(monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl, asked = pytest.importorskip("fcntl"), list[tuple[int, int]]()
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", lambda *request: asked.append(request))
    files.sync(7)
    assert asked == [(7, 51)]


async def test_a_new_log_is_on_the_disk_with_all_its_names(tmp_path: Path, synced: Synced) -> None:
    path = tmp_path / "data" / "games" / "one" / "log"
    await (await MachineDisk(tmp_path / "data").create_log(path, b"head")).aclose()
    assert synced.content(path) == b"head"
    folders = [f for f in path.parents if tmp_path in f.parents]
    assert [f.name for f in (path, *folders) if not synced.has_name(f)] == []


async def test_what_is_appended_is_on_the_disk_at_once(tmp_path: Path, synced: Synced) -> None:
    log = await MachineDisk().create_log(tmp_path / "log", b"head")
    for written in (b"head, one", b"head, one, two"):
        await log.append(written[-5:])
        assert synced.content(tmp_path / "log") == written
    await log.aclose()


async def test_what_was_cut_off_a_log_does_not_come_back(tmp_path: Path, synced: Synced) -> None:
    (tmp_path / "log").write_bytes(b"head, torn")
    log = await MachineDisk().reopen_log(tmp_path / "log", 4)
    assert synced.content(tmp_path / "log") == b"head"
    assert synced.content(tmp_path / "log.torn-1") == b", torn"
    await log.aclose()


async def test_a_file_has_its_new_content_before_it_takes_the_place_of_the_old_one(
    tmp_path: Path, synced: Synced, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, rename = tmp_path / "places", os.replace

    def renamed(new: Path, old: Path) -> None:
        assert synced.content(new) == b"new"
        synced.folders.clear()
        rename(new, old)

    path.write_bytes(b"old")
    monkeypatch.setattr(os, "replace", renamed)
    await MachineDisk().replace(path, b"new")
    assert synced.content(path) == b"new"
    assert synced.has_name(path)


async def test_a_secret_is_on_the_disk_before_it_signs(tmp_path: Path, synced: Synced) -> None:
    path = tmp_path / "games" / "seed"
    await MachineDisk().write_secret(path, b"seed")
    assert synced.content(path) == b"seed"
    assert synced.has_name(path)


# -- a game --------------------------------------------------------------------------------


async def write_at_once(write: Callable[[], T]) -> T:
    """In place of a thread, beside which the virtual clock would run on."""
    await trio.lowlevel.checkpoint()
    return write()


def table_on_disk(folder: Path) -> TestTable:
    """Two players on disks of this machine; one of them leaves."""
    table = TestTable(players=2)
    for n in range(table.players):
        data = folder / str(n)
        table.worlds[n] = replace(
            world(table.net, f"10.0.0.{n + 1}", f"durable {n}"),
            disk=MachineDisk(data),
            data=data,
            logs=data / "logs",
        )
    table.fronts[1] = Leaver("leaver", 4)
    return table


async def test_the_loop_waits_for_no_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sync may take a second, as on a memory card: links and clocks go on meanwhile."""
    fsync, syncs_in_the_loop = os.fsync, list[bool]()

    def noted(descriptor: int) -> None:
        syncs_in_the_loop.append(trio.lowlevel.in_trio_run())
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    await table_on_disk(tmp_path).run()
    assert len(syncs_in_the_loop) > 10
    assert not any(syncs_in_the_loop)


@pytest.mark.virtual_time
async def test_nothing_is_sent_that_a_power_failure_could_take_from_its_author(
    tmp_path: Path, synced: Synced, monkeypatch: pytest.MonkeyPatch
) -> None:
    send, checked = GameStage._send_frame, list[BodyKind]()

    def sends(stage: GameStage, seat: int, frame: Frame) -> None:
        if isinstance(frame, Signed) and is_own_record(stage, frame):
            assert frame.body in (synced.content(Path(stage.files.log.path)) or b"")
            checked.append(frame.kind)
        send(stage, seat, frame)

    monkeypatch.setattr(GameStage, "_send_frame", sends)
    monkeypatch.setattr(trio.to_thread, "run_sync", write_at_once)
    table = table_on_disk(tmp_path)
    await table.run()
    assert {ending.kind for ending in table.endings.values()} == {EndKind.FINISHED, EndKind.LEFT}
    assert {*checked} >= {BodyKind.PLAY, BodyKind.LEAVE}


def is_own_record(stage: GameStage, frame: Signed) -> bool:
    """Whether this keeper has signed it, and a log holds bodies of its kind."""
    key = stage.peer.genesis.players[stage.peer.seat].key
    if frame.kind is BodyKind.PLAY:
        return Entry.parse(frame).seat == stage.peer.seat
    return frame.kind in (BodyKind.SHARE, BodyKind.LEAVE) and frame.is_by(key)


# -- other systems ------------------------------------------------------------------------


BINARY = 1 << 30
"""No flag of this system."""


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, int]]:
    """The flags with which each file was opened last, by name. Folders are left out."""
    found: dict[str, int] = {}
    real = os.open

    def watched(path: object, flags: int, mode: int = 0o777) -> int:
        if not os.path.isdir(str(path)):
            found[os.path.basename(str(path))] = flags
        return real(str(path), flags & ~BINARY, mode)

    monkeypatch.setattr(os, "O_BINARY", BINARY, raising=False)
    with monkeypatch.context() as patched:
        patched.setattr(os, "open", watched)
        yield found


async def test_every_file_is_one_of_bytes(tmp_path: Path, opened: dict[str, int]) -> None:
    disk = MachineDisk()
    await disk.write_secret(tmp_path / "seed", b"\n")
    await disk.replace(tmp_path / "places", b"\n")
    await (await disk.create_log(tmp_path / "new log", b"head\n")).aclose()
    os.rename(tmp_path / "new log", tmp_path / "log")
    log = await disk.reopen_log(tmp_path / "log", 3)
    await log.append(b"\n")
    await log.aclose()
    assert disk.lock(tmp_path / "lock")
    disk.release(tmp_path / "lock")
    assert disk.lock(tmp_path / "lock")  # that is there already
    disk.release(tmp_path / "lock")
    assert disk.read(tmp_path / "seed") == b"\n"
    assert files.is_locked(tmp_path / "lock") is False
    assert {"new log", "log", "log.torn-1", "lock"} <= set(opened)
    assert sum(files.UNFINISHED.fullmatch(name) is not None for name in opened) == 2
    assert [name for name in opened if not opened[name] & BINARY] == []


async def test_without_hard_links_a_copy_is_one_of_bytes_too(
    tmp_path: Path, opened: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_paths: object) -> None:
        raise OSError(1, "Incorrect function")

    monkeypatch.setattr(os, "link", no_links)
    (tmp_path / "log").write_bytes(b"\n\r\n")
    disk = MachineDisk()
    shared = await disk.share(tmp_path / "log", tmp_path / "logs", "name", ".kotlog")
    assert Path(shared).read_bytes() == b"\n\r\n"
    (tmp_path / "log").write_bytes(b"more\n")
    assert await disk.refresh(tmp_path / "log", shared)
    assert Path(shared).read_bytes() == b"more\n"
    assert [name for name in opened if not opened[name] & BINARY] == []


def test_a_lock_of_this_system_is_seen_by_others(tmp_path: Path) -> None:
    disk, path = MachineDisk(), tmp_path / "lock"
    assert not files.is_locked(path)  # there is none
    assert disk.lock(path)
    assert files.is_locked(path)
    disk.release(path)
    assert not files.is_locked(path)


def test_the_signals_of_a_system_are_those_that_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ending_signals() == [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
    for name in ("SIGTERM", "SIGHUP"):
        monkeypatch.delattr(signal, name)
    monkeypatch.setattr(signal, "SIGBREAK", 21, raising=False)
    assert ending_signals() == [signal.SIGINT, 21]


def test_a_console_of_windows_is_asked_for_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    os.write(write, "é".encode("cp850"))
    raw = io.BytesIO("é\n".encode())
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=SimpleNamespace(raw=raw)))
    monkeypatch.setattr(os, "read", lambda _descriptor, most: b"\x82"[:most])
    assert files.read_stdin(0, 100) == b"\x82"
    monkeypatch.setattr(sys, "platform", "win32")
    assert files.read_stdin(0, 100) == "é\n".encode()
    assert files.read_stdin(0, 100) == b""
    assert files.read_stdin(5, 100) == b"\x82"  # no console is asked for another file
    monkeypatch.setattr(sys, "stdin", None)
    assert files.read_stdin(0, 100) == b"\x82"
    os.close(read)
    os.close(write)
