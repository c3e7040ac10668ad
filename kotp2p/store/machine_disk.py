"""The files of this machine: durable writes, locks, and logs under two names.

Scope: what a peer does with files. What is written is on the disk when a call returns, so that a
power failure can take nothing that others have already been told. A disk may take long for that, so
it is waited for in a thread, and links and clocks go on meanwhile.
"""

import errno
import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from threading import Lock
from typing import TypeVar

from kotp2p.seams.world import FileFault, FileTrouble, LogFile
from kotp2p.store import files
from kotp2p.wire.records import MAX_LOG_BYTES

T = TypeVar("T")

MAX_LOG_NAMES = 2
"""A log has its own name and that in the folder of logs. With more, some copy of the whole data
shares the file."""


@contextmanager
def _trouble_at(path: PurePath) -> Iterator[None]:
    """Turn what the system raises into a FileTrouble that names the file."""
    try:
        yield
    except OSError as fault:
        raise FileTrouble(files.fault_at(path, fault)) from fault


async def _in_thread(path: PurePath, work: Callable[[], T]) -> T:
    """Do the work in a thread, to its end even where this task is cancelled; raise FileTrouble."""
    # A write that was given up half-way would leave a file in an unknown state.
    import trio  # those who only read files do without it

    with _trouble_at(path), trio.CancelScope(shield=True):
        found = await trio.to_thread.run_sync(work)
    return found  # noqa: RET504  mypy takes the scope for one that may swallow an error


@dataclass
class MachineLogFile:
    path: Path
    descriptor: int

    def write(self, data: bytes) -> None:
        """Write data: the system takes it at once, and syncs it in its own time."""
        with _trouble_at(self.path):
            _write_all(self.descriptor, data)

    async def append(self, data: bytes) -> None:
        def write() -> None:
            _write_all(self.descriptor, data)
            files.sync(self.descriptor)

        await _in_thread(self.path, write)

    async def aclose(self) -> None:
        os.close(self.descriptor)


@dataclass
class MachineDisk:
    """Implements `kotp2p.seams.world.Disk`."""

    root: Path | None = None
    _locks: dict[Path, int] = field(default_factory=dict)
    """The open descriptor of each lock that this process has."""
    _unsynced: deque[Path] = field(default_factory=deque)
    """Folders in which others were made, whose names may not be on disk yet."""
    _syncing: Lock = field(default_factory=Lock)

    def read(self, path: PurePath) -> bytes | None:
        with _trouble_at(path):
            try:
                return files.read_whole_file(Path(path), MAX_LOG_BYTES)
            except FileNotFoundError:
                return None
            except OSError as fault:
                if fault.errno != errno.EFBIG:
                    raise
                raise FileTrouble(FileFault(path, str(fault.strerror))) from fault

    async def write_secret(self, path: PurePath, data: bytes) -> None:
        def write() -> None:
            self._make_folder(Path(path).parent)
            files.write_whole(Path(path), [data], is_new=True)
            self._sync_folders()

        await _in_thread(path, write)

    async def replace(self, path: PurePath, data: bytes) -> None:
        await _in_thread(path, lambda: self._replace(Path(path), data))

    async def create_log(self, path: PurePath, data: bytes) -> LogFile:
        return await _in_thread(path, lambda: self._create(Path(path), data))

    async def reopen_log(self, path: PurePath, size: int) -> LogFile:
        """Open a log again without its torn tail.

        A crash in the middle of a write leaves a torn tail: the beginning of a record that was
        never complete, and so never sent. It is cut off, or the next record would follow on it; and
        kept, in case that it is not what we think.
        """
        return await _in_thread(path, lambda: self._reopen(Path(path), size))

    def _reopen(self, file: Path, size: int) -> MachineLogFile:
        data = file.read_bytes()
        if data[size:]:
            number = len(list(file.parent.glob("log.torn-*"))) + 1
            os.close(self._create(file.with_name(f"log.torn-{number}"), data[size:]).descriptor)
        if file.stat().st_nlink > MAX_LOG_NAMES:
            self._replace(file, data[:size])
        descriptor = os.open(file, files.as_bytes(os.O_WRONLY | os.O_APPEND))
        os.ftruncate(descriptor, size)
        files.sync(descriptor)
        return MachineLogFile(file, descriptor)

    def newest(self, folder: PurePath) -> list[PurePath]:
        with _trouble_at(folder):
            try:
                found: list[Path] = list(Path(folder).iterdir())
            except FileNotFoundError:
                return []
        return sorted(found, key=_changed_at, reverse=True)

    async def share(self, path: PurePath, folder: PurePath, name: str, suffix: str) -> PurePath:
        def give_name() -> Path:
            number = 1
            self._make_folder(Path(folder))
            while True:
                tail = f"-{number}" if number > 1 else ""
                target = Path(folder) / f"{name}{tail}{suffix}"
                try:
                    return _link_or_copy(Path(path), target)
                except FileExistsError:
                    number += 1

        return await _in_thread(folder, give_name)

    async def refresh(self, path: PurePath, shared: PurePath) -> bool:
        def bring_up_to_date() -> bool:
            try:
                if not Path(path).samefile(shared):
                    # Never into the file that is there: it may be the log of the process whose
                    # data this is a copy of.
                    new = files.unfinished_name(Path(shared))
                    _link_or_copy(Path(path), new).replace(shared)
            except FileNotFoundError:
                return False
            return True

        return await _in_thread(shared, bring_up_to_date)

    def lock(self, path: PurePath) -> bool:
        """Take the system's lock on an open file, which ends with the process in any case."""
        file = Path(path)
        if file in self._locks:
            return True
        with _trouble_at(path):
            self._make_folder(file.parent)
            descriptor = _open_lock(file)
            try:
                is_ours = files.lock(descriptor)
            except OSError:
                os.close(descriptor)
                raise
        if is_ours:
            self._locks[file] = descriptor
        else:
            os.close(descriptor)
        return is_ours

    def release(self, path: PurePath) -> None:
        descriptor = self._locks.pop(Path(path), None)
        if descriptor is not None:
            with _trouble_at(path):
                try:
                    files.unlock(descriptor)
                finally:
                    os.close(descriptor)

    def remove(self, path: PurePath) -> None:
        with _trouble_at(path):
            Path(path).unlink(missing_ok=True)

    def _replace(self, file: Path, data: bytes) -> None:
        self._make_folder(file.parent)
        files.write_whole(file, [data])
        self._sync_folders()
        files.remove_leftovers(file)

    def _make_folder(self, folder: Path) -> None:
        """Make the folder and its missing parents. Their names are on disk after the next write."""
        for made in files.make_folder(folder, self.root):
            self._unsynced.append(made.parent)

    def _sync_folders(self) -> None:
        with self._syncing:  # another thread may be at it, for a file that this one has written
            while self._unsynced:
                files.sync_folder(self._unsynced.popleft())

    def _create(self, path: Path, data: bytes) -> MachineLogFile:
        """Create a file with `data` in it, on disk together with its name."""
        # If that fails, no file is left.
        self._make_folder(path.parent)
        descriptor = files.create_file(path, os.O_WRONLY | os.O_APPEND)
        try:
            _write_all(descriptor, data)
            files.sync(descriptor)
        except OSError:
            os.close(descriptor)
            path.unlink()
            raise
        files.sync_folder(path.parent)
        self._sync_folders()
        return MachineLogFile(path, descriptor)


def _changed_at(path: PurePath) -> int:
    """Return when an entry was changed, in nanoseconds; 0 if it is gone meanwhile."""
    # Of a link that leads nowhere it is the link's own time.
    try:
        return Path(path).lstat().st_mtime_ns
    except OSError:
        return 0


def _open_lock(file: Path) -> int:
    try:
        return files.create_file(file, os.O_RDWR)
    except FileExistsError:
        return os.open(file, files.as_bytes(os.O_RDWR))


def _write_all(descriptor: int, data: bytes) -> None:
    """Write all data, though a disk that fills up takes a first part of it."""
    # It refuses the next part; raise OSError then.
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _link_or_copy(path: Path, target: Path) -> Path:
    try:
        os.link(path, target)
    except FileExistsError:
        raise
    except OSError:  # another file system, or one without links
        files.write_whole(target, [path.read_bytes()], is_new=True)
    return target
