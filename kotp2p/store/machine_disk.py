"""The files of this machine: durable writes, locks, and logs under two names.

Scope: the one module that opens files to write them, and knows how each system keeps them. What is
written is on the disk when a call returns, so that a power failure can take nothing that others
have already been told.
Not here: what the files mean (`kotp2p.store.saved_game`, `kotp2p.store.log_writer`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from kotp2p.store import platform
from kotp2p.store.files import read_whole_file
from kotp2p.store.private_files import create_file, make_folder
from kotp2p.wire.records import MAX_LOG_BYTES
from kotp2p.world import FileTrouble, LogFile

MAX_LOG_NAMES = 2
"""A log has its own name and that in the folder of logs. With more, some copy of the whole data
shares the file."""


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

    def write(self, data: bytes) -> None:
        """The system takes it at once, and puts it on the disk in its own time."""
        with _trouble_at(self.path):
            _write_all(self.descriptor, data)

    async def append(self, data: bytes) -> None:
        """In a thread, as a sync may take long: links and clocks go on meanwhile."""
        import trio  # those who only read files do without it

        def write() -> None:
            _write_all(self.descriptor, data)
            platform.sync(self.descriptor)

        with _trouble_at(self.path):
            await trio.to_thread.run_sync(write)

    async def aclose(self) -> None:
        os.close(self.descriptor)


@dataclass
class MachineDisk:
    """Implements `kotp2p.world.Disk`."""

    root: Path | None = None
    """The folder of the data."""
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
            file = self._create(Path(path), data)
        await file.aclose()

    async def replace(self, path: PurePath, data: bytes) -> None:
        """Through a new file that takes the old one's name: a crash leaves the one or the other,
        and never half of each."""
        file = Path(path)
        new = file.with_name(f"{file.name}.new")
        with _trouble_at(path):
            new.unlink(missing_ok=True)
            await self._create(new, data).aclose()
            new.replace(file)
            _sync_folder(file.parent)

    async def create_log(self, path: PurePath, data: bytes) -> LogFile:
        with _trouble_at(path):
            return self._create(Path(path), data)

    async def reopen_log(self, path: PurePath, size: int) -> LogFile:
        """A crash in the middle of a write leaves a torn tail: the beginning of a record that was
        never complete, and so never sent. It is cut off, or the next record would follow on it;
        and kept, in case that it is not what we think."""
        file = Path(path)
        with _trouble_at(path):
            data = file.read_bytes()
            if data[size:]:
                number = len(list(file.parent.glob("log.torn-*"))) + 1
                torn = self._create(file.with_name(f"log.torn-{number}"), data[size:])
                await torn.aclose()
            if file.stat().st_nlink > MAX_LOG_NAMES:
                await self.replace(path, data[:size])
            descriptor = os.open(file, platform.as_bytes(os.O_WRONLY | os.O_APPEND))
            os.ftruncate(descriptor, size)
            platform.sync(descriptor)
        return MachineLogFile(file, descriptor)

    def newest(self, folder: PurePath) -> list[PurePath]:
        with _trouble_at(folder):
            try:
                found: list[Path] = list(Path(folder).iterdir())
            except FileNotFoundError:
                return []
        return sorted(found, key=_changed_at, reverse=True)

    def share(self, path: PurePath, folder: PurePath, name: str, suffix: str) -> PurePath:
        number = 1
        with _trouble_at(folder):
            self._make_folder(Path(folder))
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
                    # Never into the file that is there: it may be the log of the process whose
                    # data this is a copy of.
                    new = Path(shared).with_name(f"{shared.name}.new")
                    new.unlink(missing_ok=True)
                    _link_or_copy(Path(path), new).replace(shared)
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
            self._make_folder(file.parent)
            descriptor = _open_lock(file)
        try:
            platform.lock(descriptor)
        except OSError:
            os.close(descriptor)
            return False
        self._locks[file] = descriptor
        return True

    def release(self, path: PurePath) -> None:
        descriptor = self._locks.pop(Path(path), None)
        if descriptor is not None:
            with _trouble_at(path):
                try:
                    platform.unlock(descriptor)
                finally:
                    os.close(descriptor)

    def remove(self, path: PurePath) -> None:
        with _trouble_at(path):
            Path(path).unlink(missing_ok=True)

    def _make_folder(self, folder: Path) -> None:
        """The folder and its missing parents, with their names on disk."""
        for made in make_folder(folder, self.root):
            _sync_folder(made.parent)

    def _create(self, path: Path, data: bytes) -> MachineLogFile:
        """A new file with `data` in it, on disk together with its name."""
        self._make_folder(path.parent)
        descriptor = create_file(path, os.O_WRONLY | os.O_APPEND)
        _write_all(descriptor, data)
        platform.sync(descriptor)
        _sync_folder(path.parent)
        return MachineLogFile(path, descriptor)


def _changed_at(path: PurePath) -> int:
    """In nanoseconds; of a link that leads nowhere, its own. 0: it is gone meanwhile."""
    try:
        return Path(path).lstat().st_mtime_ns
    except OSError:
        return 0


def _open_lock(file: Path) -> int:
    try:
        return create_file(file, os.O_RDWR)
    except FileExistsError:
        return os.open(file, platform.as_bytes(os.O_RDWR))


def _write_all(descriptor: int, data: bytes) -> None:
    """A disk that fills up takes a first part, and refuses the next one."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _sync_folder(folder: Path) -> None:
    """The name of a new file or folder is on disk only when the folder around it is."""
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
        with open(create_file(target), "wb") as copy:
            copy.write(path.read_bytes())
    return target
