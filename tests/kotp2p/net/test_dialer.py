"""Where a peer dials the others: a seat must not aim it at machines of that seat's choice."""

from dataclasses import replace
from random import Random
from typing import cast

import pytest
import trio

from kotp2p.net.connections import Listener
from kotp2p.net.dialer import (
    FIRST_REDIAL_SECONDS,
    MACHINE_CHECK_SECONDS,
    MAX_REDIAL_SECONDS,
    SLEEP_JUMP_SECONDS,
    STRANGE_DIAL_SECONDS,
    Dialer,
)
from kotp2p.net.links import Link
from kotp2p.rendezvous.exchange import PLACE_OF_RELAYED, TOKEN_BYTES, RelayPlace
from kotp2p.wire.addresses import SignedAddress, Target
from tests.support.courses import digest_of
from tests.support.dials import Dials, FakeLink, dialer_of_seat_0
from tests.support.five_players import SIGNERS
from tests.support.memory_world import MemoryHost, MemoryNet

pytestmark = pytest.mark.virtual_time

HOME = ("192.168.1.7", 4242)
PUBLIC = tuple((f"8.8.8.{n}", 443) for n in range(5))
MOVED = ("2606:4700::7", 4242)


def tell(dialer: Dialer, sequence: int, *targets: Target) -> None:
    said = SignedAddress.sign(SIGNERS[1], dialer.genesis.id, 1, sequence, targets)
    dialer.accept_address(1, said.signed)


async def test_public_addresses_that_a_seat_has_told_are_dialled_one_by_one_and_rarely() -> None:
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


async def test_a_public_address_from_the_start_of_the_game_is_dialled_beside_those_told_since() -> (
    None
):
    """Everybody knows it, so it is dialled each time and takes no turn from the others."""
    dials = Dials()
    dialer = dialer_of_seat_0(dials)
    assert "10.0.0.9" in dials.entrance.strangers_limit.player_addresses
    places = dialer.file.places
    dialer.file.places = replace(places, addresses=(("", 4242), PUBLIC[0], ("", 0)))
    tell(dialer, 1, *PUBLIC[:2])
    for _ in range(3):
        await dialer._dial_seat(1)
    made = dials.take()
    assert (made.count(PUBLIC[0]), made.count(PUBLIC[1])) == (3, 1)


async def test_a_public_address_at_which_the_seat_was_seen_is_dialled_each_time() -> None:
    dials = Dials()
    dialer = dialer_of_seat_0(dials)
    tell(dialer, 1, MOVED)
    dialer.addresses.last_link_addresses[1] = MOVED[0]
    for _ in range(3):
        await dialer._dial_seat(1)
    assert dials.take().count(MOVED) == 3


async def test_a_seat_of_this_machine_is_not_dialled_at_the_addresses_of_this_machine() -> None:
    dialer = dialer_of_seat_0(Dials())
    own, first = ("10.0.0.1", 4243), ("10.0.0.9", 5000)
    tell(dialer, 1, own, HOME)
    assert dialer.targets_of(1) == [own, HOME, first]
    dialer.addresses.last_link_addresses[1] = ""
    assert dialer.targets_of(1) == [("127.0.0.1", 4243), HOME, first]


async def test_news_that_leads_to_no_link_makes_no_peer_dial_more_and_more() -> None:
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


# -- what seats say of themselves --------------------------------------------------------------

NEAR, FAR = 11, 12
"""The numbers of two links: over loopback to seat 1, over the network to seat 2."""


def linked() -> tuple[Dialer, Dials]:
    dials = Dials()
    dialer = dialer_of_seat_0(dials)
    dials.links = {NEAR: FakeLink(""), FAR: FakeLink("10.0.0.9")}
    dialer.links.update({1: NEAR, 2: FAR})
    return dialer, dials


async def test_beside_a_link_through_a_relay_only_direct_ways_are_tried() -> None:
    dialer, dials = linked()
    dials.links[NEAR].is_relayed = True
    relay = str(RelayPlace("tcp:relay.test:4001", bytes(TOKEN_BYTES)))
    places = dialer.file.places
    dialer.file.places = replace(places, addresses=(("", 4242), (relay, 1), *places.addresses[2:]))
    tell(dialer, 1, HOME)
    await dialer._dial_seat(1)
    assert dials.take() == [HOME]


def test_news_of_where_a_seat_is_goes_to_all_other_links_as_long_as_it_may() -> None:
    dialer, dials = linked()
    tell(dialer, 1, HOME)
    ((number, _),) = dials.take_sent()
    assert number == FAR
    assert dialer.file.is_stale
    tell(dialer, 1, HOME)
    assert dials.take_sent() == []
    dialer.may_relay = lambda _: False
    tell(dialer, 2, HOME)
    assert dials.take_sent() == []


def test_a_loopback_address_is_passed_on_over_loopback_alone() -> None:
    dialer, dials = linked()
    tell(dialer, 1, ("127.0.0.1", 4242))  # seat 1 is on this machine, seat 2 is not
    assert dials.take_sent() == []
    assert 1 in dialer.addresses.newest_of_seat
    said = SignedAddress.sign(SIGNERS[2], dialer.genesis.id, 2, 1, (("127.0.0.1", 4242),))
    dialer.accept_address(2, said.signed)
    assert 2 not in dialer.addresses.newest_of_seat


def test_a_new_link_is_told_all_known_addresses_and_its_own_is_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trio, "current_time", lambda: 0.0)
    dialer, dials = linked()
    tell(dialer, 1, HOME)
    dials.take_sent()
    dialer.file.is_stale = False
    link = cast(Link, dials.links[FAR])
    dialer.greet_link(2, link)
    assert [number for number, _ in dials.take_sent()] == [FAR]
    assert dialer.addresses.last_link_addresses[2] == "10.0.0.9"
    assert dialer.file.is_stale
    dialer.file.is_stale = False
    dialer.greet_link(2, link)
    assert not dialer.file.is_stale
    relayed = FakeLink(PLACE_OF_RELAYED)
    relayed.is_relayed = True
    dialer.greet_link(2, cast(Link, relayed))
    assert dialer.addresses.last_link_addresses[2] == "10.0.0.9"


async def test_a_seat_tells_its_addresses_once_and_anew_when_they_change() -> None:
    dialer, dials = linked()
    for here, sequence in ((("10.0.0.1",), 1), (("10.0.0.1", "10.0.0.5"), 2)):
        await dialer._tell_addresses(here)
        assert [number for number, _ in dials.take_sent()] == [NEAR, FAR]
        own = dialer.addresses.newest_of_seat[0]
        assert own.sequence == sequence
        assert own.targets == tuple((address, 4242) for address in here)
        await dialer._tell_addresses(here)
        assert dials.take_sent() == []


class TwoAddresses(MemoryHost):
    def addresses(self, bind: str | None) -> tuple[tuple[str, ...], bool]:
        return (bind,) if bind else ("10.0.0.1", "192.168.1.1"), False


@pytest.mark.parametrize(
    ("bind", "told"), [("192.168.1.1", ["192.168.1.1"]), ("", ["10.0.0.1", "192.168.1.1"])]
)
async def test_a_seat_that_listens_at_one_address_tells_no_more(bind: str, told: list[str]) -> None:
    dialer, _ = linked()
    dialer.world = replace(dialer.world, net=TwoAddresses(MemoryNet(), "10.0.0.1"))
    dialer.file.places = replace(dialer.file.places, bind=bind)
    with trio.move_on_after(1):
        await dialer._watch_addresses()
    own = dialer.addresses.newest_of_seat[0]
    assert [address for address, _ in own.targets] == told


class MovedListener:
    """A listener whose port another program has taken meanwhile."""

    port = 4242

    async def follow(self) -> None:
        self.port = 5151

    def addresses(self) -> tuple[str, ...]:
        return ("10.0.0.1",)


async def test_a_seat_tells_the_port_to_which_its_listener_has_moved() -> None:
    dialer, _ = linked()
    dialer.listener = cast(Listener, MovedListener())
    with trio.move_on_after(1):
        await dialer._watch_addresses()
    assert dialer.addresses.newest_of_seat[0].targets == (("10.0.0.1", 5151),)


@pytest.mark.parametrize("stays", [False, True])
async def test_links_are_dropped_if_the_machine_has_an_address_no_more(
    stays: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    (dialer, dials), told = linked(), iter([("10.0.0.1",), ("10.0.0.2",)])

    async def find(_: Dialer) -> tuple[str, ...]:
        return next(told)

    monkeypatch.setattr(Dialer, "_find_own_addresses", find)
    monkeypatch.setattr(MemoryHost, "has_address", lambda *_: stays)
    with trio.move_on_after(1.4 * MACHINE_CHECK_SECONDS):
        await dialer._watch_addresses()
    assert dials.links[NEAR].is_cut is not stays


async def test_a_seat_goes_on_behind_the_greatest_number_that_has_come_back_to_it() -> None:
    dialer, _ = linked()
    mine = SignedAddress.sign(SIGNERS[0], dialer.genesis.id, 0, 7, (HOME,))
    dialer.accept_address(1, mine.signed)
    await dialer._tell_addresses(("10.0.0.1",))
    assert dialer.addresses.newest_of_seat[0].sequence == 8


@pytest.mark.parametrize("before", [(), (SLEEP_JUMP_SECONDS - 0.1,)])
async def test_a_wall_clock_that_jumps_by_more_than_ten_seconds_drops_all_links(
    before: tuple[float, ...],
) -> None:
    (dialer, dials), noted, slept = linked(), list[float](), 0.0
    dialer.note_sleep = noted.append
    dialer.world = replace(dialer.world, wall_clock=lambda: trio.current_time() + slept)
    await trio.sleep(1.0)  # at 0 a wrong sign would be right
    async with trio.open_nursery() as nursery:
        nursery.start_soon(dialer._watch_clock)
        await trio.sleep(0.4 * MACHINE_CHECK_SECONDS)
        for jump in (*before, SLEEP_JUMP_SECONDS + 0.1):
            assert not noted and not dials.links[NEAR].is_cut
            slept += jump
            await trio.sleep(1.4 * MACHINE_CHECK_SECONDS)
        await trio.sleep(2 * MACHINE_CHECK_SECONDS)
        assert len(noted) == 1 and dials.links[NEAR].is_cut and dials.links[FAR].is_cut
        nursery.cancel_scope.cancel()


async def test_a_machine_that_has_slept_dials_at_once_whom_it_has_no_link_to() -> None:
    dialer, _ = linked()
    dialer._redials = {seat: trio.Event() for seat in (1, 2, 3)}
    dialer._drop_all_links()
    assert [seat for seat, anew in dialer._redials.items() if anew.is_set()] == [3]


# -- dialling ----------------------------------------------------------------------------------


async def test_an_address_is_dialled_until_its_seat_is_found() -> None:
    dials = Dials()
    dialer, began = dialer_of_seat_0(dials), trio.current_time()
    await dialer.dial_until_found(HOME, lambda: len(dials.made) < 12)
    assert dials.take() == [HOME] * 12
    pauses = sum(min(FIRST_REDIAL_SECONDS * 1.5**n, MAX_REDIAL_SECONDS) for n in range(12))
    assert 0.8 * pauses <= trio.current_time() - began <= 1.2 * pauses


@pytest.mark.parametrize(("own", "recorded"), [(0, "c5c2ead49147b0cc"), (2, "c9424278b031b6b1")])
async def test_a_recorded_evening_of_dialling_goes_as_it_went(own: int, recorded: str) -> None:
    """Seat 1 tells old and new places, links directly and through a relay, and is lost again."""
    chance, dials, seen = Random(1), Dials(), list[object]()
    dialer = dialer_of_seat_0(dials)
    dialer.seat, began = own, trio.current_time()
    dials.links = {NEAR: FakeLink("10.0.0.9"), FAR: FakeLink(PLACE_OF_RELAYED)}
    dials.links[FAR].is_relayed = True

    async def note(address: str, port: int) -> None:
        seen.append((round(trio.current_time() - began, 3), address, port))
        await trio.sleep(chance.choice((0.01, 7)))

    dials.dial_peer = note  # type: ignore[method-assign]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(dialer._keep_linked, 1)
        for sequence in range(1, 200):
            await trio.sleep(chance.choice((0.3, 2, 11, 70)) * chance.uniform(0.5, 1))
            match chance.randrange(4):
                case 0:
                    tell(dialer, sequence, *chance.sample((HOME, MOVED, *PUBLIC), 4))
                case 1:
                    dialer.links[1] = chance.choice((NEAR, FAR))
                    dialer.greet_link(1, cast(Link, dials.links[dialer.links[1]]))
                case 2:
                    dialer.links.pop(1, None)
                    dialer.redial_now(1)
                case 3:
                    dialer._redial_all_now()
            seen += [sequence, dialer.trusted_targets_of(1), len(dials.take_sent())]
        nursery.cancel_scope.cancel()
    assert digest_of(seen) == recorded
