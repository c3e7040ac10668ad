"""A disk in memory: what was synced stays; what was not may be torn when the power goes.

Law: a write is pending until the sync of the next append is done, which takes virtual time. Power
loss keeps any first part of what is pending, or all but one block of it, or the length with nothing
written in it: a log is cut before what is lost (PROTOCOL.md 10.2, 10.6). A killed process loses
nothing that it wrote. A process that has ended writes nothing more (`Life.check`).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePath
from random import Random
from typing import Protocol

import trio

from kotp2p.store.lost_blocks import BLOCK_BYTES, cut_lost_blocks
from kotp2p.world import FileTrouble, LogFile
from tests.tools.sim.clock import SimClock
from tests.tools.sim.life import Life
from tests.tools.sim.trace import Trace

OWN_KEY = PurePath("data/profiles/default/key")
"""Of the person at a machine."""


class DiskTap(Protocol):
    def synced(self, life: Life, path: PurePath, data: bytes) -> None:
        """`data` at the end of a file is on disk for good."""

    def reopened(self, life: Life, disk: SimDisk) -> None:
        """What lies in its logs now is on disk for good, and nothing else."""

    def written(self, life: Life, path: PurePath, data: bytes) -> None:
        """`data` goes into a file."""


@dataclass
class SimDisk:
    """The disk of one machine; it outlives every process."""

    trace: Trace
    chance: Random
    tap: DiskTap
    sync_time: float = 0.005
    files: dict[PurePath, bytes] = field(default_factory=dict)
    pending: dict[PurePath, bytes] = field(default_factory=dict)
    links: dict[PurePath, PurePath] = field(default_factory=dict)
    locks: dict[PurePath, Life] = field(default_factory=dict)
    changed: dict[PurePath, int] = field(default_factory=dict)
    full: bool = False
    """The next append fails."""
    blow: Callable[[bool], None] | None = None
    """To be called in the middle of the next sync; True: the data is on disk already."""
    _clock: itertools.count[int] = field(default_factory=itertools.count)

    def touch(self, path: PurePath) -> None:
        self.changed[path] = next(self._clock)

    def copy(self, chance: Random) -> SimDisk:
        """Of all files, on the disk of another machine."""
        files = {path: data + self.pending.get(path, b"") for path, data in self.files.items()}
        links, changed = dict(self.links), dict(self.changed)
        clock = itertools.count(max(changed.values(), default=-1) + 1)
        return SimDisk(
            self.trace, chance, self.tap,
            files=files, links=links, changed=changed, _clock=clock,
        )  # fmt: skip

    def logs(self) -> dict[PurePath, bytes]:
        """As a process that comes back would read them."""
        logs = {path: data for path, data in self.files.items() if path.name == "log"}
        return {path: cut_lost_blocks(data) for path, data in logs.items()}

    def power_fails(self) -> None:
        """Of what is pending a first part is left, or what other blocks hold."""
        for path, data in self.pending.items():
            keep = self.chance.randint(0, len(data))
            tail = data[:keep]
            if not keep and self.chance.random() < 0.5:
                tail = bytes(len(data))
            # Of a chance of its own, so that older seeds stay the same games up to here.
            chance = Random(f"blocks {path} {len(self.files[path])} {keep}")
            if keep and chance.random() < 0.3:
                tail = _without_block(len(self.files[path]), data, chance)
                self.trace.reach("lost block", path.parent.name[:8], len(data))
            self.trace.reach("torn tail", path.parent.name[:8], len(data), keep, bool(tail))
            self.files[path] += tail
        self.pending.clear()

    def is_killed(self) -> None:
        """The process only: what it wrote is the system's now."""
        for path, data in self.pending.items():
            self.files[path] += data
        self.pending.clear()


def _without_block(size: int, data: bytes, chance: Random) -> bytes:
    """What is left of data behind a file of so many bytes if one of its blocks is lost."""
    edges = [
        size,
        *range(size - size % BLOCK_BYTES + BLOCK_BYTES, size + len(data), BLOCK_BYTES),
    ]
    lost = chance.choice(edges) - size
    rest = data[lost + BLOCK_BYTES - (size + lost) % BLOCK_BYTES :]
    return data[:lost] + bytes(len(data) - lost - len(rest)) + rest


@dataclass
class SimLog:
    disk: SimDisk
    life: Life
    path: PurePath

    def write(self, data: bytes) -> None:
        disk = self.disk
        self.life.check()
        if disk.full:
            disk.full = False
            raise FileTrouble(f"{self.path}: No space left on device")
        disk.tap.written(self.life, self.path, data)
        disk.pending[self.path] = disk.pending.get(self.path, b"") + data
        disk.trace.note("appends", self.life.name, data=data)

    async def append(self, data: bytes) -> None:
        disk = self.disk
        await self.life.runs()
        self.write(data)
        if disk.blow is not None:
            done, blow = disk.chance.random() < 0.3, disk.blow
            disk.blow = None
            if done:
                self._done(data)
            blow(done)
        await SimClock.current().sleep(disk.chance.uniform(0.1, 2) * disk.sync_time)
        await self.life.runs()
        self._done(data)

    def _done(self, data: bytes) -> None:
        self.life.check()
        disk = self.disk
        rest = disk.pending.pop(self.path, b"")
        disk.files[self.path] += rest
        disk.touch(self.path)
        disk.tap.synced(self.life, self.path, rest)

    async def aclose(self) -> None:
        await trio.lowlevel.checkpoint()


@dataclass
class LifeDisk:
    """The disk as one process sees it."""

    disk: SimDisk
    life: Life

    def read(self, path: PurePath) -> bytes | None:
        self.life.check()
        path = self.disk.links.get(path, path)
        data = self.disk.files.get(path)
        return None if data is None else data + self.disk.pending.get(path, b"")

    async def _create(self, path: PurePath, data: bytes) -> None:
        """A new file is there as a whole or not at all: its folder is synced last."""
        assert path not in self.disk.files, f"{path} is there"
        await self._put(path, data)

    async def _put(self, path: PurePath, data: bytes) -> None:
        disk = self.disk
        await self.life.runs()
        if disk.blow is not None:
            blow, disk.blow = disk.blow, None
            blow(False)
        await SimClock.current().sleep(disk.chance.uniform(0.1, 2) * disk.sync_time)
        await self.life.runs()
        disk.tap.written(self.life, path, data)
        disk.files[path] = data
        disk.touch(path)
        disk.tap.synced(self.life, path, data)

    async def write_secret(self, path: PurePath, data: bytes) -> None:
        await self._create(path, data)

    async def replace(self, path: PurePath, data: bytes) -> None:
        """All or nothing: a rename."""
        await self._put(path, data)

    async def create_log(self, path: PurePath, data: bytes) -> LogFile:
        await self._create(path, data)
        return SimLog(self.disk, self.life, path)

    async def reopen_log(self, path: PurePath, size: int) -> LogFile:
        """What an earlier process has written is synced now."""
        await self.life.runs()
        self.disk.files[path] += self.disk.pending.pop(path, b"")
        data = self.disk.files[path]
        if data[size:]:
            self.disk.trace.reach("torn tail cut off", self.life.name, len(data) - size)
            number = sum(p.name.startswith("log.torn") for p in self.disk.files) + 1
            self.disk.files[path.with_name(f"log.torn-{number}")] = data[size:]
            self.disk.files[path] = data[:size]
            self.disk.touch(path)
        self.disk.tap.reopened(self.life, self.disk)
        return SimLog(self.disk, self.life, path)

    def newest(self, folder: PurePath) -> list[PurePath]:
        self.life.check()
        found: dict[PurePath, int] = {}
        for path, when in self.disk.changed.items():
            if folder in path.parents:
                child = folder / path.relative_to(folder).parts[0]
                found[child] = max(found.get(child, 0), when)
        return sorted(found, key=lambda path: -found[path])

    async def share(self, path: PurePath, folder: PurePath, name: str, suffix: str) -> PurePath:
        self.life.check()
        for number in itertools.count(1):
            target = folder / (f"{name}-{number}{suffix}" if number > 1 else f"{name}{suffix}")
            if target not in self.disk.links:
                self.disk.links[target] = path
                return target
        raise AssertionError

    async def refresh(self, path: PurePath, shared: PurePath) -> bool:
        self.life.check()
        return self.disk.links.get(shared) == path

    def lock(self, path: PurePath) -> bool:
        self.life.check()
        holder = self.disk.locks.get(path)
        if holder is not None and holder.alive:
            return False
        self.disk.locks[path] = self.life
        return True

    def release(self, path: PurePath) -> None:
        self.life.check()
        if self.disk.locks.get(path) is self.life:
            del self.disk.locks[path]

    def remove(self, path: PurePath) -> None:
        self.life.check()
        self.disk.files.pop(path, None)
        self.disk.changed.pop(path, None)
