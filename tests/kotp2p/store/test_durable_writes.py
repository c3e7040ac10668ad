"""What the disk of this machine has been told to keep: all of it, before anybody else hears of it.

A power failure takes what was written and not synced. So the calls of the system are watched here:
of each file, what it held when it was last synced, and of each folder, which names.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

import pytest
import trio

from kotp2p.seams.endings import EndKind
from kotp2p.shell.game_stage import GameStage
from kotp2p.store.machine_disk import MachineDisk
from kotp2p.wire.entries import BodyKind, Entry, Signed
from kotp2p.wire.frames import Frame
from tests.support.memory_tables import TestTable
from tests.support.memory_world import world
from tests.support.whole_games import Leaver

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


async def test_a_new_log_is_on_the_disk_with_its_name_and_those_of_its_folders(
    tmp_path: Path, synced: Synced
) -> None:
    path = tmp_path / "data" / "games" / "one" / "log"
    await (await MachineDisk(tmp_path / "data").create_log(path, b"head")).aclose()
    assert synced.content(path) == b"head"
    folders = [f for f in path.parents if tmp_path in f.parents]
    assert [f.name for f in (path, *folders) if not synced.has_name(f)] == []


async def test_what_is_appended_is_on_the_disk_when_the_call_returns(
    tmp_path: Path, synced: Synced
) -> None:
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


async def test_a_secret_is_on_the_disk_before_anything_is_signed_with_it(
    tmp_path: Path, synced: Synced
) -> None:
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
    """A sync may take a second, on a memory card or a disk that somebody else fills: links and
    clocks go on meanwhile."""
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
