"""What systems do differently. Windows is played by stand-ins: its flag for files of bytes, its
console, its signals."""

import io
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from kotp2p.cli.system.process import ending_signals
from kotp2p.store import files
from kotp2p.store.files import UNFINISHED
from kotp2p.store.machine_disk import MachineDisk

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
    assert sum(UNFINISHED.fullmatch(name) is not None for name in opened) == 2
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


@pytest.mark.parametrize(
    ("system", "name"), [("win32", "SO_EXCLUSIVEADDRUSE"), ("linux", "SO_REUSEADDR")]
)
def test_a_port_belongs_to_one_program(
    system: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", -5, raising=False)
    given: list[tuple[int, int, int]] = []
    sock = SimpleNamespace(setsockopt=lambda *option: given.append(option))
    files.claim_port(sock)
    assert given == [(socket.SOL_SOCKET, getattr(socket, name), 1)]


def test_a_system_without_small_segments_links_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_option: int) -> None:
        raise OSError(22, "Invalid argument")

    files.limit_segments(SimpleNamespace(setsockopt=refuse))
    monkeypatch.delattr(socket, "TCP_MAXSEG")
    given: list[tuple[int, int, int]] = []
    files.limit_segments(SimpleNamespace(setsockopt=lambda *option: given.append(option)))
    assert given == []


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
