"""What an untrusted listener holds: few strangers at a time, and none of them for long."""

import contextlib
import itertools
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from random import Random
from types import SimpleNamespace
from typing import cast

import pytest
import trio

from kotp2p.net import connections
from kotp2p.net.connections import MAX_HOST_DIALS, Connections
from kotp2p.net.entrance import (
    ARRIVALS_SECONDS,
    BUSY_LINE,
    FLOOD_CONNECTIONS,
    FLOOD_SECONDS,
    MAX_HANDSHAKES,
    MAX_HANDSHAKES_PER_NETWORK,
    MAX_PER_NETWORK_PER_SECOND,
    MAX_STRANGERS_PER_SECOND,
    HandshakeLimit,
    Newcomer,
    Passes,
)
from kotp2p.net.handshake import HANDSHAKE_SECONDS, make_hello
from kotp2p.net.links import LINK, FrameReader, Link, LinkEvent, LinkState
from kotp2p.rendezvous.exchange import PLACE_OF_RELAYED, RelayPlace
from kotp2p.seams.cores import Phase
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import Flooded, LinkChanged
from kotp2p.seams.world import CannotReach, Connection, World
from kotp2p.wire.addresses import network_of
from kotp2p.wire.crypto import Signer
from kotp2p.wire.frames import HelloRole
from tests.support.courses import digest_of
from tests.support.five_players import SIGNERS
from tests.support.memory_tables import HOST, PORT, TestTable
from tests.support.memory_world import MemoryNet, seeded, world
from tests.support.tls_links import ANA, tls
from tests.support.whole_games import Slow, same_sound_logs


async def held(strangers: list[trio.abc.Stream]) -> int:
    """How many of them the listener has not closed; none is closed by this look."""
    count = 0
    for stranger in strangers:
        with trio.move_on_after(0.1) as patience:
            with contextlib.suppress(trio.BrokenResourceError):
                assert await stranger.receive_some() in (b"", BUSY_LINE)
        count += patience.cancelled_caught
    return count


@pytest.mark.parametrize(
    ("addresses", "most"),
    [(1, MAX_HANDSHAKES_PER_NETWORK), (2, 2 * MAX_HANDSHAKES_PER_NETWORK), (40, MAX_HANDSHAKES)],
)
@pytest.mark.virtual_time
async def test_few_strangers_are_held_and_for_a_short_time(addresses: int, most: int) -> None:
    table = TestTable(players=2)
    strangers: list[trio.abc.Stream] = []
    async with table.hosted() as nursery:
        for n in range(40):
            connection = await table.net.at(f"10.9.9.{n % addresses}").dial(HOST, PORT)
            strangers.append(connection.stream)
            await trio.sleep(1 / MAX_STRANGERS_PER_SECOND)
        assert await held(strangers) == most
        await trio.sleep(HANDSHAKE_SECONDS)
        assert await held(strangers) == 0
        nursery.start_soon(table.guest, 1)
    assert [e.kind for e in table.endings.values()] == [EndKind.FINISHED] * 2


def begun(entrance: HandshakeLimit, addresses: list[str], now: float) -> int:
    """How many of them begin a handshake, one after the other, while the rest waits."""
    return sum(entrance.begin_handshake(a, addresses[n:], now) for n, a in enumerate(addresses))


def test_one_address_does_not_use_up_what_is_for_all() -> None:
    entrance = HandshakeLimit()
    assert begun(entrance, ["10.9.9.9"] * 100, 0.1) == MAX_PER_NETWORK_PER_SECOND
    others = [f"10.9.8.{n}" for n in range(100)]
    assert begun(entrance, others, 0.2) == MAX_STRANGERS_PER_SECOND - MAX_PER_NETWORK_PER_SECOND
    assert begun(entrance, [""] * 100, 0.2) == 100  # loopback
    assert not begun(entrance, ["10.9.7.1"], 1.05)
    assert begun(entrance, ["10.9.7.1"], 1.1)


def test_a_network_of_ipv6_is_one_whatever_address_of_it_comes() -> None:
    entrance = HandshakeLimit()
    one = [f"2001:db8:0:1::{n:x}" for n in range(1, 100)]
    assert begun(entrance, one, 0.0) == MAX_PER_NETWORK_PER_SECOND
    assert begun(entrance, ["2001:db8:0:2::1"], 0.0) == 1
    assert network_of("::ffff:10.0.0.1") == "10.0.0.1"
    assert network_of("fe80::1%eth0") == network_of("fe80::2")


async def test_a_connection_that_comes_when_all_links_end_is_closed() -> None:
    here, there = trio.testing.memory_stream_pair()
    events: list[LinkEvent] = []
    signer = Signer(bytes(31) + b"\1")
    async with trio.open_nursery() as nursery:
        links = Connections(
            world(MemoryNet(), HOST, "a"), signer, bytes(8), events.append, lambda _: None
        )
        links.start_links(nursery)
        nursery.cancel_scope.cancel()
        links.accept_connection(Connection(here, "10.0.0.1"))
    with trio.fail_after(5):
        assert await there.receive_some() == b""


@pytest.mark.parametrize("secret", [b"", b"s" * 10])
def test_without_an_invitation_to_watch_nobody_is_invited_to_watch(secret: bytes) -> None:
    """Nor by a pass that anybody could make."""
    here, signer = world(MemoryNet(), HOST, "a"), Signer(bytes(31) + b"\1")
    links = Connections(
        here, signer, bytes(8), lambda _event: None, lambda _: None, watch_secret=secret
    )
    name = Passes(secret).make(bytes(12))
    assert links.entrance.watch_passes.take(name) == bool(secret)


def test_the_network_that_has_come_least_in_the_last_minute_begins_first() -> None:
    entrance = HandshakeLimit()
    for address in ("10.9.9.1", "10.9.9.1", "10.9.9.2", "10.9.9.3"):
        entrance.note_arrival(address, 0.0)
    waiting = ["10.9.9.1", "10.9.9.2"]
    assert not entrance.begin_handshake("10.9.9.1", waiting, 0.0)
    assert entrance.begin_handshake("10.9.9.2", waiting, 0.0)
    assert entrance.choose_to_go(["10.9.9.3", "10.9.9.1", "10.9.9.2", "", "10.9.9.1"]) == 1
    entrance.note_arrival("10.9.9.2", ARRIVALS_SECONDS)  # only this one counts any more
    assert entrance.begin_handshake("10.9.9.1", waiting, ARRIVALS_SECONDS)
    assert len(entrance._arrivals) == 1


def test_a_flood_is_told_once_in_a_while() -> None:
    entrance = HandshakeLimit()
    told = [entrance.note_turned_away(n / 100) for n in range(FLOOD_CONNECTIONS + 100)]
    assert told[FLOOD_CONNECTIONS - 1] == FLOOD_CONNECTIONS
    assert sum(map(bool, told)) == 1
    calm = HandshakeLimit()
    pause = FLOOD_SECONDS / (FLOOD_CONNECTIONS - 1) + 0.01
    times = [n * pause for n in range(1_000)]
    assert not any(calm.note_turned_away(now) for now in times)


@dataclass
class Counting:
    """A door that lets everybody in, and notes for whom a handshake was begun and when."""

    begun: list[tuple[float, str]] = field(default_factory=list)

    async def wrap(
        self, connection: Connection, secret: bytes, dialled: bool, name: str = ""
    ) -> Connection:
        if not dialled:
            self.begun.append((trio.current_time(), connection.address))
        await trio.lowlevel.checkpoint()
        return connection

    def most_in_a_second(self) -> int:
        times = [when for when, address in self.begun if address.startswith("10.9.")]
        return max(sum(t <= u < t + 1 for u in times) for t in times)


@pytest.mark.parametrize(
    ("addresses", "most"), [(1, MAX_PER_NETWORK_PER_SECOND), (40, MAX_STRANGERS_PER_SECOND)]
)
@pytest.mark.virtual_time
async def test_a_flood_costs_a_game_little_and_keeps_nobody_out(addresses: int, most: int) -> None:
    table, door = TestTable(players=3, bots=1), Counting()
    table.worlds[0] = replace(table.world_of(0), security=door)
    table.net.undialable.add("10.0.0.2")  # so the guest has to come back
    for n in range(2):
        table.fronts[n] = Slow(f"slow {n}")

    async def flood() -> None:
        """Two hundred connections a second; a link of a player breaks meanwhile, and is remade."""
        while not table.front(1).asked:
            await trio.sleep(0.1)
        for n in range(800):
            if n == 400:
                table.break_links("10.0.0.2")
            connection = table.net.connect(f"10.9.9.{n % addresses}", HOST, PORT)
            await connection.stream.send_all(b"\0")
            await trio.sleep(0.005)
        changes = [x.up for x in table.front(0).notices if isinstance(x, LinkChanged)]
        assert changes == [False, True]

    await table.run(flood)
    assert door.most_in_a_second() == most
    same_sound_logs(table, range(2))


@pytest.mark.virtual_time
async def test_all_guests_get_in_through_a_flood_and_the_host_is_told() -> None:
    """Two hundred connections a second from forty addresses once kept all guests out."""
    table = TestTable(players=4)

    async def flood() -> None:
        for n in itertools.count():
            with contextlib.suppress(CannotReach):
                connection = table.net.connect(f"10.9.9.{n % 40}", HOST, PORT)
                await connection.stream.send_all(b"\0")
            await trio.sleep(0.005)

    async with table.hosted() as nursery:
        nursery.start_soon(flood)
        await trio.sleep(5)
        async with trio.open_nursery() as guests:
            for n in range(1, 4):
                guests.start_soon(table.guest, n)
        nursery.cancel_scope.cancel()
    assert [table.endings[n].kind for n in range(1, 4)] == [EndKind.FINISHED] * 3
    told = table.front(0).seen(Flooded)
    assert told
    assert told[0].count == FLOOD_CONNECTIONS


@pytest.mark.virtual_time
async def test_a_recorded_crowd_of_links_comes_and_goes_as_it_went(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Several processes of five players and of watchers link directly and through a relay."""
    chance, seen, there = Random(1), list[object](), list[trio.abc.Stream]()
    events, inbox = trio.open_memory_channel[object](10_000)
    monkeypatch.setattr(connections, "MAX_LINKS", 12)
    here = Connections(
        world(MemoryNet(), HOST, "a"), ANA, bytes(8), events.send_nowait, lambda _: None
    )
    caplog.set_level(logging.DEBUG, "kotp2p.links")
    async with trio.open_nursery() as nursery:
        here.start_links(nursery)
        for n in range(300):
            role, process = chance.choice(list(HelloRole)), bytes(7) + bytes([chance.randrange(3)])
            hello = make_hello(chance.choice(SIGNERS), process, b"", bytes(32), role)
            place = chance.choice(("10.0.0.1", PLACE_OF_RELAYED, ""))
            refusals = (
                here._judge_hello(hello, by_watch_invitation=chance.random() < 0.2),
                here._refuse_second_link(hello, relayed=place == PLACE_OF_RELAYED),
            )
            seen += [refusal and refusal.code for refusal in refusals]
            if refusals[0] is None or n % 5 == 0:
                one, other = trio.testing.memory_stream_pair()
                reader, phase = FrameReader(one, 512), Phase(LINK, LinkState.OPEN)
                here.serve_link(Link(n, hello, n % 3 == 0, place, one, reader, phase))
                there.append(other)
            await trio.sleep(chance.random())
            for link in list(here.links.values()):
                if chance.random() < 0.04:
                    chance.choice((link.close, link.cut))()
            await trio.aclose_forcefully(chance.choice(there))
            seen += [[*here.links], [link.number for link in here.player_links]]
        began = trio.current_time()
        await here.close_links(inbox)
        seen.append(round(trio.current_time() - began, 3))
        nursery.cancel_scope.cancel()
    seen += [sorted(caplog.messages), events.statistics().current_buffer_used]
    assert digest_of(seen) == "26727758a5a3801b"


async def turned_away(connection: Connection) -> None:
    await Newcomer(connection).turn_away()


async def shut_out(connection: Connection) -> None:
    await trio.aclose_forcefully(connection.stream)


@pytest.mark.virtual_time
@pytest.mark.parametrize(
    ("meets", "kind"), [(turned_away, EndKind.BUSY), (shut_out, EndKind.NOT_A_TABLE)]
)
async def test_a_guest_is_told_whether_it_has_met_a_full_table_or_none(
    meets: Callable[[Connection], Awaitable[None]], kind: EndKind
) -> None:
    table = TestTable(players=2)
    table.worlds[1] = replace(table.world_of(1), security=tls())
    came = 0

    def accept(connection: Connection) -> None:
        nonlocal came
        came += 1
        nursery.start_soon(meets, connection)

    async with trio.open_nursery() as nursery:
        acceptor = await table.net.at(HOST).listen(None, PORT, 1)
        nursery.start_soon(acceptor.serve, accept)
        await table.guest(1)
        nursery.cancel_scope.cancel()
    assert table.endings[1].kind is kind
    assert came == MAX_HOST_DIALS


@pytest.mark.virtual_time
async def test_a_player_gets_in_behind_a_crowd_at_the_same_address() -> None:
    """Five friends behind one router come in the same second."""
    table = TestTable(players=2)
    for n in range(2):
        table.worlds[n] = replace(table.world_of(n), security=tls())
    async with table.hosted() as nursery:
        for _ in range(MAX_PER_NETWORK_PER_SECOND):
            table.net.connect("10.0.0.2", HOST, PORT)
        nursery.start_soon(table.guest, 1)
    assert [e.kind for e in table.endings.values()] == [EndKind.FINISHED] * 2


async def test_no_token_of_a_relay_is_in_the_debug_log(caplog: pytest.LogCaptureFixture) -> None:
    """A report quotes the log, and whoever has the token can take the place of the other side."""
    place = RelayPlace("tcp:relay.test:4001", bytes(range(32)))

    async def dial(_address: str, _port: int) -> Connection:
        raise CannotReach("relay-gone", "it is not there")

    machine = SimpleNamespace(
        net=SimpleNamespace(dial=dial), entropy=seeded("machine"), security=None
    )
    connections = Connections(
        cast(World, machine), Signer(bytes(32)), bytes(8), lambda _: None, lambda _: None
    )
    with caplog.at_level(logging.DEBUG, "kotp2p.links"):
        async with trio.open_nursery() as nursery:
            connections.start_links(nursery)
            await connections.dial_peer(str(place), 0)
    assert "dial relay:tcp:relay.test:4001 port 0: CannotReach" in caplog.text
    assert place.token.hex() not in caplog.text
