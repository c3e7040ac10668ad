"""How long a port of the router is kept open, and what its player is told of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import cast

import pytest
import trio
import trio.testing

from kotp2p.front import Front
from kotp2p.notices import Notice
from kotp2p.router_notices import LetsIn, RouterAsked, RouterClosed, RouterFault, RouterOpened
from kotp2p.shell.resume import admitted_now
from kotp2p.shell.router_port import (
    CLOSE_SECONDS,
    LEASE_SECONDS,
    PROLONG_SECONDS,
    RETRY_SECONDS,
    through_router,
)
from kotp2p.store.saved_game import SavedPlaces
from kotp2p.watch_offer import WatchOffer
from kotp2p.world import RouterTrouble, World
from tests.support.memory_world import MemoryNet, world

PUBLIC, LATER, PORT = "8.8.4.4", "8.8.8.8", 4242
BROKEN = RouterTrouble(RouterFault.NO_ANSWER, "silence")


@dataclass
class FakeRouter:
    answer: str | RouterTrouble = PUBLIC
    asked_at: list[float] = field(default_factory=list)
    is_open: bool = False
    hangs: bool = False

    async def open_port(self, port: int, seconds: int) -> str:
        assert (port, seconds) == (PORT, LEASE_SECONDS)
        await trio.lowlevel.checkpoint()
        self.asked_at.append(trio.current_time())
        if isinstance(self.answer, RouterTrouble):
            raise self.answer
        self.is_open = True
        return self.answer

    async def close_port(self, port: int) -> None:
        if self.hangs:
            await trio.sleep_forever()
        await trio.lowlevel.checkpoint()
        self.is_open = False

    def reaches_ipv6(self) -> bool:
        return False


@dataclass
class Listener:
    """A front that keeps what it is shown."""

    shown: list[Notice] = field(default_factory=list)
    told: list[tuple[str, ...]] = field(default_factory=list)
    """The addresses under which others find the table, each time that they are told."""

    def show(self, notice: Notice) -> None:
        self.shown.append(notice)

    def tell(self, here: World) -> None:
        self.told.append(here.net.addresses(None)[0])


async def play(
    router: FakeRouter | None, front: Listener, *seconds: float, answers: tuple[object, ...] = ()
) -> None:
    """A table of so many seconds; after each part the router answers with the next one."""
    here = replace(world(MemoryNet(), "192.168.1.20", "a"), router=router)
    async with through_router(
        here, None, PORT, cast(Front, front), front.tell, lets_in=LetsIn.INVITED
    ):  # fmt: skip
        for n, part in enumerate(seconds):
            await trio.sleep(part)
            if router is not None and n < len(answers):
                router.answer = cast(str, answers[n])


async def test_without_a_router_the_table_is_told_as_it_is() -> None:
    front = Listener()
    await play(None, front, 0)
    assert front.shown == []
    assert front.told == [("192.168.1.20",)]


async def test_the_port_is_open_before_the_table_is_told_and_closed_after_it(
    autojump_clock: trio.testing.MockClock,
) -> None:
    router, front = FakeRouter(), Listener()
    await play(router, front, 1)
    assert front.shown == [RouterAsked(PORT), RouterOpened(PORT, PUBLIC, LetsIn.INVITED)]
    assert front.told == [(PUBLIC, "192.168.1.20")]
    assert not router.is_open


async def test_the_port_is_prolonged_long_before_its_time_is_up(
    autojump_clock: trio.testing.MockClock,
) -> None:
    router, front = FakeRouter(), Listener()
    await play(router, front, 2 * PROLONG_SECONDS + 1)
    assert router.asked_at == [0, PROLONG_SECONDS, 2 * PROLONG_SECONDS]
    assert 3 * PROLONG_SECONDS < LEASE_SECONDS
    assert len(front.told) == 1  # nothing new


async def test_a_new_address_of_the_router_is_told(autojump_clock: trio.testing.MockClock) -> None:
    router, front = FakeRouter(), Listener()
    await play(router, front, 1, PROLONG_SECONDS, answers=(LATER,))
    assert front.shown[-1] == RouterOpened(PORT, LATER, LetsIn.INVITED)
    assert front.told == [(PUBLIC, "192.168.1.20"), (LATER, "192.168.1.20")]


async def test_a_silence_within_the_time_of_the_port_is_not_told(
    autojump_clock: trio.testing.MockClock,
) -> None:
    router, front = FakeRouter(), Listener()
    await play(router, front, 1, LEASE_SECONDS / 2, 1, answers=(BROKEN, PUBLIC))
    assert len(front.shown) == 2
    assert router.asked_at[1:3] == [PROLONG_SECONDS, PROLONG_SECONDS + RETRY_SECONDS]


async def test_a_port_that_is_lost_is_told_once_and_so_is_its_return(
    autojump_clock: trio.testing.MockClock,
) -> None:
    router, front = FakeRouter(), Listener()
    answers = (BROKEN, PUBLIC)
    await play(router, front, 1, LEASE_SECONDS + 300, RETRY_SECONDS, answers=answers)
    assert front.shown[2:] == [
        RouterClosed(PORT, RouterFault.NO_ANSWER, "silence", was_open=True),
        RouterOpened(PORT, PUBLIC, LetsIn.INVITED),
    ]


async def test_a_router_that_does_not_answer_is_asked_once_and_the_table_opens(
    autojump_clock: trio.testing.MockClock,
) -> None:
    router, front = FakeRouter(BROKEN), Listener()
    await play(router, front, 3 * LEASE_SECONDS)
    assert front.shown[1:] == [RouterClosed(PORT, RouterFault.NO_ANSWER, "silence")]
    assert front.told == [("192.168.1.20",)]
    assert len(router.asked_at) == 1


async def test_a_machine_that_has_slept_asks_again_soon(
    autojump_clock: trio.testing.MockClock,
) -> None:
    router, front, slept = FakeRouter(), Listener(), 0.0
    here = replace(
        world(MemoryNet(), "192.168.1.20", "a"),
        router=router,
        wall_clock=lambda: trio.current_time() + slept,
    )
    async with through_router(
        here, None, PORT, cast(Front, front), front.tell, lets_in=LetsIn.INVITED
    ):
        await trio.sleep(1)
        slept = 8 * 3600
        await trio.sleep(RETRY_SECONDS)
    assert router.asked_at == [0, RETRY_SECONDS]


async def test_a_table_that_is_stopped_closes_the_port(
    autojump_clock: trio.testing.MockClock,
) -> None:
    router = FakeRouter()
    with trio.move_on_after(1):
        await play(router, Listener(), 60)
    assert router.asked_at
    assert not router.is_open


async def test_a_router_that_hangs_does_not_hold_the_end_up(
    autojump_clock: trio.testing.MockClock,
) -> None:
    with trio.move_on_after(1):
        await play(FakeRouter(hangs=True), Listener(), 60)
    assert trio.current_time() == pytest.approx(1 + CLOSE_SECONDS)


def test_a_game_that_goes_on_lets_in_nobody_new_but_watchers() -> None:
    places = SavedPlaces("", PORT, "", (), "")
    invited = replace(places, secret=bytes(10))
    watched = WatchOffer(8)
    assert admitted_now(places) is LetsIn.PLAYERS
    assert admitted_now(replace(places, watch=watched)) is LetsIn.WATCHERS
    assert admitted_now(replace(invited, watch=watched)) is LetsIn.PLAYERS
    by_link = replace(watched, secret=bytes(10))
    assert admitted_now(replace(places, watch=by_link)) is LetsIn.PLAYERS
