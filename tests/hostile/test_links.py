"""Whoever has proved a key, on real sockets of this machine under TLS: strangers at an open table
can do that. tests/kotp2p/net/test_tls.py has what comes before the proof."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from math import inf

import pytest
import trio
import trio.testing

from kotp2p.net.handshake import Door, LinkFault, OwnSide, make_hello, shake_hands
from kotp2p.net.links import MAX_QUEUED_BYTES, MAX_QUEUED_FRAMES, Link
from kotp2p.net.machine import MachineNet
from kotp2p.seams.cores import Allowance, Budget
from kotp2p.seams.world import Connection
from kotp2p.wire.crypto import OPEN_TABLE_SECRET
from kotp2p.wire.frames import Frame, GenesisShown, Ping, Sit, Want, encode
from tests.support.tls_links import ANA, linked

BAD_RECORD = b"\x17\x03\x03\x00\x20" + bytes(32)


@dataclass
class Met:
    """A link of ours, and the bare socket of who dialled it."""

    ours: Link
    theirs: Link
    bare: trio.abc.Stream


@asynccontextmanager
async def connected() -> AsyncIterator[tuple[Connection, Connection]]:
    """Both ends of a TCP connection, the dialler's first."""
    send, receive = trio.open_memory_channel[Connection](1)
    acceptor = await MachineNet().listen("127.0.0.1", 0, 1)
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(acceptor.serve, send.send_nowait)
            here = await MachineNet().dial("127.0.0.1", acceptor.port)
            there = await receive.receive()
            yield here, there
            nursery.cancel_scope.cancel()
    await acceptor.aclose()
    for connection in (here, there):
        await trio.aclose_forcefully(connection.stream)


@asynccontextmanager
async def met() -> AsyncIterator[Met]:
    async with connected() as (here, there):
        theirs, ours = await linked(here, there)
        assert isinstance(theirs, Link)
        assert isinstance(ours, Link)
        yield Met(ours, theirs, here.stream)


async def run(link: Link, ended: list[str]) -> None:
    ended.append(await link.run(lambda _: None))


async def test_sends_noise_beneath_tls() -> None:
    async with met() as found, trio.open_nursery() as nursery:
        ended: list[str] = []
        nursery.start_soon(run, found.ours, ended)
        await found.bare.send_all(BAD_RECORD)
    assert ended == ["broken"]


async def test_sends_noise_beneath_tls_while_its_link_is_closed() -> None:
    """There is something left to send when no record can be written any more."""
    ended: list[str] = []
    async with met() as found, trio.open_nursery() as nursery:
        nursery.start_soon(run, found.ours, ended)
        while found.ours._queued_bytes < MAX_QUEUED_BYTES / 2:  # until the system takes no more
            for _ in range(MAX_QUEUED_BYTES // 2 // 60_000 + 1):
                found.ours.send(GenesisShown(bytes(60_000)))
            await trio.testing.wait_all_tasks_blocked()
        found.ours.close()
        await found.bare.send_all(BAD_RECORD)
        await trio.testing.wait_all_tasks_blocked(0.2)
        while not ended:
            await found.bare.receive_some(65_536)
    assert ended == ["broken"]


async def test_stops_reading() -> None:
    """The queue is bounded, then the link is cut; nobody waits."""
    ended: list[str] = []
    async with met() as found, trio.open_nursery() as nursery:
        nursery.start_soon(run, found.ours, ended)
        for _ in range(MAX_QUEUED_FRAMES + 1):
            found.ours.send(Want(0, 1))
        assert found.ours.is_closing
    assert len(ended) == 1


async def test_stops_reading_while_much_is_said() -> None:
    """Few of the longest frames are a queue, too: 4096 of them once held 256 MiB."""
    ended: list[str] = []
    long = GenesisShown(bytes(60_000))
    size = len(encode(long))
    async with met() as found, trio.open_nursery() as nursery:
        nursery.start_soon(run, found.ours, ended)
        for n in range(MAX_QUEUED_BYTES // size + 1):
            assert not found.ours.is_closing
            assert found.ours._queued_bytes == n * size <= MAX_QUEUED_BYTES
            found.ours.send(long)
        assert found.ours.is_closing
        assert found.ours._queue.statistics().current_buffer_used == 0
    assert len(ended) == 1


async def test_a_link_that_is_read_may_bring_any_number_of_bytes() -> None:
    count, got = 4 * MAX_QUEUED_BYTES // 60_000, 0
    async with met() as found, trio.open_nursery() as nursery:

        def take(_: Frame) -> None:
            nonlocal got
            got += 1
            found.theirs.note_taken()
            if got < count:
                found.ours.send(GenesisShown(bytes(60_000)))
            else:
                nursery.cancel_scope.cancel()

        found.theirs.budget = Budget(Allowance(inf, 1.0))
        nursery.start_soon(found.ours.run, lambda _: None)
        nursery.start_soon(found.theirs.run, take)
        found.ours.send(GenesisShown(bytes(60_000)))
    assert got == count


async def test_sends_a_thousand_frames_at_once() -> None:
    """All are taken, in order; what is done about them is for who reads them."""
    frames: list[Frame] = [Ping(), *(Sit("x", "", port) for port in range(1_000))]
    got: list[Frame] = []
    async with met() as found, trio.open_nursery() as nursery:

        def take(frame: Frame) -> None:
            got.append(frame)
            found.ours.note_taken()

        found.ours.budget = Budget.for_seat()
        nursery.start_soon(found.ours.run, take)
        await found.theirs._stream.send_all(b"".join(encode(frame) for frame in frames))
        found.theirs.close()
        await found.theirs.run(lambda _: None)
    assert got == frames


async def test_sends_everything_back_that_it_is_sent() -> None:
    """Our own hello and proof, from a mirror: who dialled is signed, too. Bare of TLS, as nobody
    could hold a mirror to that."""
    own = make_hello(ANA, bytes(8), b"", bytes(32))
    async with connected() as (here, there), trio.open_nursery() as nursery:

        async def mirror() -> None:
            while data := await here.stream.receive_some(65_536):
                await here.stream.send_all(data)

        nursery.start_soon(mirror)
        with pytest.raises(LinkFault, match="not its key's"):
            await shake_hands(
                there, OwnSide(Door(None, OPEN_TABLE_SECRET), ANA, own), True, 1, lambda _: None
            )
