"""This machine as a `World`: its sockets, files and entropy.

The only module that opens a socket or a file, and the only one that asks which system this is.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePath

import trio

from kotp2p.net.interfaces import dialable, own_addresses
from kotp2p.net.tls import Tls
from kotp2p.store.files import read_whole_file
from kotp2p.wire.addresses import is_loopback
from kotp2p.wire.records import MAX_LOG_BYTES
from kotp2p.world import Acceptor, CannotReach, Connection, FileTrouble, LogFile, PortTaken, World

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

DIAL_TIMEOUT_SECONDS = 10.0
LISTEN_BACKLOG = 16


def machine_world(data: Path, logs: Path, profile: str) -> World:
    return World(
        secrets.token_bytes,
        MachineNet(),
        MachineDisk(),
        data,
        logs,
        profile,
        lambda: time.strftime("%Y-%m-%d"),
        wall_clock=time.time,
        security=Tls(secrets.token_bytes, lend_file),
    )


# -- network -----------------------------------------------------------------------------


class MachineNet:
    async def dial(self, address: str, port: int) -> Connection:
        with trio.move_on_after(DIAL_TIMEOUT_SECONDS):
            try:
                found = await trio.socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)
            except (socket.gaierror, UnicodeError) as fault:
                raise CannotReach("name-unknown", str(fault)) from fault
            return await self._connect([(info[0], info[4]) for info in found])
        raise CannotReach("no-answer", f"nobody answered within {DIAL_TIMEOUT_SECONDS:.0f} s")

    async def _connect(self, targets: Sequence[tuple[int, object]]) -> Connection:
        """Tries all addresses of the name, one after the other."""
        refusals = 0
        last = "no address"
        for family, target in targets:
            sock = trio.socket.socket(family, socket.SOCK_STREAM)
            try:
                with trio.fail_after(max(2.0, DIAL_TIMEOUT_SECONDS / len(targets))):
                    await sock.connect(target)
                return _connection(trio.SocketStream(sock))
            except ConnectionRefusedError as fault:
                refusals += 1
                last = str(fault)
            except (OSError, trio.TooSlowError) as fault:
                last = str(fault)
            sock.close()
        raise CannotReach("refused" if refusals else "no-answer", last)

    async def listen(self, bind: str | None, port: int, tries: int) -> Acceptor:
        last: OSError | None = None
        for attempt in range(max(5, tries)):
            wanted = port + min(attempt, tries - 1) if port else 0
            try:
                return MachineAcceptor(await _open_listeners(bind, wanted))
            except OSError as fault:
                last = fault
                if fault.errno != errno.EADDRINUSE:
                    break
        raise PortTaken(str(last))

    def addresses(self, bind: str | None) -> tuple[tuple[str, ...], bool]:
        if bind is not None:
            return (bind,), is_loopback(bind)
        others = dialable(own_addresses())
        return (others, False) if others else (("127.0.0.1",), True)


def _connection(stream: trio.SocketStream) -> Connection:
    _keep_alive(stream.socket)
    address = str(stream.socket.getpeername()[0])
    return Connection(stream, "" if is_loopback(address) else address)


def _keep_alive(sock: trio.socket.SocketType) -> None:
    """Routers forget quiet connections, and a machine that is gone says nothing."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", 15), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, name):  # each system has its own
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


async def _open_listeners(bind: str | None, port: int) -> list[trio.SocketListener]:
    """One listener for each family, all on one port."""
    if bind is not None:
        return await trio.open_tcp_listeners(port, host=bind, backlog=LISTEN_BACKLOG)
    listeners: list[trio.SocketListener] = []
    try:
        for family, address in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):
            sock = await _bound(family, address, port)
            if sock is not None:
                port = port or sock.getsockname()[1]
                listeners.append(trio.SocketListener(sock))
    except OSError:
        for listener in listeners:
            listener.socket.close()
        raise
    if not listeners:
        raise OSError(errno.EADDRNOTAVAIL, "this machine has no network address")
    return listeners


async def _bound(family: int, address: str, port: int) -> trio.socket.SocketType | None:
    """A listening socket; None if this machine does not have the family."""
    try:
        sock = trio.socket.socket(family, socket.SOCK_STREAM)
    except OSError:
        return None
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        await sock.bind((address, port))
        sock.listen(LISTEN_BACKLOG)
    except OSError as fault:
        sock.close()
        if fault.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
            return None
        raise
    return sock


class MachineAcceptor:
    def __init__(self, listeners: list[trio.SocketListener]) -> None:
        self._listeners = listeners
        self.port: int = listeners[0].socket.getsockname()[1]

    async def serve(self, admit: Callable[[Connection], None]) -> None:
        async with trio.open_nursery() as nursery:
            for listener in self._listeners:
                nursery.start_soon(self._accept, listener, admit)

    @staticmethod
    async def _accept(listener: trio.SocketListener, admit: Callable[[Connection], None]) -> None:
        while True:
            try:
                stream = await listener.accept()
            except OSError:  # reset before it was accepted, or no descriptor left
                await trio.sleep(0.1)
                continue
            try:
                admit(_connection(stream))
            except OSError:  # gone before it had an address
                await trio.aclose_forcefully(stream)

    async def aclose(self) -> None:
        for listener in self._listeners:
            await listener.aclose()


# -- files -------------------------------------------------------------------------------


@dataclass
class MachineLogFile:
    path: Path
    descriptor: int

    async def append(self, data: bytes) -> None:
        def write() -> None:
            _write_all(self.descriptor, data)
            _to_disk(self.descriptor)

        try:
            await trio.to_thread.run_sync(write)
        except OSError as fault:
            raise FileTrouble(f"{self.path}: {fault.strerror}") from fault

    async def aclose(self) -> None:
        os.close(self.descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    """A disk that fills up takes a first part, and refuses the next one."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _to_disk(descriptor: int) -> None:
    if sys.platform == "darwin":  # there fsync leaves it in the disk's cache
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
    else:
        os.fsync(descriptor)


@dataclass
class MachineDisk:
    _locks: dict[Path, int] = field(default_factory=dict)

    def read(self, path: PurePath) -> bytes | None:
        try:
            return read_whole_file(Path(path), MAX_LOG_BYTES)
        except FileNotFoundError:
            return None
        except OSError as fault:
            raise FileTrouble(f"{path}: {fault.strerror}") from fault

    async def write_secret(self, path: PurePath, data: bytes) -> None:
        try:
            log = self._create(Path(path), data, 0o600)
        except OSError as fault:
            raise FileTrouble(f"{path}: {fault.strerror}") from fault
        await log.aclose()

    async def replace(self, path: PurePath, data: bytes) -> None:
        file = Path(path)
        new = file.with_name(f"{file.name}.new")
        try:
            new.unlink(missing_ok=True)
            await self._create(new, data, 0o600).aclose()
            new.replace(file)
            _folder_to_disk(file.parent)
        except OSError as fault:
            raise FileTrouble(f"{path}: {fault.strerror}") from fault

    async def create_log(self, path: PurePath, data: bytes) -> LogFile:
        try:
            return self._create(Path(path), data, 0o644)
        except OSError as fault:
            raise FileTrouble(f"{path}: {fault.strerror}") from fault

    async def reopen_log(self, path: PurePath, size: int) -> LogFile:
        file = Path(path)
        try:
            tail = file.read_bytes()[size:]
            if tail:
                number = len(list(file.parent.glob("log.torn-*"))) + 1
                os.close(self._create(file.with_name(f"log.torn-{number}"), tail, 0o600).descriptor)
            descriptor = os.open(file, os.O_WRONLY | os.O_APPEND)
            os.ftruncate(descriptor, size)
            _to_disk(descriptor)
        except OSError as fault:
            raise FileTrouble(f"{path}: {fault.strerror}") from fault
        return MachineLogFile(file, descriptor)

    def newest(self, folder: PurePath) -> list[PurePath]:
        try:
            found: list[Path] = list(Path(folder).iterdir())
        except FileNotFoundError:
            return []
        except OSError as fault:
            raise FileTrouble(f"{folder}: {fault.strerror}") from fault
        found.sort(key=lambda path: path.stat().st_mtime_ns, reverse=True)
        return list(found)

    @staticmethod
    def _create(path: Path, data: bytes, mode: int) -> MachineLogFile:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
        descriptor = os.open(path, flags, mode)
        _write_all(descriptor, data)
        _to_disk(descriptor)
        _folder_to_disk(path.parent)
        return MachineLogFile(path, descriptor)

    def share(self, path: PurePath, folder: PurePath, name: str, suffix: str) -> PurePath:
        number = 1
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
            while True:
                tail = f"-{number}" if number > 1 else ""
                target = Path(folder) / f"{name}{tail}{suffix}"
                try:
                    return self._link(Path(path), target)
                except FileExistsError:
                    number += 1
        except OSError as fault:
            raise FileTrouble(f"{folder}: {fault.strerror}") from fault

    @staticmethod
    def _link(path: Path, target: Path) -> Path:
        try:
            os.link(path, target)
        except FileExistsError:
            raise
        except OSError:  # another file system, or one without links
            with target.open("xb") as copy:
                copy.write(path.read_bytes())
        return target

    def refresh(self, path: PurePath, shared: PurePath) -> bool:
        try:
            if not Path(path).samefile(shared):
                shutil.copyfile(path, shared)
        except FileNotFoundError:
            return False
        except OSError as fault:
            raise FileTrouble(f"{shared}: {fault.strerror}") from fault
        return True

    def lock(self, path: PurePath) -> bool:
        file = Path(path)
        if file in self._locks:
            return True
        try:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as fault:
            raise FileTrouble(f"{path}: {fault.strerror}") from fault
        try:
            _lock(descriptor)
        except OSError:
            os.close(descriptor)
            return False
        self._locks[file] = descriptor  # held until the process ends, however it ends
        return True

    def release(self, path: PurePath) -> None:
        """Gives a lock back before the process ends."""
        os.close(self._locks.pop(Path(path)))

    def remove(self, path: PurePath) -> None:
        try:
            Path(path).unlink(missing_ok=True)
        except OSError as fault:
            raise FileTrouble(f"{path}: {fault.strerror}") from fault


@contextmanager
def lend_file(data: bytes) -> Iterator[str]:
    """A path at which a library that takes private keys from files only may read them once."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("kotp2p")
        path = f"/proc/self/fd/{descriptor}"
    else:
        descriptor, path = tempfile.mkstemp()  # only its owner can read it
    try:
        os.write(descriptor, data)
        yield path
    finally:
        os.close(descriptor)
        if not path.startswith("/proc/"):
            os.unlink(path)


def _lock(descriptor: int) -> None:
    """Raises OSError if another process has it."""
    if sys.platform == "win32":
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _folder_to_disk(folder: Path) -> None:
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return  # a system that does not open folders
    try:
        os.fsync(descriptor)
    except OSError:
        pass
    finally:
        os.close(descriptor)
