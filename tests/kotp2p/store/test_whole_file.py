"""Files as a whole or not at all: after a full disk, beside other writers, on planted links."""

import errno
import os
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kotp2p.seams.world import FileTrouble
from kotp2p.store.files import LEFTOVER_SECONDS, UNFINISHED, unfinished_name, write_whole
from kotp2p.store.machine_disk import MachineDisk

WRITERS = 24


def no_links(*_paths: object) -> None:
    raise OSError(errno.EPERM, "no links here")


def fail_on_full_disk(_descriptor: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    write_whole(tmp_path / "file", [b"ne", b"w"])
    assert (tmp_path / "file").read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize(("is_private", "mode"), [(True, 0o600), (False, 0o644)])
def test_only_a_private_file_is_its_owners_alone(
    tmp_path: Path, is_private: bool, mode: int
) -> None:
    before = os.umask(0o022)
    write_whole(tmp_path / "file", [b"new"], is_private=is_private)
    os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == mode


@pytest.mark.parametrize("is_new", [False, True])
@pytest.mark.parametrize("has_links", [False, True])
def test_a_full_disk_leaves_nothing(
    tmp_path: Path, is_new: bool, has_links: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_links:
        monkeypatch.setattr(os, "link", no_links)
    monkeypatch.setattr(os, "fsync", fail_on_full_disk)
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        write_whole(tmp_path / "file", [b"new"], is_new=is_new)
    assert os.listdir(tmp_path) == []


def test_a_full_disk_leaves_the_file_that_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", fail_on_full_disk)
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        write_whole(tmp_path / "file", [b"new"])
    assert (tmp_path / "file").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]


async def test_a_full_disk_leaves_no_new_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", fail_on_full_disk)
    with pytest.raises(FileTrouble):
        await MachineDisk().create_log(tmp_path / "log", b"head")
    assert os.listdir(tmp_path) == []


def test_an_error_of_the_content_leaves_nothing(tmp_path: Path) -> None:
    def parts() -> Iterator[bytes]:
        yield b"ne"
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError):
        write_whole(tmp_path / "file", parts())
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("has_links", [False, True])
def test_a_new_file_takes_the_place_of_none(
    tmp_path: Path, has_links: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_links:
        monkeypatch.setattr(os, "link", no_links)
    write_whole(tmp_path / "file", [b"first"], is_new=True)
    with pytest.raises(FileExistsError):
        write_whole(tmp_path / "file", [b"second"], is_new=True)
    assert (tmp_path / "file").read_bytes() == b"first"
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileExistsError):
        write_whole(tmp_path / "dangling", [b"second"], is_new=True)
    assert sorted(os.listdir(tmp_path)) == ["dangling", "file"]


def test_a_link_in_the_place_of_the_file_leads_nowhere_else(tmp_path: Path) -> None:
    (tmp_path / "precious").write_bytes(b"precious")
    (tmp_path / "file").symlink_to(tmp_path / "precious")
    write_whole(tmp_path / "file", [b"new"])
    assert (tmp_path / "precious").read_bytes() == b"precious"
    assert (tmp_path / "file").read_bytes() == b"new"


def test_a_link_planted_under_the_unfinished_name_is_not_written_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can guess the name; if somebody did, it would be refused."""
    (tmp_path / "precious").write_bytes(b"precious")
    planted = unfinished_name(tmp_path / "file")
    planted.symlink_to(tmp_path / "precious")
    monkeypatch.setattr("kotp2p.store.files.unfinished_name", lambda _path: planted)
    with pytest.raises(FileExistsError):
        write_whole(tmp_path / "file", [b"new"])
    assert (tmp_path / "precious").read_bytes() == b"precious"


def test_several_writers_at_once_are_one_after_the_other(tmp_path: Path) -> None:
    contents = [bytes([n]) * 10_000 for n in range(WRITERS)]

    def write(content: bytes) -> None:
        write_whole(tmp_path / "file", [content])

    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(write, contents))
    assert (tmp_path / "file").read_bytes() in contents
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize(
    ("seconds", "is_kept"), [(LEFTOVER_SECONDS - 60, True), (LEFTOVER_SECONDS + 60, False)]
)
async def test_what_a_dead_process_has_left_is_removed_with_the_next_write(
    tmp_path: Path, seconds: float, is_kept: bool
) -> None:
    left, other = unfinished_name(tmp_path / "key"), tmp_path / "key.old"
    for path in (left, other):
        path.write_bytes(b"secret")
        now = path.stat().st_mtime
        os.utime(path, (now - seconds, now - seconds))
    await MachineDisk().replace(tmp_path / "known", b"")
    assert left.exists() == is_kept
    assert other.exists()


def test_unfinished_names_are_told_from_all_others(tmp_path: Path) -> None:
    assert UNFINISHED.fullmatch(unfinished_name(tmp_path / "x").name)
    for name in ("key.new", ".kotp2p-0123456789abcdef.new2", "kotp2p-0123456789abcdef.new"):
        assert not UNFINISHED.fullmatch(name)
