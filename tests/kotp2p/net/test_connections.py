"""What an untrusted listener holds: few strangers at a time, and none of them for long."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field, replace

import pytest
import trio

from kotp2p.endings import EndKind
from kotp2p.net.connections import MAX_HANDSHAKES, MAX_HANDSHAKES_PER_ADDRESS, MAX_HOST_DIALS
from kotp2p.net.handshake import HANDSHAKE_SECONDS
from kotp2p.net.handshake_limit import (
    MAX_PER_ADDRESS_PER_SECOND,
    MAX_STRANGERS_PER_SECOND,
    HandshakeLimit,
)
from kotp2p.notices import LinkChanged
from kotp2p.world import Connection
from tests.support.memory_tables import HOST, PORT, TestTable
from tests.support.tls_links import tls
from tests.support.whole_games import Slow, same_sound_logs


async def held(strangers: list[trio.abc.Stream]) -> int:
    """How many of them the listener has not closed; none is closed by this look."""
    count = 0
    for stranger in strangers:
        with trio.move_on_after(0.1) as patience:
            with contextlib.suppress(trio.BrokenResourceError):
                assert await stranger.receive_some() == b""
        count += patience.cancelled_caught
    return count


@pytest.mark.parametrize(
    ("addresses", "most"),
    [(1, MAX_HANDSHAKES_PER_ADDRESS), (2, 2 * MAX_HANDSHAKES_PER_ADDRESS), (40, MAX_HANDSHAKES)],
)
async def test_strangers_are_held_in_small_numbers_and_for_a_short_time(
    addresses: int, most: int, autojump_clock: trio.testing.MockClock
) -> None:
    table = TestTable(players=2)
    strangers: list[trio.abc.Stream] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.host)
        await trio.sleep(1)
        for n in range(40):
            connection = await table.net.at(f"10.9.9.{n % addresses}").dial(HOST, PORT)
            strangers.append(connection.stream)
            await trio.sleep(1 / MAX_STRANGERS_PER_SECOND)
        assert await held(strangers) == most
        await trio.sleep(HANDSHAKE_SECONDS)
        assert await held(strangers) == 0
        nursery.start_soon(table.guest, 1)
    assert [e.kind for e in table.endings.values()] == [EndKind.FINISHED] * 2


async def test_a_player_gets_in_while_strangers_wait(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=2)

    async def crowd(number: int) -> None:
        """Comes again and again, and says nothing."""
        while not table.endings:
            await table.net.at(f"10.9.9.{number}").dial(HOST, PORT)
            await trio.sleep(1)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.host)
        await trio.sleep(1)
        for number in range(5):
            nursery.start_soon(crowd, number)
        await trio.sleep(5)
        await table.guest(1)
        nursery.cancel_scope.cancel()
    assert table.endings[1].kind is EndKind.FINISHED


def test_one_address_does_not_use_up_what_is_for_all() -> None:
    entrance = HandshakeLimit()
    one = [entrance.admit_handshake("10.9.9.9", 0.1) for _ in range(100)]
    assert sum(one) == MAX_PER_ADDRESS_PER_SECOND
    others = [entrance.admit_handshake(f"10.9.8.{n}", 0.2) for n in range(100)]
    assert sum(others) == MAX_STRANGERS_PER_SECOND - MAX_PER_ADDRESS_PER_SECOND
    assert all(entrance.admit_handshake("", 0.2) for _ in range(100))  # loopback
    assert not entrance.admit_handshake("10.9.7.1", 1.05)
    assert entrance.admit_handshake("10.9.7.1", 1.1)


def test_players_come_in_whatever_strangers_do() -> None:
    entrance = HandshakeLimit({"10.0.0.2"})
    strangers = sum(entrance.admit_handshake(f"10.9.8.{n}", 0.0) for n in range(100))
    assert strangers == MAX_STRANGERS_PER_SECOND
    assert (
        sum(entrance.admit_handshake("10.0.0.2", 0.0) for _ in range(100))
        == MAX_PER_ADDRESS_PER_SECOND
    )


@dataclass
class Counting:
    """A door that lets everybody in, and notes for whom a handshake was begun and when."""

    begun: list[tuple[float, str]] = field(default_factory=list)

    async def wrap(self, connection: Connection, secret: bytes, dialled: bool) -> Connection:
        if not dialled:
            self.begun.append((trio.current_time(), connection.address))
        await trio.lowlevel.checkpoint()
        return connection

    def most_in_a_second(self) -> int:
        times = [when for when, address in self.begun if address.startswith("10.9.")]
        return max(sum(t <= u < t + 1 for u in times) for t in times)


@pytest.mark.parametrize(
    ("addresses", "most"), [(1, MAX_PER_ADDRESS_PER_SECOND), (40, MAX_STRANGERS_PER_SECOND)]
)
async def test_a_flood_costs_a_game_little_and_keeps_no_player_out(
    addresses: int, most: int, autojump_clock: trio.testing.MockClock
) -> None:
    table, door = TestTable(players=3, bots=1), Counting()
    table.worlds[0] = replace(table.world_of(0), security=door)
    table.net.undialable.add("10.0.0.2")  # so it is up to him to come back
    for n in range(2):
        table.fronts[n] = Slow(f"slow {n}")

    async def flood() -> None:
        """Two hundred connections a second; a link of a player breaks meanwhile, and is remade."""
        while not table.front(1).asked:
            await trio.sleep(0.1)
        for n in range(2000):
            if n == 400:
                table.break_links("10.0.0.2")
            table.net.connect(f"10.9.9.{n % addresses}", HOST, PORT)
            await trio.sleep(0.005)
        changes = [x.up for x in table.front(0).notices if isinstance(x, LinkChanged)]
        assert changes == [False, True]

    await table.run(flood)
    assert door.most_in_a_second() == most
    same_sound_logs(table, range(2))


async def test_a_player_gets_in_behind_a_crowd_at_the_same_address(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """Five friends behind one router come in the same second."""
    table = TestTable(players=2)
    for n in range(2):
        table.worlds[n] = replace(table.world_of(n), security=tls())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.host)
        await trio.sleep(1)
        for _ in range(MAX_PER_ADDRESS_PER_SECOND):
            table.net.connect("10.0.0.2", HOST, PORT)
        nursery.start_soon(table.guest, 1)
    assert [e.kind for e in table.endings.values()] == [EndKind.FINISHED] * 2


async def test_a_machine_that_closes_without_a_word_is_no_table_in_the_end(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=2)
    table.worlds[1] = replace(table.world_of(1), security=tls())
    came: list[float] = []

    def shut(connection: Connection) -> None:
        came.append(trio.current_time())
        nursery.start_soon(trio.aclose_forcefully, connection.stream)

    async with trio.open_nursery() as nursery:
        acceptor = await table.net.at(HOST).listen(None, PORT, 1)
        nursery.start_soon(acceptor.serve, shut)
        await table.guest(1)
        nursery.cancel_scope.cancel()
    assert table.endings[1].kind is EndKind.NOT_A_TABLE
    assert len(came) == MAX_HOST_DIALS
