"""Whoever has proved a key, on real sockets of this machine under TLS: strangers at an open table
can do that. tests/kotp2p/net/test_tls.py has what comes before the proof."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from math import inf

import pytest
import trio
import trio.testing

from kotp2p.lobby.start import StartAttempt
from kotp2p.mesh.gossip import SendFrame
from kotp2p.mesh.reachability import DETOUR_SECONDS
from kotp2p.net.connections import MAX_LINKS, MAX_LINKS_OF_KEY, Connections
from kotp2p.net.dialer import Dialer
from kotp2p.net.entrance import MAX_PER_NETWORK_PER_SECOND
from kotp2p.net.handshake import LinkFault, OwnSide, Refused, make_hello, make_refusal, shake_hands
from kotp2p.net.links import MAX_QUEUED_BYTES, MAX_QUEUED_FRAMES, Link
from kotp2p.net.machine import MachineNet
from kotp2p.peer.peer import Peer
from kotp2p.referee.model.answers import Answer, Pass, Seat
from kotp2p.referee.model.decisions import Decision
from kotp2p.rendezvous.exchange import PLACE_OF_RELAYED
from kotp2p.seams.commands import Leave
from kotp2p.seams.cores import RELAYS_AT_ONCE, Allowance, Budget
from kotp2p.seams.notices import Detour, GameStarted, LobbyChanged, SeatView
from kotp2p.seams.world import CannotReach, Connection
from kotp2p.wire.addresses import SignedAddress
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.entries import Answering, Entry, Signed
from kotp2p.wire.frames import Frame, GenesisShown, Ping, RefusalCode, Sit, Want, encode
from kotp2p.wire.lineups import LineUp, Ready
from tests.support.five_players import SIGNERS, genesis
from tests.support.hearing import hear_frame
from tests.support.memory_tables import HOST, Recorder, TestTable
from tests.support.memory_world import MemoryNet, world
from tests.support.tls_links import ANA, REX, admit_all, linked
from tests.support.wired_peers import WiredPeers

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
        for _ in range(MAX_QUEUED_BYTES // size):
            found.ours.send(long)
        rest = MAX_QUEUED_BYTES - found.ours._queued_bytes
        found.ours.send(GenesisShown(bytes(60_000 - size + rest)))
        assert (found.ours._queued_bytes, found.ours.is_closing) == (MAX_QUEUED_BYTES, False)
        found.ours.send(Ping())
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
                there, OwnSide(None, OPEN_TABLE_SECRET, ANA, own), True, 1, lambda _: None
            )


# -- new links -------------------------------------------------------------------------------------

# A player links anew again and again, and says what it has said before.


ME, FRIEND, MALLORY = 0, 1, 4
SOME_LINKS = 10


def some_way_into_a_game() -> tuple[WiredPeers, Peer]:
    table = WiredPeers(MALLORY)
    table.play_on(30)
    return table, table.peers[ME]


def words_about_line_ups(found: Peer, attempts: range) -> list[Signed]:
    """For each attempt a READY and an assent of Mallory's, for a line-up that nobody else finds."""
    game, key, said = genesis().id, SIGNERS[MALLORY], list[Signed]()
    for attempt in attempts:
        base = (found.ledger.height, found.ledger.head)
        lineup = LineUp.build(game, attempt, game, base, bytes(32), (), ())
        said.append(Ready.sign(key, game, MALLORY, attempt, lineup.id, bytes(8)).signed)
        said.append(lineup.signed({MALLORY: lineup.assent(key)}))
    return said


def links_anew_and_sends(table: WiredPeers, found: Peer, frames: list[Signed]) -> Counter[Seat]:
    """How many bodies the peer sends to each seat because of that."""
    found.link_up(MALLORY, table.now)
    for frame in frames:
        hear_frame(found, MALLORY, frame, table.now)
    table.now += 0.5
    return sent_by(found)


def sent_by(found: Peer) -> Counter[Seat]:
    return Counter(
        e.seat
        for e in found.take_effects()
        if isinstance(e, SendFrame) and isinstance(e.frame, Signed)
    )


def test_the_same_words_over_new_links_leave_room_on_the_new_link_of_another_seat() -> None:
    """Each new link is greeted with what is known about line-ups: its queue has an end."""
    table, found = some_way_into_a_game()
    frames = words_about_line_ups(found, range(1, 65))
    for _ in range(SOME_LINKS):
        links_anew_and_sends(table, found, frames)
    found.link_up(FRIEND, table.now)
    assert sent_by(found)[FRIEND] < MAX_QUEUED_FRAMES / 8


def test_line_ups_without_end_leave_room_on_the_new_link_of_another_seat() -> None:
    table, found = some_way_into_a_game()
    for first in range(1, 600, 50):
        links_anew_and_sends(table, found, words_about_line_ups(found, range(first, first + 50)))
    found.link_up(FRIEND, table.now)
    assert sent_by(found)[FRIEND] < MAX_QUEUED_FRAMES / 8


def test_line_ups_without_end_are_passed_on_at_a_pace() -> None:
    table, found = some_way_into_a_game()
    sent_by(found)
    for frame in words_about_line_ups(found, range(1, 600)):
        hear_frame(found, MALLORY, frame, table.now)
    assert sent_by(found)[FRIEND] < 2 * RELAYS_AT_ONCE


def test_the_same_words_over_a_new_link_are_not_passed_on_again() -> None:
    """Other links are not filled with them."""
    table, found = some_way_into_a_game()
    frames = words_about_line_ups(found, range(1, 9))
    first = links_anew_and_sends(table, found, frames)
    assert first[FRIEND] >= 8
    again = links_anew_and_sends(table, found, frames)
    assert again[FRIEND] == 0


def test_an_entry_on_a_past_of_long_ago_does_not_fill_all_links_with_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    most = 30
    monkeypatch.setattr("kotp2p.mesh.gossip.MAX_BODIES_PER_REQUEST", most)
    table, found = some_way_into_a_game()
    assert len(found.ledger.chain.bodies_since(0)) > most
    height = next(h for h in range(8) if found.ledger.chain.find_entry(h, MALLORY) is None)
    pass_ = Answering(Pass())
    lie = Entry.sign(SIGNERS[MALLORY], 0, height, bytes(32), MALLORY, pass_)
    hear_frame(found, MALLORY, lie.signed, table.now)
    assert 0 < sent_by(found)[FRIEND] <= most


# -- link places -----------------------------------------------------------------------------------

# Links are for players: whatever strangers and hostile seats connect, a seat finds room.


GUEST = "10.0.0.2"


def stranger(n: int) -> Signer:
    return Signer(n.to_bytes(32, "big"))


def own_side(signer: Signer, instance: int, table: bytes) -> OwnSide:
    hello = make_hello(signer, instance.to_bytes(8, "big"), table, bytes(32))
    return OwnSide(None, OPEN_TABLE_SECRET, signer, hello)


async def link_or_refusal(
    table: TestTable, address: str, port: int, signer: Signer, table_id: bytes
) -> Link | int:
    connection = table.net.connect(f"10.9.9.{signer.key[0]}", address, port)
    try:
        return await shake_hands(connection, own_side(signer, 0, table_id), True, 1, admit_all)
    except Refused as fault:
        return fault.refusal.code


@pytest.mark.virtual_time
async def test_a_stranger_gets_no_link_to_a_guest_whose_game_has_not_begun() -> None:
    table = TestTable(players=3)
    async with table.hosted() as nursery:
        nursery.start_soon(table.guest, 1)
        while not table.front(1).seen(LobbyChanged):
            await trio.sleep(0.1)
        found, port = [], next(port for place, port in table.net.listening if place == GUEST)
        for n in range(1, 20):
            other_table = bytes((n,)) * 32
            found.append(await link_or_refusal(table, GUEST, port, stranger(n), other_table))
            await trio.sleep(1 / MAX_PER_NETWORK_PER_SECOND)
        nursery.cancel_scope.cancel()
    assert found == [RefusalCode.NO_TABLE] * 19


@asynccontextmanager
async def listener() -> AsyncIterator[tuple[Connections, trio.Nursery]]:
    connections = Connections(
        world(MemoryNet(), "10.0.0.1", "a"), ANA, bytes(8), lambda _: None, admit_all
    )
    async with trio.open_nursery() as nursery:
        connections.start_links(nursery)
        yield connections, nursery
        nursery.cancel_scope.cancel()


async def linked_at(connections: Connections, signer: Signer, instance: int) -> Link:
    here, there = trio.testing.memory_stream_pair()
    connections.accept_connection(Connection(there, ""))
    return await shake_hands(
        Connection(here, ""), own_side(signer, instance, b""), True, 1, admit_all
    )


@pytest.mark.parametrize("said", [b"", b"ok\n", None], ids=["nothing", "junk", "the-end"])
@pytest.mark.virtual_time
async def test_a_relay_that_says_that_somebody_is_there_is_not_believed(said: bytes | None) -> None:
    async with listener() as (connections, nursery):
        here, there = trio.testing.memory_stream_pair()
        nursery.start_soon(here.aclose) if said is None else nursery.start_soon(here.send_all, said)
        with pytest.raises(CannotReach):
            await connections.accept_relayed(Connection(there, PLACE_OF_RELAYED))


@pytest.mark.parametrize("is_full", [False, True])
@pytest.mark.virtual_time
async def test_who_comes_through_a_relay_was_there_let_in_or_not(*, is_full: bool) -> None:
    async with listener() as (connections, nursery):
        full = make_refusal(RefusalCode.FULL, "")
        connections.judge_newcomer = lambda _: full if is_full else None
        here, there = trio.testing.memory_stream_pair()
        side = own_side(REX, 1, b"")
        came = Connection(there, PLACE_OF_RELAYED)
        nursery.start_soon(connections.accept_relayed, came)
        with pytest.raises(Refused) if is_full else nullcontext():
            await shake_hands(Connection(here, ""), side, True, 1, admit_all)
        await trio.testing.wait_all_tasks_blocked()
        assert bool(connections.links) is not is_full


@pytest.mark.virtual_time
async def test_a_key_has_few_links_however_many_processes_it_shows() -> None:
    async with listener() as (connections, _):
        for n in range(2 * MAX_LINKS):
            await linked_at(connections, REX, n)
            await trio.testing.wait_all_tasks_blocked()
            assert len(connections.links) <= MAX_LINKS_OF_KEY
        newest = [link.their_hello.instance for link in connections.links.values()][-1]
        assert int.from_bytes(newest, "big") == 2 * MAX_LINKS - 1
        await linked_at(connections, stranger(1), 0)


@pytest.mark.virtual_time
async def test_links_that_are_closing_leave_their_places_to_new_ones() -> None:
    """Guests that are sent away, and do not read why, are held for some seconds."""
    async with listener() as (connections, _):
        for n in range(MAX_LINKS):
            await linked_at(connections, stranger(n), 0)
        await trio.testing.wait_all_tasks_blocked()
        assert len(connections.links) == MAX_LINKS
        for link in list(connections.links.values())[:8]:
            link.close()
        for n in range(8):
            await linked_at(connections, stranger(MAX_LINKS + n), 0)
            await trio.testing.wait_all_tasks_blocked()
        assert len(connections.links) == MAX_LINKS


# -- star ------------------------------------------------------------------------------------------

# A host that gives its guests wrong addresses of each other: all they sign goes through it.


HOST_SEAT = 0


class Thoughtful(Recorder):
    """Thinks for so long that no monster falls in the first minute."""

    async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
        await trio.sleep(15)
        return await super().decide(view, decision)


@pytest.mark.virtual_time
async def test_the_guests_are_told_once_that_all_goes_through_the_host(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = TestTable(players=3, fronts={n: Thoughtful(f"player {n}") for n in range(3)})
    send, keeps_back = Dialer._send_address, True

    def send_address(self: Dialer, seat: Seat, known: SignedAddress) -> None:
        if self.world is not table.world_of(0) or known.seat == HOST_SEAT or not keeps_back:
            send(self, seat, known)

    monkeypatch.setattr(Dialer, "_send_address", send_address)
    nowhere = (("", 4242), ("10.9.9.9", 4242), ("10.9.9.9", 4242))
    monkeypatch.setattr(StartAttempt, "addresses", property(lambda _: nowhere))

    async def meanwhile() -> None:
        nonlocal keeps_back
        while not table.front(1).seen(GameStarted):
            await trio.sleep(0.1)
        await trio.sleep(DETOUR_SECONDS + 1)
        for n in (1, 2):
            assert table.front(n).seen(Detour) == [Detour(HOST_SEAT, (3 - n,))]
        keeps_back = False
        table.break_links(HOST)  # each new link is told all addresses

    await table.run(meanwhile)
    for n in (1, 2):
        assert [told.others for told in table.front(n).seen(Detour)] == [(3 - n,)]
    assert not table.front(0).seen(Detour)
