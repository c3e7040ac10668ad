"""A world in memory: streams with a delay under a virtual clock, seeded entropy, files in a dict.

One `MemoryNet` joins any number of machines; each has one address and as many processes as the
test likes. Whole peers run on it unchanged.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePath

import trio

from kotp2p.extras.bots import make_bot
from kotp2p.seams.world import (
    CannotReach,
    Connection,
    FileTrouble,
    LanTrouble,
    LogFile,
    PortTaken,
    World,
)
from kotp2p.wire.addresses import FoundTable, Poster


class MemoryStream(trio.abc.HalfCloseableStream):
    """One end of a connection; what is sent arrives `delay` later, in order."""

    hole = False
    """What is sent vanishes, and nobody is told."""

    def __init__(
        self,
        net: MemoryNet,
        send: trio.MemorySendChannel[tuple[float, bytes]],
        receive: trio.MemoryReceiveChannel[tuple[float, bytes]],
    ) -> None:
        self._net, self._send, self._receive = net, send, receive

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self._net.bytes_sent += len(data)
        if self.hole:
            await trio.lowlevel.checkpoint()
            return
        await self._send.send((trio.current_time() + self._net.delay, bytes(data)))

    async def wait_send_all_might_not_block(self) -> None:
        await trio.lowlevel.checkpoint()

    async def send_eof(self) -> None:
        await trio.lowlevel.checkpoint()
        self._send.close()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        try:
            due, data = await self._receive.receive()
        except trio.EndOfChannel:
            return b""
        if self._net.delay:
            await trio.sleep_until(due)
        return data

    def breaks(self) -> None:
        self._send.close()
        self._receive.close()

    async def aclose(self) -> None:
        self.breaks()
        await trio.lowlevel.checkpoint()


class MemoryAcceptor:
    def __init__(self, net: MemoryNet, address: str, port: int) -> None:
        self._net, self._place = net, (address, port)
        self.port = port
        self._send, self._receive = trio.open_memory_channel[Connection](100)

    async def serve(self, admit: Callable[[Connection], None]) -> None:
        async for connection in self._receive:
            admit(connection)

    def arrive(self, connection: Connection) -> None:
        self._send.send_nowait(connection)

    async def aclose(self) -> None:
        self._net.listening.pop(self._place, None)
        self._send.close()


@dataclass
class MemoryNet:
    """All machines and what runs between them."""

    delay: float = 0.0
    listening: dict[tuple[str, int], MemoryAcceptor] = field(default_factory=dict)
    undialable: set[str] = field(default_factory=set)
    """Addresses at which nobody can be reached."""
    deaf: set[str] = field(default_factory=set)
    """Addresses that reach nobody, though they may be reached."""
    moved: dict[str, str] = field(default_factory=dict)
    """Machines that have another address since."""
    bytes_sent: int = 0
    made: list[tuple[str, str, MemoryStream, MemoryStream]] = field(default_factory=list)
    """Caller, called, and both ends of every connection."""
    _ports: itertools.count[int] = field(default_factory=lambda: itertools.count(40_000))

    def at(self, address: str) -> MemoryHost:
        return MemoryHost(self, address)

    def connect(self, caller: str, address: str, port: int) -> Connection:
        acceptor = self.listening.get((address, port))
        if acceptor is None:
            raise CannotReach("refused", f"{address}:{port}")
        here_send, there_receive = trio.open_memory_channel[tuple[float, bytes]](10_000)
        there_send, here_receive = trio.open_memory_channel[tuple[float, bytes]](10_000)
        here = MemoryStream(self, here_send, here_receive)
        there = MemoryStream(self, there_send, there_receive)
        self.made.append((caller, address, here, there))
        local = caller == address
        acceptor.arrive(Connection(there, "" if local else caller, address))
        return Connection(here, "" if local else address, caller)

    def cut(self, one: str, other: str) -> None:
        self.undialable |= {one, other}
        for caller, called, here, there in self.made:
            if {caller, called} == {one, other}:
                here.breaks()
                there.breaks()


@dataclass
class MemoryHost:
    net: MemoryNet
    address: str

    @property
    def _here(self) -> str:
        return self.net.moved.get(self.address, self.address)

    async def dial(self, address: str, port: int) -> Connection:
        await trio.sleep(2 * self.net.delay)
        target = self._here if address in ("", "127.0.0.1") else address
        if self._here in self.net.deaf and target != self._here:
            raise CannotReach("no-answer", target)
        if (target in self.net.undialable) and target != self._here:
            raise CannotReach("no-answer", target)
        return self.net.connect(self._here, target, port)

    async def listen(self, bind: str | None, port: int, tries: int) -> MemoryAcceptor:
        await trio.lowlevel.checkpoint()
        for wanted in range(port, port + tries) if port else (next(self.net._ports),):
            if (self._here, wanted) not in self.net.listening:
                acceptor = MemoryAcceptor(self.net, self._here, wanted)
                self.net.listening[self._here, wanted] = acceptor
                return acceptor
        raise PortTaken(str(port))

    def addresses(self, bind: str | None) -> tuple[tuple[str, ...], bool]:
        return (self._here,), False

    def has_address(self, address: str) -> bool:
        return address == self._here


@dataclass
class MemoryLan:
    trouble: str = ""
    now: list[Poster] = field(default_factory=list)
    past: list[Poster] = field(default_factory=list)

    async def announce(
        self,
        bind: str | None,
        posters: trio.MemoryReceiveChannel[Poster],
        announced: Callable[[], None],
    ) -> None:
        await trio.lowlevel.checkpoint()
        async with posters:
            if self.trouble:
                raise LanTrouble(self.trouble)
            try:
                async for poster in posters:
                    if not self.past:
                        announced()
                    self.now = [poster]
                    self.past.append(poster)
            finally:
                self.now = []

    async def browse(self, seconds: float) -> tuple[FoundTable, ...]:
        await trio.sleep(seconds)
        if self.trouble:
            raise LanTrouble(self.trouble)
        return tuple(FoundTable(one, ("10.0.0.1",), (one.code_number,)) for one in self.now)


@dataclass
class MemoryLog:
    disk: MemoryDisk
    path: PurePath

    def write(self, data: bytes) -> None:
        if self.disk.full:
            raise FileTrouble(f"{self.path}: No space left on device")
        self.disk.files[self.path] += data

    async def append(self, data: bytes) -> None:
        await trio.lowlevel.checkpoint()
        self.write(data)
        self.disk.syncs += 1

    async def aclose(self) -> None:
        await trio.lowlevel.checkpoint()


@dataclass
class MemoryDisk:
    files: dict[PurePath, bytes] = field(default_factory=dict)
    links: dict[PurePath, PurePath] = field(default_factory=dict)
    locks: set[PurePath] = field(default_factory=set)
    removed: dict[PurePath, bytes] = field(default_factory=dict)
    """What was removed, for a test that takes a game up before its end."""
    syncs: int = 0
    full: bool = False

    def read(self, path: PurePath) -> bytes | None:
        return self.files.get(self.links.get(path, path))

    async def write_secret(self, path: PurePath, data: bytes) -> None:
        await trio.lowlevel.checkpoint()
        assert path not in self.files
        self.files[path] = data

    async def replace(self, path: PurePath, data: bytes) -> None:
        await trio.lowlevel.checkpoint()
        self.files[path] = data

    async def create_log(self, path: PurePath, data: bytes) -> LogFile:
        await trio.lowlevel.checkpoint()
        assert path not in self.files
        self.files[path] = data
        return MemoryLog(self, path)

    async def reopen_log(self, path: PurePath, size: int) -> LogFile:
        await trio.lowlevel.checkpoint()
        data = self.files[path]
        if data[size:]:
            self.files[path.with_name("log.torn-1")] = data[size:]
        self.files[path] = data[:size]
        return MemoryLog(self, path)

    def newest(self, folder: PurePath) -> list[PurePath]:
        found = {folder / p.relative_to(folder).parts[0] for p in self.files if folder in p.parents}
        return sorted(found, reverse=True)

    async def share(self, path: PurePath, folder: PurePath, name: str, suffix: str) -> PurePath:
        for number in itertools.count(1):
            target = folder / (f"{name}-{number}{suffix}" if number > 1 else f"{name}{suffix}")
            if target not in self.links:
                self.links[target] = path
                return target
        raise AssertionError

    async def refresh(self, path: PurePath, shared: PurePath) -> bool:
        return self.links.get(shared) == path

    def lock(self, path: PurePath) -> bool:
        if path in self.locks:
            return False
        self.locks.add(path)
        return True

    def release(self, path: PurePath) -> None:
        self.locks.discard(path)

    def remove(self, path: PurePath) -> None:
        if path in self.files:
            self.removed[path] = self.files.pop(path)


def seeded(seed: str) -> Callable[[int], bytes]:
    """Bytes that look random and are the same in every run."""
    numbers = itertools.count()

    def entropy(size: int) -> bytes:
        data = b""
        while len(data) < size:
            data += hashlib.sha256(f"{seed}/{next(numbers)}".encode()).digest()
        return data[:size]

    return entropy


def world(net: MemoryNet, address: str, seed: str) -> World:
    return World(
        seeded(seed),
        net.at(address),
        MemoryDisk(),
        PurePath("data"),
        PurePath("logs"),
        "default",
        lambda: "2026-11-21",
        make_bot=make_bot,
    )


def memory_disk(world: World) -> MemoryDisk:
    assert isinstance(world.disk, MemoryDisk)
    return world.disk
