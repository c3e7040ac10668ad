"""Logs as bytes: whole ones, cut ones, and where their records end."""

import functools
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import PurePath

import trio
import trio.testing

from kotp2p.game.verify import Result, verify_log
from kotp2p.seams.world import World
from kotp2p.wire.crypto import Signer
from kotp2p.wire.genesis import Clocks
from kotp2p.wire.records import RecordReader, read_genesis, read_head
from tests.support.memory_tables import TestTable
from tests.support.memory_world import MemoryDisk, memory_disk
from tests.support.whole_games import Leaver, Slow


@functools.cache
def short_log() -> bytes:
    """Two seats; one leaves at its first question, the other wins at the end of the turn."""
    table = TestTable(players=2)
    table.fronts[1] = Leaver("leaver", 1)
    return _log_of(table, 0)


@functools.cache
def long_log() -> bytes:
    return _log_of(TestTable(players=3), 1)


def changed_log() -> bytes:
    """Three seats; the others go on without one, a bot in its seat, until it comes back."""
    return changed_game()[0]


@functools.cache
def changed_game() -> tuple[bytes, tuple[Signer, ...]]:
    """The same with the keys of its players, by seat."""
    table = TestTable(players=3, clocks=Clocks(30, 30))
    for n in range(3):
        table.fronts[n] = Slow(f"slow {n}", goes_on=True)

    async def be_away() -> None:
        await trio.sleep(20)
        table.kill(2)
        await trio.sleep(90)
        await table.resume(2)

    log = _log_of(table, 0, be_away)
    return log, tuple(_signer_of(table, n) for n in range(3))


def _signer_of(table: TestTable, seat: int) -> Signer:
    disk = memory_disk(table.world_of(seat))
    return Signer(disk.files[PurePath("data/profiles/default/key")])


def offsets(data: bytes) -> list[int]:
    _, salt = read_head(data)
    reader = RecordReader(data, salt)
    starts = [reader.offset]
    while reader.read_record() is not None:
        starts.append(reader.offset)
    return starts


def without_end(data: bytes) -> bytes:
    """The log of a whole game before the first keeper has confirmed its end."""
    return data[: offsets(data)[-1 - len(verify_log(data).confirmed_by)]]


def cut_to(size: int) -> tuple[World, PurePath, Signer]:
    """The same machine with no more of the log than so many bytes."""
    world, folder, files = played()
    log = folder / "log"
    disk = MemoryDisk({**files, log: files[log][:size]})
    return replace(world, disk=disk), folder, Signer(files[PurePath("data/profiles/default/key")])


def boundaries() -> Iterator[int]:
    """Where records end, from the genesis on."""
    _, folder, files = played()
    data = files[folder / "log"]
    reader = RecordReader(data, read_head(data)[1])
    assert read_genesis(reader) is not None
    yield reader.offset
    while reader.read_record() is not None:
        yield reader.offset


def _log_of(
    table: TestTable, seat: int, meanwhile: Callable[[], Awaitable[None]] | None = None
) -> bytes:
    trio.run(table.run, meanwhile, clock=trio.testing.MockClock(autojump_threshold=0))
    log = table.endings[seat].log
    assert log is not None
    data = table.world_of(seat).disk.read(log)
    assert data is not None
    return data


@cache
def played() -> tuple[World, PurePath, dict[PurePath, bytes]]:
    """A finished game of two people, as the files of one were just before the end was known."""
    table = TestTable(players=2, rules="classic")
    trio.run(table.run, clock=trio.testing.MockClock(autojump_threshold=0))
    assert table.report(0).result is Result.SOUND
    world = table.world_of(0)
    disk = memory_disk(world)
    key = Signer(disk.files[PurePath("data/profiles/default/key")]).key
    (folder,) = (p.parent for p in disk.files if p.parts[-2:] == (key.hex(), "log"))
    removed = {path: data for path, data in disk.removed.items() if "games" in path.parts}
    return world, folder, {**removed, **disk.files}
