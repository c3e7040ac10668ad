"""A dialler with a pass comes in through any flood of strangers."""

import contextlib
import itertools
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
import trio
import trio.testing

from kotp2p.net import entrance
from kotp2p.net.entrance import MAX_PASSES_KEPT, NONCE_BYTES, Passes, SplitStream
from kotp2p.net.handshake import LinkFault, OwnSide, TableBusy, make_hello, shake_hands
from kotp2p.seams.notices import Flooded, LinkChanged, StartSigned
from kotp2p.seams.world import CannotReach, Connection
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from tests.support.courses import digest_of
from tests.support.memory_tables import HOST, PORT, TestTable
from tests.support.tls_links import ANA, REX, WrappedStream, admit_all, hello, tls
from tests.support.whole_games import Slow, same_sound_logs

INVITATION = b"0123456789"


def networks_without_end() -> Callable[[], str]:
    """An attacker who never comes twice from one network."""
    numbers = itertools.count()
    return lambda: f"2001:db8:{(n := next(numbers)) >> 16:x}:{n & 0xFFFF:x}::1"


def neighbours() -> Callable[[], str]:
    """An attacker in the network of the first guest, behind the same router."""
    return lambda: "10.0.0.2"


async def flood(table: TestTable, caller: Callable[[], str], words: bytes) -> None:
    while True:
        with contextlib.suppress(CannotReach):
            connection = table.net.connect(caller(), HOST, PORT)
            if words:
                await connection.stream.send_all(words)
        await trio.sleep(0.005)


@pytest.mark.parametrize(
    ("words", "callers"), [(b"", neighbours), (hello("0" * 56), networks_without_end)]
)
@pytest.mark.virtual_time
async def test_invited_guests_get_in_through_a_flood_from_any_networks(
    words: bytes, callers: Callable[[], Callable[[], str]]
) -> None:
    table = TestTable(players=3, secret=INVITATION)
    for n in range(3):
        table.worlds[n] = replace(table.world_of(n), security=tls())
    async with table.hosted() as nursery:
        nursery.start_soon(flood, table, callers(), words)
        await trio.sleep(3)
        for n in range(1, 3):
            nursery.start_soon(table.guest, n)
        with trio.fail_after(20):
            while not all(table.front(n).seen(StartSigned) for n in range(3)):
                await trio.sleep(0.1)
        nursery.cancel_scope.cancel()
    assert table.front(0).seen(Flooded)


@pytest.mark.virtual_time
async def test_a_player_of_an_open_table_comes_back_from_another_address_through_a_flood() -> None:
    table = TestTable(players=3, bots=1)
    for n in range(2):
        table.worlds[n] = replace(table.world_of(n), security=tls())
        table.fronts[n] = Slow(f"slow {n}")

    async def attack() -> None:
        while not table.front(1).asked:
            await trio.sleep(0.1)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(flood, table, networks_without_end(), hello(None))
            await trio.sleep(2)
            table.net.undialable.add("10.0.0.7")  # so the guest has to come back
            await table.moves(1, "10.0.0.7")
            with trio.fail_after(20):
                while [x.up for x in table.front(0).seen(LinkChanged)][-1:] != [True]:
                    await trio.sleep(0.1)
            nursery.cancel_scope.cancel()

    await table.run(attack)
    same_sound_logs(table, range(2))


class Newcomers:
    """Connections that say what the test lets them say, and an entrance at which they wait."""

    def __init__(self, secret: bytes = INVITATION) -> None:
        self.entrance = entrance.Entrance(passes=entrance.Passes(secret))
        self.passes = entrance.Passes(secret)
        self.begun: list[str] = []
        self.streams: list[trio.abc.Stream] = []
        self._numbers = itertools.count()

    async def come(self, nursery: trio.Nursery, address: str, words: bytes) -> None:
        here, there = trio.testing.memory_stream_pair()
        self.streams.append(here)
        nursery.start_soon(self._wait, Connection(there, address))
        if words:
            await here.send_all(words)

    def hello(self) -> bytes:
        return hello(self.passes.make(next(self._numbers).to_bytes(12, "big")))

    async def _wait(self, connection: Connection) -> None:
        newcomer = self.entrance.admit(connection)
        with newcomer.scope:
            if await self.entrance.await_turn(newcomer) is not None:
                self.begun.append(newcomer.address + " to watch" * newcomer.is_invited_watcher)
        await self.entrance.let_go(newcomer)


@pytest.mark.virtual_time
async def test_a_pass_that_was_listened_to_is_no_pass_any_more() -> None:
    here = Newcomers()
    shown = here.hello()
    async with trio.open_nursery() as nursery:
        for n in range(100):  # strangers that have used up the strangers' share of this second
            await here.come(nursery, f"10.8.0.{n}", b"\0")
        await here.come(nursery, "10.0.0.2", shown)
        await trio.sleep(0.5)
        assert here.begun.count("10.0.0.2") == 1
        for n in range(50):
            await here.come(nursery, f"10.9.0.{n}", shown)
        await trio.sleep(0.4)
        assert not [address for address in here.begun if address.startswith("10.9.")]
        assert len(here.begun) == entrance.MAX_STRANGERS_PER_SECOND + 1
        nursery.cancel_scope.cancel()


@pytest.mark.virtual_time
async def test_few_connections_are_told_that_there_is_no_room() -> None:
    """Each costs a socket until its other side has read, and a game needs sockets, too."""
    here = Newcomers()
    async with trio.open_nursery() as nursery:
        for first in (0, 1_000):
            held = 0
            for n in range(1_000):
                await here.come(nursery, f"10.9.{n // 250}.{n % 250}", b"")
            await trio.testing.wait_all_tasks_blocked()
            for stream in here.streams[first:]:
                with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                    await stream.send_all(b"\0")
                    held += 1
            assert entrance.MAX_GOODBYES < held <= entrance.MAX_GOODBYES + entrance.MAX_HANDSHAKES
            await trio.sleep(60)  # each word has come to its end, or was given up
        nursery.cancel_scope.cancel()


@pytest.mark.virtual_time
async def test_a_recorded_evening_at_the_entrance_goes_as_it_went() -> None:
    """Players, guests, watchers and strangers come from many networks, alone and in floods."""
    chance, here, seen, watching = Random(1), Newcomers(), list[object](), Passes(b"to watch")
    here.entrance.tell_flood, here.entrance.watch_passes = seen.append, Passes(b"to watch")
    here.entrance.strangers_limit.player_addresses = {"10.0.0.1", "10.0.1.1"}
    async with trio.open_nursery() as nursery:
        for n in range(500):
            network = f"10.0.{chance.randrange(9)}.{chance.randrange(1, 4)}"
            address = chance.choice(("", "10.0.0.1", network, f"2001:db8:{n}::1"))
            watcher = hello(watching.make(n.to_bytes(NONCE_BYTES, "big")))
            await here.come(nursery, address, chance.choice((b"", b"\0", here.hello(), watcher)))
            await trio.sleep(chance.choice((0.004, 0.02, 0.1 if n % 300 else 70)) * chance.random())
            if n % 7 == 0:
                await chance.choice(here.streams[-9:]).aclose()
            queues = here.entrance._strangers, here.entrance._known
            seen += [here.begun[-5:], [len(queue.newcomers) for queue in queues]]
        nursery.cancel_scope.cancel()
    assert digest_of(seen) == "d4c97c39e50c442d"


class Waiting(WrappedStream):
    """A stream that holds back what is sent second, until it is told otherwise."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        super().__init__(stream)
        self.sent, self.goes_on = 0, trio.Event()

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self.sent += 1
        if self.sent > 1:
            await self.goes_on.wait()
        await self.stream.send_all(data)


async def test_a_guest_that_has_to_go_in_the_middle_of_tls_reads_that_the_table_is_busy() -> None:
    here, there = trio.testing.memory_stream_pair()
    slow, scope = Waiting(here), trio.CancelScope()
    found: list[Exception] = []

    def own(signer: Signer) -> OwnSide:
        hello = make_hello(signer, bytes(8), b"", bytes(32))
        return OwnSide(tls(), OPEN_TABLE_SECRET, signer, hello)

    async def listen() -> None:
        with scope:
            await shake_hands(Connection(there, "10.0.0.2"), own(ANA), False, 1, admit_all)

    async def dial() -> None:
        try:
            await shake_hands(Connection(slow, "10.0.0.1"), own(REX), True, 1, admit_all)
        except LinkFault as fault:
            found.append(fault)

    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(listen)
            nursery.start_soon(dial)
            await trio.testing.wait_all_tasks_blocked()
            scope.cancel()
            await trio.testing.wait_all_tasks_blocked()
            slow.goes_on.set()
    assert [type(fault) for fault in found] == [TableBusy]


# -- passes -------------------------------------------------------------------------------


SECRET, OTHER = b"0123456789", b"9876543210"
GAME, REMATCH = bytes(32), bytes(31) + b"\1"


def nonce(n: int) -> bytes:
    return n.to_bytes(NONCE_BYTES, "big")


def test_a_pass_is_good_once_at_each_listener() -> None:
    shown = Passes(SECRET).make(nonce(1))
    here, there = Passes(SECRET), Passes(SECRET)
    assert [here.take(shown), here.take(shown), there.take(shown)] == [True, False, True]


@pytest.mark.parametrize(
    ("secret", "game", "is_good"),
    [
        (SECRET, GAME, True),
        (SECRET, b"", True),  # somebody who has the invitation, and not the game
        (SECRET, REMATCH, False),
        (OTHER, GAME, False),
        (OTHER, b"", False),
        (OPEN_TABLE_SECRET, GAME, False),
    ],
)
def test_the_pass_of_a_closed_table_is_invited(secret: bytes, game: bytes, is_good: bool) -> None:
    assert Passes(SECRET, GAME).take(Passes(secret, game).make(nonce(1))) is is_good


@pytest.mark.parametrize(("game", "is_good"), [(GAME, True), (REMATCH, False), (b"", False)])
def test_a_pass_of_an_open_table_needs_its_game(game: bytes, is_good: bool) -> None:
    there = Passes(OPEN_TABLE_SECRET, GAME)
    assert there.take(Passes(OPEN_TABLE_SECRET, game).make(nonce(1))) is is_good


def test_nothing_is_a_pass_in_the_lobby_of_an_open_table() -> None:
    lobby = Passes()
    assert not lobby.are_worth_making
    assert not lobby.take(lobby.make(nonce(1)))


def test_another_form_of_a_pass_is_none() -> None:
    there = Passes(SECRET)
    good = there.make(nonce(0xABC))
    bad = (
        "", "kotp2p", good[:-2], good + "00", good.upper(), " " + good, "x" + good[1:],
        good[:-1] + ("0" if good[-1] != "0" else "1"),
    )  # fmt: skip
    assert [name for name in bad if there.take(name)] == []
    assert there.take(good)


def test_few_passes_are_kept() -> None:
    there = Passes(SECRET)
    for n in range(MAX_PASSES_KEPT + 10):
        assert there.take(there.make(nonce(n)))
    assert len(there._shown) == MAX_PASSES_KEPT
    assert not there.take(there.make(nonce(MAX_PASSES_KEPT)))


def test_few_arrivals_of_a_minute_are_counted() -> None:
    limit = entrance.HandshakeLimit()
    for n in range(entrance.MAX_ARRIVALS + 10):
        limit.note_arrival(f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}", 0.0)
    assert len(limit._arrived) == limit._arrivals.total() == entrance.MAX_ARRIVALS


async def test_what_was_read_ahead_comes_first_and_the_end_goes_through() -> None:
    here, there = trio.testing.memory_stream_pair()
    split = SplitStream(here, b"abc")
    await there.send_all(b"d")
    assert [await split.receive_some(*most) for most in ((2,), (), ())] == [b"ab", b"c", b"d"]
    await split.send_eof()
    assert await there.receive_some(1) == b""
