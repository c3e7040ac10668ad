"""The files of this machine: durable writes, locks, and logs under two names.

Scope: the one module that opens files to write them, and knows how each system keeps them. What is
written is on the disk when a call returns, so that a power failure can take nothing that others
have already been told.
Not here: what the files mean (`kotp2p.store.saved_game`, `kotp2p.store.log_writer`).
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePath

import trio

from kotp2p.store.files import read_whole_file
from kotp2p.wire.records import MAX_LOG_BYTES
from kotp2p.world import FileTrouble, LogFile

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

OWNER_ONLY = 0o600
READABLE = 0o644
OWNER_ONLY_FOLDER = 0o700


@contextmanager
def _trouble_at(path: PurePath) -> Iterator[None]:
    """Turns what the system raises into a FileTrouble that names the file."""
    try:
        yield
    except OSError as fault:
        raise FileTrouble(f"{path}: {fault.strerror}") from fault


@dataclass
class MachineLogFile:
    path: Path
    descriptor: int

    async def append(self, data: bytes) -> None:
        """In a thread, as a sync may take long: links and clocks go on meanwhile."""

        def write() -> None:
            _write_all(self.descriptor, data)
            _sync(self.descriptor)

        with _trouble_at(self.path):
            await trio.to_thread.run_sync(write)

    async def aclose(self) -> None:
        os.close(self.descriptor)


@dataclass
class MachineDisk:
    """Implements `kotp2p.world.Disk`."""

    _locks: dict[Path, int] = field(default_factory=dict)
    """The open descriptor of each lock that this process has."""

    def read(self, path: PurePath) -> bytes | None:
        with _trouble_at(path):
            try:
                return read_whole_file(Path(path), MAX_LOG_BYTES)
            except FileNotFoundError:
                return None

    async def write_secret(self, path: PurePath, data: bytes) -> None:
        with _trouble_at(path):
            file = _create(Path(path), data, OWNER_ONLY)
        await file.aclose()

    async def replace(self, path: PurePath, data: bytes) -> None:
        """Through a new file that takes the old one's name: a crash leaves the one or the other,
        and never half of each."""
        file = Path(path)
        new = file.with_name(f"{file.name}.new")
        with _trouble_at(path):
            new.unlink(missing_ok=True)
            await _create(new, data, OWNER_ONLY).aclose()
            new.replace(file)
            _sync_folder(file.parent)

    async def create_log(self, path: PurePath, data: bytes) -> LogFile:
        with _trouble_at(path):
            return _create(Path(path), data, READABLE)

    async def reopen_log(self, path: PurePath, size: int) -> LogFile:
        """A crash in the middle of a write leaves a torn tail: the beginning of a record that was
        never complete, and so never sent. It is cut off, or the next record would follow on it;
        and kept, in case that it is not what we think."""
        file = Path(path)
        with _trouble_at(path):
            tail = file.read_bytes()[size:]
            if tail:
                number = len(list(file.parent.glob("log.torn-*"))) + 1
                torn = _create(file.with_name(f"log.torn-{number}"), tail, OWNER_ONLY)
                await torn.aclose()
            descriptor = os.open(file, os.O_WRONLY | os.O_APPEND)
            os.ftruncate(descriptor, size)
            _sync(descriptor)
        return MachineLogFile(file, descriptor)

    def newest(self, folder: PurePath) -> list[PurePath]:
        with _trouble_at(folder):
            try:
                found: list[Path] = list(Path(folder).iterdir())
            except FileNotFoundError:
                return []
        found.sort(key=lambda path: path.stat().st_mtime_ns, reverse=True)
        return list(found)

    def share(self, path: PurePath, folder: PurePath, name: str, suffix: str) -> PurePath:
        number = 1
        with _trouble_at(folder):
            Path(folder).mkdir(parents=True, exist_ok=True)
            while True:
                tail = f"-{number}" if number > 1 else ""
                target = Path(folder) / f"{name}{tail}{suffix}"
                try:
                    return _link_or_copy(Path(path), target)
                except FileExistsError:
                    number += 1

    def refresh(self, path: PurePath, shared: PurePath) -> bool:
        with _trouble_at(shared):
            try:
                if not Path(path).samefile(shared):
                    shutil.copyfile(path, shared)
            except FileNotFoundError:
                return False
        return True

    def lock(self, path: PurePath) -> bool:
        """The system's lock on an open file: it ends with the process, however that ends, so that
        a crash leaves none behind."""
        file = Path(path)
        if file in self._locks:
            return True
        with _trouble_at(path):
            file.parent.mkdir(mode=OWNER_ONLY_FOLDER, parents=True, exist_ok=True)
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT, OWNER_ONLY)
        try:
            _lock(descriptor)
        except OSError:
            os.close(descriptor)
            return False
        self._locks[file] = descriptor
        return True

    def release(self, path: PurePath) -> None:
        """Gives a lock back before the process ends."""
        os.close(self._locks.pop(Path(path)))

    def remove(self, path: PurePath) -> None:
        with _trouble_at(path):
            Path(path).unlink(missing_ok=True)


def _create(path: Path, data: bytes, mode: int) -> MachineLogFile:
    """A new file with `data` in it, on disk together with its name."""
    path.parent.mkdir(mode=OWNER_ONLY_FOLDER, parents=True, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
    descriptor = os.open(path, flags, mode)
    _write_all(descriptor, data)
    _sync(descriptor)
    _sync_folder(path.parent)
    return MachineLogFile(path, descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    """A disk that fills up takes a first part, and refuses the next one."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _sync(descriptor: int) -> None:
    if sys.platform == "darwin":
        # There fsync leaves the data in the cache of the disk, which a power failure empties.
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
    else:
        os.fsync(descriptor)


def _sync_folder(folder: Path) -> None:
    """The name of a new file is on disk only when its folder is."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return  # a system that does not open folders
    try:
        os.fsync(descriptor)
    except OSError:
        pass  # a file system that does not sync them
    finally:
        os.close(descriptor)


def _link_or_copy(path: Path, target: Path) -> Path:
    try:
        os.link(path, target)
    except FileExistsError:
        raise
    except OSError:  # another file system, or one without links
        with target.open("xb") as copy:
            copy.write(path.read_bytes())
    return target


def _lock(descriptor: int) -> None:
    """Raises OSError if another process has it."""
    if sys.platform == "win32":
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
