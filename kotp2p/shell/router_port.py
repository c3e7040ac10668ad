"""A port of the router in front of this machine, which leads here while a table runs.

Scope: when the router is asked, asked again and told to stop; and what the player is told of it.
A router that does not answer is never the end of a table: players of the own network can join.
Not here: how a router is asked (`kotp2p.net.router`).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial

import trio

from kotp2p.front import Front
from kotp2p.net.router import NetBehindRouter
from kotp2p.router_notices import LetsIn, RouterAsked, RouterClosed, RouterOpened
from kotp2p.world import Router, RouterTrouble, World

LEASE_SECONDS = 1800
"""How long a router keeps the port open for a process that has died."""
PROLONG_SECONDS = 300.0
"""The time between two prolongations. A router that was restarted has forgotten the port, and one
that was connected anew may have another address."""
RETRY_SECONDS = 60.0
"""The same while the router does not answer; and the longest time before a machine that slept
notices that it is late."""
CLOSE_SECONDS = 2.0
"""How long the router has to answer at the end."""


@asynccontextmanager
async def through_router(
    world: World,
    bind: str | None,
    port: int,
    front: Front,
    tell_addresses: Callable[[World], None],
    *,
    lets_in: LetsIn,
) -> AsyncIterator[World]:
    """The world of a table that listens at `port`. `tell_addresses` is called with it, and again
    when the router has another address. Without a router it is `world`."""
    if world.router is None:
        tell_addresses(world)
        yield world
        return
    net = NetBehindRouter(world.net, world.router.reaches_ipv6)
    here = replace(world, net=net)
    passage = _Passage(
        world.router, net, bind, port, front, partial(tell_addresses, here), world.wall_clock,
        lets_in,
    )  # fmt: skip
    try:
        async with trio.open_nursery() as nursery:
            await passage.open()
            if passage.is_open:
                nursery.start_soon(passage.keep_open)
            yield here
            nursery.cancel_scope.cancel()
    finally:
        with trio.CancelScope(deadline=trio.current_time() + CLOSE_SECONDS, shield=True):
            await world.router.close_port(port)


@dataclass(slots=True)
class _Passage:
    router: Router
    net: NetBehindRouter
    bind: str | None
    port: int
    front: Front
    tell_addresses: Callable[[], None]
    wall_clock: Callable[[], float]
    lets_in: LetsIn
    _open_until: float = 0.0
    """The router has promised it, by the clock of this process."""

    @property
    def is_open(self) -> bool:
        return bool(self.net.public)

    async def open(self) -> None:
        self.front.show(RouterAsked(self.port))
        try:
            await self._ask()
        except RouterTrouble as trouble:
            self._tell_trouble(trouble)
            self.tell_addresses()

    async def _ask(self) -> None:
        """Raises RouterTrouble."""
        asked_at = trio.current_time()
        address = await self.router.open_port(self.port, LEASE_SECONDS)
        self._open_until = asked_at + LEASE_SECONDS
        if address != self.net.public:
            self.net.public = address
            self.front.show(RouterOpened(self.port, address, self.lets_in))
            self.tell_addresses()

    def _tell_trouble(self, trouble: RouterTrouble) -> None:
        was_open, self.net.public = self.is_open, ""
        ipv6 = self.net.public_ipv6(self.bind)
        closed = RouterClosed(
            self.port, trouble.fault, trouble.detail, was_open, ipv6[0] if ipv6 else ""
        )
        self.front.show(closed)

    async def keep_open(self) -> None:
        """Runs until the table is over."""
        pause = PROLONG_SECONDS
        while True:
            await self._wait(pause)
            try:
                await self._ask()
                pause = PROLONG_SECONDS
            except RouterTrouble as trouble:
                pause = RETRY_SECONDS
                if self.is_open and trio.current_time() >= self._open_until:
                    self._tell_trouble(trouble)

    async def _wait(self, seconds: float) -> None:
        """While a machine sleeps its wall clock goes on, and trio's clock does not."""
        due, due_by_wall = trio.current_time() + seconds, self.wall_clock() + seconds
        while trio.current_time() < due and self.wall_clock() < due_by_wall:
            await trio.sleep(min(RETRY_SECONDS, due - trio.current_time()))
