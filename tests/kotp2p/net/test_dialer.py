"""Where a peer dials the others: a seat must not aim it at machines of that seat's choice."""

from __future__ import annotations

from typing import cast

import trio
import trio.testing

from kotp2p.net.connections import Connections
from kotp2p.net.dialer import STRANGE_DIAL_SECONDS, Dialer
from kotp2p.net.entrance import Entrance
from kotp2p.own_faults import OwnFaultGuard
from kotp2p.store.places_file import PlacesFile
from kotp2p.store.saved_game import SavedPlaces
from kotp2p.wire.addresses import SignedAddress, Target
from tests.support.memory_world import MemoryNet, world
from tests.tools.vector_table import SEATS, small_genesis

HOME = ("192.168.1.7", 4242)
PUBLIC = tuple((f"8.8.8.{n}", 443) for n in range(5))
MOVED = ("2606:4700::7", 4242)


class Dials:
    """Notes what is dialled, and reaches nobody."""

    def __init__(self) -> None:
        self.made: list[Target] = []
        self.entrance = Entrance()
        self.links: dict[int, object] = {}

    async def dial_peer(self, address: str, port: int) -> None:
        self.made.append((address, port))
        await trio.lowlevel.checkpoint()

    def take(self) -> list[Target]:
        made, self.made = self.made, []
        return made


def dialer_of_seat_0(dials: Dials) -> Dialer:
    here = world(MemoryNet(), "10.0.0.1", "a")
    genesis = small_genesis()[0]
    places = SavedPlaces("", 4242, "", (("", 4242), ("10.0.0.9", 5000), ("", 0)), "")
    file = PlacesFile(here.disk, here.data / "places", places)
    guard = OwnFaultGuard(lambda _: None)
    return Dialer(here, cast(Connections, dials), genesis, 0, SEATS[0], file, {}, guard)


def tell(dialer: Dialer, sequence: int, *targets: Target) -> None:
    said = SignedAddress.sign(SEATS[1], dialer.genesis.id, 1, sequence, targets)
    dialer.accept_address(1, said.signed)


async def test_public_addresses_that_a_seat_has_told_are_dialled_one_by_one_and_rarely(
    autojump_clock: trio.testing.MockClock,
) -> None:
    dials = Dials()
    dialer = dialer_of_seat_0(dials)
    tell(dialer, 1, HOME, *PUBLIC)
    tried = []
    for attempt in range(6):
        for _ in range(3):  # it tells them again and again
            tell(dialer, 2 + 3 * attempt + _, HOME, *PUBLIC)
            await dialer._dial_seat(1)
            await trio.sleep(STRANGE_DIAL_SECONDS / 3)
        made = dials.take()
        assert made.count(HOME) == made.count(("10.0.0.9", 5000)) == 3
        tried += [target for target in made if target in PUBLIC]
    assert tried == [*PUBLIC, PUBLIC[0]]


async def test_a_public_address_at_which_the_seat_was_seen_is_dialled_each_time(
    autojump_clock: trio.testing.MockClock,
) -> None:
    dials = Dials()
    dialer = dialer_of_seat_0(dials)
    tell(dialer, 1, MOVED)
    dialer.addresses.last_link_addresses[1] = MOVED[0]
    for _ in range(3):
        await dialer._dial_seat(1)
    assert dials.take().count(MOVED) == 3


async def test_news_that_leads_to_no_link_makes_no_peer_dial_more_and_more(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """A host may tell addresses of invented players, and news of them without end."""
    dials = Dials()
    dialer = dialer_of_seat_0(dials)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(dialer._keep_linked, 1)
        for sequence in range(1, 601):
            tell(dialer, sequence, HOME)
            await trio.sleep(0.25)
        nursery.cancel_scope.cancel()
    # After 1, 2, 4, 8, 16, 30, 30, 30 and 30 s.
    assert dials.take().count(HOME) <= 10


async def test_a_seat_that_was_linked_is_dialled_soon_after_news(
    autojump_clock: trio.testing.MockClock,
) -> None:
    dials = Dials()
    dialer = dialer_of_seat_0(dials)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(dialer._keep_linked, 1)
        await trio.sleep(1)
        dialer.links[1] = 7
        dialer._linked_at[1] = trio.current_time()
        await trio.sleep(100)
        dials.take()
        del dialer.links[1]
        tell(dialer, 1, HOME)
        dialer.redial_now(1)
        await trio.sleep(0.6)
        assert HOME in dials.take()
        nursery.cancel_scope.cancel()
