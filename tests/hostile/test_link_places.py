"""Links are for players: whatever strangers and hostile seats connect, a seat finds room."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio
import trio.testing

from kotp2p.net.connections import MAX_LINKS, MAX_LINKS_OF_KEY, Connections
from kotp2p.net.entrance import MAX_PER_NETWORK_PER_SECOND
from kotp2p.net.handshake import Door, OwnSide, Refused, make_hello, shake_hands
from kotp2p.net.links import Link
from kotp2p.seams.notices import LobbyChanged
from kotp2p.seams.world import Connection
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.frames import RefusalCode
from tests.support.memory_tables import TestTable
from tests.support.memory_world import MemoryNet, world
from tests.support.tls_links import ANA, REX, admit_all

GUEST = "10.0.0.2"


def stranger(n: int) -> Signer:
    return Signer(n.to_bytes(32, "big"))


def own_side(signer: Signer, instance: int, table: bytes) -> OwnSide:
    hello = make_hello(signer, instance.to_bytes(8, "big"), table, bytes(32))
    return OwnSide(Door(None, OPEN_TABLE_SECRET), signer, hello)


async def link_or_refusal(
    table: TestTable, address: str, port: int, signer: Signer, table_id: bytes
) -> Link | int:
    connection = table.net.connect(f"10.9.9.{signer.key[0]}", address, port)
    try:
        return await shake_hands(connection, own_side(signer, 0, table_id), True, 1, admit_all)
    except Refused as fault:
        return fault.refusal.code


def port_of(table: TestTable, address: str) -> int:
    return next(port for place, port in table.net.listening if place == address)


async def test_a_stranger_gets_no_link_to_a_guest_whose_game_has_not_begun(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=3)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.host)
        await trio.sleep(1)
        nursery.start_soon(table.guest, 1)
        while not table.front(1).seen(LobbyChanged):
            await trio.sleep(0.1)
        found, port = [], port_of(table, GUEST)
        for n in range(1, 20):
            other_table = bytes((n,)) * 32
            found.append(await link_or_refusal(table, GUEST, port, stranger(n), other_table))
            await trio.sleep(1 / MAX_PER_NETWORK_PER_SECOND)
        nursery.cancel_scope.cancel()
    assert found == [RefusalCode.NO_TABLE] * 19


@asynccontextmanager
async def listener() -> AsyncIterator[tuple[Connections, trio.Nursery]]:
    """One that lets everybody in, and never looks at what they send."""
    connections = Connections(
        world(MemoryNet(), "10.0.0.1", "a"), ANA, bytes(8), lambda _: None, admit_all
    )
    async with trio.open_nursery() as nursery:
        connections.start_links(nursery)
        yield connections, nursery
        nursery.cancel_scope.cancel()


async def linked(connections: Connections, signer: Signer, instance: int) -> Link:
    here, there = trio.testing.memory_stream_pair()
    connections.accept_connection(Connection(there, ""))
    return await shake_hands(
        Connection(here, ""), own_side(signer, instance, b""), True, 1, admit_all
    )


async def test_a_key_has_few_links_however_many_processes_it_shows(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with listener() as (connections, _):
        for n in range(2 * MAX_LINKS):
            await linked(connections, REX, n)
            await trio.testing.wait_all_tasks_blocked()
            assert len(connections.links) <= MAX_LINKS_OF_KEY
        newest = [link.their_hello.instance for link in connections.links.values()][-1]
        assert int.from_bytes(newest, "big") == 2 * MAX_LINKS - 1
        await linked(connections, stranger(1), 0)


async def test_links_that_are_closing_leave_their_places_to_new_ones(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """Guests that are sent away, and do not read why, are held for some seconds."""
    async with listener() as (connections, _):
        for n in range(MAX_LINKS):
            await linked(connections, stranger(n), 0)
        await trio.testing.wait_all_tasks_blocked()
        assert len(connections.links) == MAX_LINKS
        for link in list(connections.links.values())[:8]:
            link.close()
        for n in range(8):
            await linked(connections, stranger(MAX_LINKS + n), 0)
            await trio.testing.wait_all_tasks_blocked()
        assert len(connections.links) == MAX_LINKS
