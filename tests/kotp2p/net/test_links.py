"""A link: how it reads, and how it ends."""

from collections.abc import Callable, Sequence

import pytest
import trio
import trio.testing

from kotp2p.net.handshake import OwnSide, make_hello, shake_hands
from kotp2p.net.links import MAX_WAITING_FRAMES, Link
from kotp2p.seams.cores import Allowance, Budget
from kotp2p.seams.world import Connection
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.frames import Frame, Ping, encode
from tests.support.tls_links import ANA, REX, admit_all


def side(signer: Signer) -> OwnSide:
    hello = make_hello(signer, bytes(8), b"", bytes(32))
    return OwnSide(None, OPEN_TABLE_SECRET, signer, hello)


def connections() -> tuple[Connection, Connection]:
    one, other = trio.testing.memory_stream_pair()
    return Connection(one, ""), Connection(other, "")


async def link_pair() -> tuple[Link, Link]:
    found: list[Link] = []
    here, there = connections()

    async def shake(connection: Connection, own: OwnSide, dialled: bool) -> None:
        found.append(await shake_hands(connection, own, dialled, 1, admit_all))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(shake, here, side(ANA), True)
        nursery.start_soon(shake, there, side(REX), False)
    return found[0], found[1]


def ignore(frame: object) -> None:
    pass


async def test_frames_that_come_together_are_looked_at_together() -> None:
    """A game writes what they bring with one sync of its log."""
    one, other = await link_pair()
    taken: list[Frame] = []
    counts: list[int] = []
    is_first = trio.Event()

    def receive(frame: Frame) -> None:
        taken.append(frame)
        is_first.set()

    async def count() -> None:
        await is_first.wait()
        counts.append(len(taken))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(count)
        nursery.start_soon(other.run, receive)
        await one._stream.send_all(10 * encode(Ping()))
        await trio.testing.wait_all_tasks_blocked()
        other.cut()
    assert counts == [10]


@pytest.mark.virtual_time
async def test_of_frames_without_end_no_more_are_read_than_the_other_side_may_cost() -> None:
    one, other = await link_pair()
    heard: list[Frame] = []

    def take(frame: Frame) -> None:
        heard.append(frame)
        other.note_taken()

    other.budget = Budget(Allowance(10, 1.0))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(other.run, take)
        await one._stream.send_all(100 * encode(Ping()))
        await trio.sleep(2.5)
        other.cut()
    assert len(heard) == 12


@pytest.mark.virtual_time
async def test_a_link_that_is_closed_is_read_to_its_end_though_nobody_takes_its_frames() -> None:
    """Or it would be held open for as long as a peer may be that does not read."""
    one, other = await link_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.run, ignore)
        nursery.start_soon(other.run, ignore)
        for _ in range(2 * MAX_WAITING_FRAMES):
            one.send(Ping())
        await trio.sleep(1)
        one.close()
        other.close()
        await trio.sleep(1)
        assert not nursery.child_tasks


async def test_the_last_words_over_a_link_are_sent_though_the_other_side_has_ended_it() -> None:
    one, other = await link_pair()
    heard: list[Frame] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(other.run, heard.append)
        for _ in range(10):
            one.send(Ping())
        one.close()
        other.close()
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(one.run, ignore)
    assert len(heard) == 10


@pytest.mark.parametrize(
    "steps", [(Link.close, Link.close, Link.cut, Link.close), (Link.cut, Link.cut, Link.close)]
)
async def test_a_link_that_has_ended_ends_once(steps: Sequence[Callable[[Link], None]]) -> None:
    one, other = await link_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.run, ignore)
        nursery.start_soon(other.run, ignore)
        for step in steps:
            step(one)
    one.close()
    one.cut()


@pytest.mark.virtual_time
async def test_a_link_whose_reader_is_cancelled_ends_for_the_other_side_too() -> None:
    """One who only asks for its seat would seem to watch until the link is dead."""
    one, other = await link_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.run, ignore)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    with trio.fail_after(1):
        assert await other.run(ignore) == "closed"
