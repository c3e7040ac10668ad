"""The links of one process: who connects is proved here, and others are dialled from here.

All of them put what they bring into the table's inbox. A table owns one `Wiring`.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

import trio

from kotp2p.lobby.effects import HOST_LINK
from kotp2p.net.handshake_limit import Entrance
from kotp2p.net.link_events import FrameReceived, LinkClosed, LinkEvent, LinkOpened
from kotp2p.net.links import (
    Door,
    Link,
    LinkFault,
    Refused,
    TooMany,
    hello,
    refusal,
    shake_hands,
)
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_link import Hello, Refusal, RefusalCode
from kotp2p.world import Connection, NoTable, World

UNPROVED = 16
"""Connections that may be in the handshake at a time; the oldest goes first."""
UNPROVED_OF_ONE = 4
"""Of them, those from one address other than loopback, where a host's bots come from."""
MOST_LINKS = 64
"""Of a process; a whole table with bots needs ten."""
PATIENCE = 5.0
"""Seconds for everything queued to go out at the end."""
KNOCKS = 3
"""So often a guest comes to a table that closes without a word."""
BETWEEN = 1.5
"""Seconds between two of them: more than the second for which a table counts who comes."""


@dataclass(slots=True)
class Wiring:
    world: World
    signer: Signer
    instance: bytes
    put: Callable[[LinkEvent], None]
    judge: Callable[[Hello], Refusal | None]
    """What is said to a newcomer before anything is proved."""
    secret: bytes = OPEN_TABLE_SECRET
    """What who comes must know (`kotp2p.net.certificates`)."""
    table: bytes = b""
    """The table of our hellos; empty in the lobby."""
    links: dict[int, Link] = field(default_factory=dict)
    entrance: Entrance = field(default_factory=Entrance)
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(HOST_LINK + 1))
    _shaking: list[tuple[str, trio.CancelScope]] = field(default_factory=list)
    """Address and scope of each handshake, the oldest first."""
    _nursery: trio.Nursery | None = None

    def begin(self, nursery: trio.Nursery) -> None:
        """Links run in `nursery` from now on."""
        self._nursery = nursery
        for link in self.links.values():
            nursery.start_soon(self._run, link)

    def adopt(self, link: Link) -> None:
        """A link that was made before `begin`: the guest's to the host."""
        self.links[link.number] = link

    def send(self, number: int, frame: Frame) -> None:
        link = self.links.get(number)
        if link is not None:
            link.send(frame)

    @property
    def door(self) -> Door:
        return Door(self.world.security, self.secret)

    def hello(self) -> Hello:
        return hello(self.signer, self.instance, self.table, self.world.entropy(32))

    def admit(self, connection: Connection) -> None:
        """Somebody has connected: prove the key in a task of its own."""
        assert self._nursery is not None
        if self._nursery.cancel_scope.cancel_called:  # the game is over; its bots finish
            trio.lowlevel.spawn_system_task(trio.aclose_forcefully, connection.stream)
            return
        if not self.entrance.opens(connection.address, trio.current_time()):
            self._nursery.start_soon(trio.aclose_forcefully, connection.stream)
            return
        scope = trio.CancelScope()
        self._make_room(connection.address)
        self._shaking.append((connection.address, scope))
        self._nursery.start_soon(self._shake, connection, scope)

    def _make_room(self, address: str) -> None:
        own = [one for one in self._shaking if address and one[0] == address]
        if len(own) >= UNPROVED_OF_ONE:
            oldest = own[0]
        elif len(self._shaking) >= UNPROVED:
            oldest = self._shaking[0]
        else:
            return
        self._shaking.remove(oldest)
        oldest[1].cancel()

    async def _shake(self, connection: Connection, scope: trio.CancelScope) -> None:
        link = None
        with scope, contextlib.suppress(LinkFault, Refused):  # nobody we know: nothing to tell
            link = await shake_hands(
                connection, self.door, self.signer, self.hello(), False, next(self._numbers),
                self._admit,
            )  # fmt: skip
        self._shaking = [one for one in self._shaking if one[1] is not scope]
        if link is not None:
            await self._run_new(link)

    async def knock(
        self, place: str, port: int, number: int, admit: Callable[[Hello], Refusal | None]
    ) -> Link:
        """The link of a guest to the host; a table to which too many come in this second
        (`kotp2p.net.handshake_limit`) is tried again. Raises NoTable, LinkFault or Refused."""
        for _ in range(KNOCKS - 1):
            with contextlib.suppress(TooMany):
                return await self._knock(place, port, number, admit)
            await trio.sleep(BETWEEN)
        return await self._knock(place, port, number, admit)

    async def _knock(
        self, place: str, port: int, number: int, admit: Callable[[Hello], Refusal | None]
    ) -> Link:
        connection = await self.world.net.dial(place, port)
        return await shake_hands(
            connection, self.door, self.signer, self.hello(), True, number, admit
        )

    async def dial(self, address: str, port: int) -> None:
        """A link to another guest: a convenience, as the others pass on what it would carry."""
        assert self._nursery is not None
        with contextlib.suppress(NoTable, LinkFault, Refused):
            connection = await self.world.net.dial(address, port)
            link = await shake_hands(
                connection, self.door, self.signer, self.hello(), True, next(self._numbers),
                self._is_linked,
            )  # fmt: skip
            self._nursery.start_soon(self._run_new, link)

    def _admit(self, theirs: Hello) -> Refusal | None:
        if len(self.links) >= MOST_LINKS:
            return refusal(RefusalCode.BUSY, "too many links")
        return self.judge(theirs)

    def _is_linked(self, theirs: Hello) -> Refusal | None:
        """At an address that was known of one seat another one may listen now."""
        for link in self.links.values():
            if (link.hello.key, link.hello.instance) == (theirs.key, theirs.instance):
                return None if link.closing else refusal(RefusalCode.BUSY, "linked already")
        return None

    async def _run_new(self, link: Link) -> None:
        self.links[link.number] = link
        self.put(LinkOpened(link))
        await self._run(link)

    async def _run(self, link: Link) -> None:
        await link.run(lambda frame: self.put(FrameReceived(link, frame)))
        self.links.pop(link.number, None)
        self.put(LinkClosed(link))

    async def close(self, inbox: trio.MemoryReceiveChannel[object]) -> None:
        """Everything queued goes out before the process may end."""
        for link in list(self.links.values()):
            link.close()
        with trio.move_on_after(PATIENCE):
            while self.links:
                await inbox.receive()
