"""The simulation itself: its streams are streams, its runs are repeatable, its dead stay dead."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import PurePath
from random import Random

import pytest
import trio
import trio.testing

from tests.tools.sim.__main__ import Batch
from tests.tools.sim.clock import SimClock
from tests.tools.sim.disk import LifeDisk, SimDisk
from tests.tools.sim.life import Gone, Life
from tests.tools.sim.net import SimHost, SimNet, SimStream
from tests.tools.sim.trace import Trace


@pytest.fixture
def sim_clock() -> SimClock:
    return SimClock()


class NoTap:
    def sent(self, life: Life, stream: int, data: bytes) -> None: ...
    def synced(self, life: Life, path: PurePath, data: bytes) -> None: ...
    def written(self, life: Life, path: PurePath, data: bytes) -> None: ...
    def reopened(self, life: Life, disk: SimDisk) -> None: ...


async def pair() -> tuple[SimStream, SimStream]:
    net = SimNet(Trace(), Random(1), NoTap())
    host, guest = Life(0, 0, "10.0.0.1"), Life(1, 0, "10.0.0.2")
    acceptor = await SimHost(net, host).listen(None, 4242, 1)
    ours = (await SimHost(net, guest).dial("10.0.0.1", acceptor.port)).stream
    theirs = acceptor._arrived.popleft().stream
    assert isinstance(ours, SimStream)
    assert isinstance(theirs, SimStream)
    return ours, theirs


async def clogged() -> tuple[SimStream, SimStream]:
    ours, theirs = await pair()
    with trio.move_on_after(1):
        await ours.send_all(bytes(100_000))
    with trio.move_on_after(1):
        await theirs.send_all(bytes(100_000))
    return ours, theirs


def test_a_simulated_connection_is_a_stream() -> None:
    async def check() -> None:
        await trio.testing.check_half_closeable_stream(pair, clogged)

    trio.run(check, clock=SimClock())


@pytest.mark.parametrize("seed", [4, 17])
def test_one_seed_is_one_trace_in_every_process(seed: int) -> None:
    traces = set()
    for hash_seed in ("0", "777"):
        run = subprocess.run(
            [sys.executable, "-m", "tests.sim", "--seed", str(seed)],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        )
        traces.add(next(line for line in run.stdout.splitlines() if line.startswith("trace ")))
    assert len(traces) == 1


def disk_of(life: Life) -> LifeDisk:
    return LifeDisk(SimDisk(Trace(), Random(3), NoTap()), life)


async def test_what_was_synced_survives_and_the_rest_may_be_torn(
    sim_clock: SimClock,
) -> None:
    lengths = set()
    for seed in range(60):
        life = Life(0, 0, "")
        disk = SimDisk(Trace(), Random(seed), NoTap())
        path = PurePath("log")
        file = await LifeDisk(disk, life).create_log(path, b"head")
        await file.append(b"first")
        disk.blow = lambda done, disk=disk: disk.power_fails()
        await file.append(b"second")
        assert disk.files[path].startswith(b"headfirst")
        lengths.add(len(disk.files[path]))
    assert lengths >= {9, 15}
    assert len(lengths) > 4


async def test_the_dead_write_nothing(sim_clock: SimClock) -> None:
    life = Life(0, 0, "")
    disk = disk_of(life)
    path = PurePath("log")
    file = await disk.create_log(path, b"head")
    life.alive = False
    with pytest.raises(Gone):
        await file.append(b"more")
    with pytest.raises(Gone):
        disk.read(path)
    assert disk.disk.files[path] == b"head"


async def test_a_lock_is_held_by_the_living(sim_clock: SimClock) -> None:
    first, second = Life(0, 0, ""), Life(0, 1, "")
    disk = disk_of(first)
    other = LifeDisk(disk.disk, second)
    assert disk.lock(PurePath("lock"))
    assert not other.lock(PurePath("lock"))
    first.alive = False
    assert other.lock(PurePath("lock"))


@pytest.mark.parametrize("cheats", [False, True])
def test_what_a_batch_has_not_reached_is_listed_and_no_violation(cheats: bool) -> None:
    batch = Batch()
    assert len(batch.unreached(cheats)) > 10
    assert batch.judge() == []
    batch.rolled.update({1: 9999})
    assert batch.judge() == ["I11: the dice are unfair: Counter({1: 9999})"]
