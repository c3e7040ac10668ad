"""A game through a relay: when a seat waits there for another one, and what is kept at once."""

from dataclasses import dataclass, field, replace
from itertools import pairwise
from types import SimpleNamespace
from typing import cast

import pytest
import trio
import trio.testing

from kotp2p.net.dialer import (
    MACHINE_CHECK_SECONDS,
    MAX_RELAY_PAUSE_SECONDS,
    RELAY_WAIT_SECONDS,
    Dialer,
)
from kotp2p.net.rendezvous import RELAY_GONE, RELAY_REFUSES, RELAY_SILENT, meet_at_relay
from kotp2p.rendezvous.exchange import RelayPlace, is_relay_place
from kotp2p.rendezvous.servers import Servers
from kotp2p.seams.world import CannotReach, Connection, Rendezvous
from kotp2p.store.saved_game import SavedPlaces
from kotp2p.wire.addresses import Carrier, SignedAddress
from kotp2p.wire.crypto import exchange_public_key
from kotp2p.wire.frames import CodeTold
from tests.support.dials import Dials, FakeLink, dialer_of_seat_0
from tests.support.five_players import SIGNERS

pytestmark = pytest.mark.virtual_time

RELAY, OTHER = "tcp:relay.test:4001", "tcp:other.test:4001"
SECRET = b"s" * 32
LIE = cast(Connection, SimpleNamespace())
"""It comes with `ok`, and nobody is there."""


@dataclass
class Waits:
    """A relay; when somebody began to wait there, and what it then said."""

    answers: list[Connection | None]
    """One for each time that somebody waits; None: it is not there. Later nobody ever comes."""
    began: list[float] = field(default_factory=list)
    places: list[RelayPlace] = field(default_factory=list)
    servers: Servers = field(default_factory=lambda: Servers("", RELAY))

    async def wait_at_relay(self, place: RelayPlace) -> Connection:
        self.began.append(trio.current_time())
        self.places.append(place)
        await trio.lowlevel.checkpoint()
        if not self.answers:
            await trio.sleep_forever()
        found = self.answers.pop(0)
        if found is None:
            raise CannotReach(RELAY_GONE, "it is not there")
        return found


def tell(dialer: Dialer, relay: str = RELAY) -> None:
    """Seat 1 tells that it is met at a relay, and nowhere else."""
    carrier = Carrier(relay, exchange_public_key(SECRET))
    said = SignedAddress.sign(SIGNERS[1], dialer.genesis.id, 1, 1, (), carrier)
    dialer.accept_address(1, said.signed)


def waiting(waits: Waits, own: str = RELAY) -> tuple[Dialer, list[object]]:
    dials, came = Dials(), list[object]()
    dialer = dialer_of_seat_0(dials)

    async def accept(connection: Connection) -> None:
        await trio.lowlevel.checkpoint()
        if connection is LIE:
            raise CannotReach(RELAY_REFUSES, "")
        came.append(connection)

    dials.accept_relayed = accept  # type: ignore[attr-defined]
    dialer.world = replace(dialer.world, rendezvous=cast(Rendezvous, waits))
    dialer.file.places = replace(dialer.file.places, relay=own)
    return dialer, came


@pytest.mark.parametrize("own", [RELAY, ""], ids=["by code", "by an address"])
async def test_a_seat_waits_for_a_higher_one_once_that_one_has_told_the_same_relay(
    own: str,
) -> None:
    connection = cast(Connection, SimpleNamespace())
    waits = Waits([connection])
    dialer, came = waiting(waits, own)
    with trio.move_on_after(2 * RELAY_WAIT_SECONDS):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(dialer._keep_waiting_at_relay, 1)
            dialer.keep_code(CodeTold(7412, 3, 5))
            await trio.sleep(30)
            assert not waits.began, "it has told no key"
            tell(dialer)
            await trio.sleep(10)
            assert came == [connection]
    assert len(set(waits.places)) == 1


@pytest.mark.parametrize(("own", "theirs"), [(RELAY, OTHER), ("", RELAY), (RELAY, "")])
async def test_without_one_relay_for_both_nobody_waits(own: str, theirs: str) -> None:
    waits = Waits([])
    dialer, _came = waiting(waits, own)
    if theirs:
        tell(dialer, theirs)
    with trio.move_on_after(600):
        await dialer._keep_waiting_at_relay(1)
    assert not waits.began


async def test_for_a_seat_that_is_linked_nobody_waits() -> None:
    waits = Waits([])
    dialer, _came = waiting(waits)
    tell(dialer)
    dialer.connections.links[7] = FakeLink("10.0.0.9")  # type: ignore[assignment]
    dialer.links[1] = 7
    with trio.move_on_after(600):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(dialer._keep_waiting_at_relay, 1)
            await trio.sleep(300)
            assert not waits.began
            del dialer.links[1]
    assert waits.began


@pytest.mark.parametrize("answer", [None, LIE], ids=["gone", "lies"])
async def test_a_relay_that_carries_nobody_is_asked_ever_more_rarely_and_serves_when_it_is_back(
    answer: Connection | None,
) -> None:
    connection = cast(Connection, SimpleNamespace())
    waits = Waits([*[answer] * 9, connection])
    dialer, came = waiting(waits)
    tell(dialer)
    with trio.move_on_after(600):
        await dialer._keep_waiting_at_relay(1)
    assert came == [connection]
    pauses = [after - before for before, after in pairwise(waits.began[:10])]
    assert pauses[0] <= 1.2
    assert all(after > before for before, after in pairwise(pauses[:6]))
    assert max(pauses) <= 1.2 * MAX_RELAY_PAUSE_SECONDS


async def met(ours: trio.abc.Stream) -> Connection:
    async def dial(_host: str, _port: int) -> Connection:
        return Connection(ours, "10.0.0.9")

    return await meet_at_relay(dial, RelayPlace(RELAY, bytes(32)), bytes(8), 10)


async def test_a_relay_that_never_says_ok_is_told_as_silent() -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    began = trio.current_time()
    with pytest.raises(CannotReach) as silence:
        await met(ours)
    assert silence.value.why == RELAY_SILENT
    assert trio.current_time() == began + 10
    assert (await theirs.receive_some(13)) == b"please relay "
    while await theirs.receive_some(100):
        pass  # it is closed


async def test_what_a_relay_says_in_place_of_ok_is_cleaned() -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    await theirs.send_all(b"\x1b[2J full\r\n")
    with pytest.raises(CannotReach) as refusal:
        await met(ours)
    assert (refusal.value.why, refusal.value.detail) == (RELAY_REFUSES, " [2J full ")


def saved(dialer: Dialer) -> SavedPlaces | None:
    data = dialer.world.disk.read(dialer.file.path)
    return None if data is None else SavedPlaces.decode(data)


async def test_where_a_seat_is_met_at_a_relay_and_the_code_go_to_disk_at_once() -> None:
    """A process that dies soon could not be met again without them."""
    dialer, _came = waiting(Waits([]))
    code = CodeTold(7412, 3, 5)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(dialer._watch_addresses)
        await trio.sleep(MACHINE_CHECK_SECONDS / 2)
        tell(dialer)
        await trio.sleep(MACHINE_CHECK_SECONDS / 50)
        after = saved(dialer)
        assert after is not None
        bodies = [body for body, _signature in after.whereabouts]
        assert exchange_public_key(SECRET) in b"".join(bodies)
        dialer.keep_code(code)
        await trio.sleep(MACHINE_CHECK_SECONDS / 50)
        after = saved(dialer)
        assert after is not None and after.code == code
        nursery.cancel_scope.cancel()


async def test_a_code_that_is_known_from_the_start_leaves_the_process_at_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dialer, _came = waiting(Waits([]))
    looked: list[float] = []

    async def look(_dialer: Dialer) -> tuple[str, ...]:
        looked.append(trio.current_time())
        assert len(looked) < 100, "it looks without end"
        return ("10.0.0.1",)

    monkeypatch.setattr(Dialer, "_find_own_addresses", look)
    dialer.keep_code(CodeTold(7412, 3, 5))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(dialer._watch_addresses)
        await trio.sleep(10.5 * MACHINE_CHECK_SECONDS)
        nursery.cancel_scope.cancel()
    assert len(looked) == 11


@pytest.mark.parametrize("is_linked", [False, True])
async def test_the_higher_seat_dials_at_the_relay_unless_a_link_is_there(is_linked: bool) -> None:
    dialer, _came = waiting(Waits([]))
    dials = cast(Dials, dialer.connections)
    dialer.seat = 2
    tell(dialer)
    if is_linked:
        dialer.links[1], dials.links[7] = 7, FakeLink("10.0.0.9")
        dials.links[7].is_relayed = True
    await dialer._dial_seat(1)
    assert any(is_relay_place(address) for address, _port in dials.take()) is not is_linked
