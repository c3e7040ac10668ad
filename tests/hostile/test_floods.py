"""A link brings more than it may: it is held up itself, and nobody else is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing

from kotp2p.net import links
from kotp2p.net.handshake import OwnSide, make_hello, shake_hands
from kotp2p.seams import cores
from kotp2p.seams.world import Connection
from kotp2p.shell.lobby_stage import MAX_EARLY_BYTES, MAX_EARLY_FRAMES, EarlyItems
from kotp2p.shell.table_loop import Item, TableLoop
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.encoding import MAX_FRAME_BYTES
from kotp2p.wire.frames import Frame, GenesisShown, Ping, Sit, Want, encode
from tests.support.memory_tables import HOST, Recorder
from tests.support.memory_world import MemoryNet, world
from tests.support.tls_links import ANA, REX, WrappedStream, admit_all

SIT = encode(Sit("Mallory", "", 0))
LARGE = encode(GenesisShown(bytes(60_000)))


async def proved_link() -> tuple[links.Link, trio.abc.Stream]:
    """A link of Ana's, and the bare stream of a stranger that has proved its key."""
    found: dict[bool, links.Link] = {}
    here, there = trio.testing.memory_stream_pair()

    async def shake(stream: trio.abc.Stream, signer: Signer, dialled: bool) -> None:
        own = make_hello(signer, bytes(8), b"", bytes(32))
        side = OwnSide(None, OPEN_TABLE_SECRET, signer, own)
        found[dialled] = await shake_hands(Connection(stream, ""), side, dialled, 1, admit_all)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(shake, here, REX, True)
        nursery.start_soon(shake, there, ANA, False)
    return found[False], here


@asynccontextmanager
async def flooded(
    data: bytes, *, owner_takes: bool = True
) -> AsyncIterator[tuple[links.Link, list[Frame]]]:
    """The link, and what has come over it while its other side sends without end."""
    link, stream = await proved_link()
    got: list[Frame] = []

    def receive(frame: Frame) -> None:
        got.append(frame)
        if owner_takes:
            link.note_taken()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run, receive)
        nursery.start_soon(stream.send_all, data)
        yield link, got
        nursery.cancel_scope.cancel()


@pytest.mark.virtual_time
async def test_a_stranger_is_read_at_its_own_pace() -> None:
    """17,000 frames once threw all honest guests out of a lobby."""
    async with flooded(SIT * 17_000) as (_, got):
        await trio.testing.wait_all_tasks_blocked()
        assert len(got) == cores.STRANGER_UNITS
        await trio.sleep(10)
        assert len(got) - cores.STRANGER_UNITS >= cores.STRANGER_UNITS_PER_SECOND * 10 - 1
        assert len(got) - cores.STRANGER_UNITS <= cores.STRANGER_UNITS_PER_SECOND * 10


@pytest.mark.virtual_time
async def test_a_seat_is_read_at_its_own_pace_whatever_links_it_makes() -> None:
    budget = cores.Budget.for_seat()
    for at_once in (cores.SEAT_UNITS, 0):
        link, stream = await proved_link()
        link.budget, got = budget, list[Frame]()

        def receive(frame: Frame, got: list[Frame] = got, link: links.Link = link) -> None:
            got.append(frame)
            link.note_taken()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(link.run, receive)
            nursery.start_soon(stream.send_all, encode(Want(0, 1)) * 10_000)
            await trio.testing.wait_all_tasks_blocked()
            assert abs(len(got) - at_once) <= 1
            await trio.sleep(1)
            assert abs(len(got) - at_once - cores.SEAT_UNITS_PER_SECOND) <= 1
            nursery.cancel_scope.cancel()


@pytest.mark.virtual_time
async def test_few_frames_of_a_link_wait_for_a_busy_program() -> None:
    async with flooded(SIT * 1_000, owner_takes=False) as (link, got):
        link.budget = cores.Budget.for_seat()
        await trio.sleep(1)
        assert len(got) == links.MAX_WAITING_FRAMES
        link.note_taken()
        await trio.sleep(1)
        assert len(got) == links.MAX_WAITING_FRAMES + 1


@pytest.mark.virtual_time
async def test_few_bytes_of_a_link_wait_for_a_busy_program() -> None:
    async with flooded(LARGE * 100, owner_takes=False) as (link, got):
        link.budget = cores.Budget.for_seat()
        await trio.sleep(1)
        assert len(got) == links.MAX_WAITING_BYTES // 60_000 + 1


class Taking:
    ending = None
    deadline = 0.0

    def __init__(self) -> None:
        self.taken: list[Item] = []

    def accept_item(self, item: Item, now: float) -> None:
        self.taken.append(item)
        assert isinstance(item, links.FrameReceived)
        item.link.cut()

    def is_player_link(self, link: links.Link) -> bool:
        return True

    async def perform_item_effects(self) -> Taking:
        return self

    async def finish_batch(self, now: float) -> Taking:
        return self


async def test_what_has_come_over_a_link_that_is_cut_is_thrown_away() -> None:
    link, _ = await proved_link()
    stage, loop = Taking(), TableLoop(world(MemoryNet(), HOST, "a"), ANA, Recorder("ana"))
    for _again in range(2):
        await loop._feed_batch(stage, [links.FrameReceived(link, Want(0, n)) for n in range(40)])
    assert stage.taken == [links.FrameReceived(link, Want(0, 0))]


@pytest.mark.virtual_time
async def test_a_frame_that_comes_byte_by_byte_is_read_at_the_pace_of_its_sender() -> None:
    """Each byte in a record of its own: 180 KB took a second of the reader's time."""
    link, stream = await proved_link()
    read = 0

    class Drips(WrappedStream):
        async def receive_some(self, max_bytes: int | None = None) -> bytes:
            nonlocal read
            await trio.lowlevel.checkpoint()
            read += 1
            return LARGE[read - 1 : read]

    link._reader = links.FrameReader(Drips(stream), MAX_FRAME_BYTES)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run, lambda frame: None)
        await trio.sleep(10)
        nursery.cancel_scope.cancel()
    may_read = (cores.STRANGER_UNITS + 10 * cores.STRANGER_UNITS_PER_SECOND) / cores.PART_UNITS
    assert 0.9 * may_read < read < 1.1 * may_read


@pytest.mark.parametrize(
    ("frame", "most"),
    [(GenesisShown(bytes(60_000)), MAX_EARLY_BYTES // 60_000), (Ping(), MAX_EARLY_FRAMES)],
)
async def test_a_guest_holds_few_frames_of_a_link_before_the_game(frame: Frame, most: int) -> None:
    """A host can seat invented players, whose frames wait for a game that never begins."""
    link, _ = await proved_link()
    early = EarlyItems()
    early.hold_link_event(links.LinkOpened(link))
    for _ in range(most):
        early.hold_link_event(links.FrameReceived(link, frame))
        assert not link.was_shut
    early.hold_link_event(links.FrameReceived(link, frame))
    assert link.was_shut
    early.hold_link_event(links.LinkClosed(link))
    assert early.release() == []
    assert not early._bytes
