"""The links of one process: peers that connect prove their keys here, others are dialled.

Scope: which links there are, and the limits for strangers. All of them report to one owner, the
loop of a table. A table has one `Connections`.
Not here: the handshake (`kotp2p.net.handshake`), and when a peer is dialled (`kotp2p.net.dialer`).
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

import trio

from kotp2p.lobby.effects import LINK_TO_HOST
from kotp2p.net.handshake import (
    HANDSHAKE_SECONDS,
    ClosedSilently,
    Door,
    LinkFault,
    OwnSide,
    Refused,
    TableBusy,
    make_hello,
    make_refusal,
    shake_hands,
)
from kotp2p.net.handshake_limit import HandshakeLimit, network_of
from kotp2p.net.link_events import FrameReceived, LinkClosed, LinkEvent, LinkOpened
from kotp2p.net.links import Link
from kotp2p.net.newcomers import Newcomer
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_link import Hello, Refusal, RefusalCode
from kotp2p.world import CannotReach, Connection, World

MAX_HANDSHAKES = 16
"""Connections that may be in the handshake at a time. One more, and one of the network that has
come most is closed: a stranger that proves nothing cannot keep a guest out by waiting."""
MAX_HANDSHAKES_PER_NETWORK = 4
"""Handshakes with one network at a time. Loopback is not limited: a host's bots come from there."""
TURN_SECONDS = 0.05
"""How often a connection whose first bytes have come looks whether its turn has come."""
MAX_LINKS = 64
"""Links that one process may have; a whole table with bots needs ten."""
FLUSH_ALL_SECONDS = 5.0
"""How long all links together may take, at the end, to send what is queued."""
MAX_HOST_DIALS = 3
"""How often a guest dials a table that closes without a word: too many came in that second."""
HOST_REDIAL_SECONDS = 1.5
"""The time between two of these dials; more than the second in which a table counts handshakes."""


@dataclass(slots=True)
class Connections:
    world: World
    signer: Signer
    instance: bytes
    put_event: Callable[[LinkEvent], None]
    judge_newcomer: Callable[[Hello], Refusal | None]
    """May refuse a newcomer by its hello, before anything is proved."""
    secret: bytes = OPEN_TABLE_SECRET
    """The secret of the table; without it nobody is let in (`kotp2p.net.certificates`)."""
    table: bytes = b""
    """The id of the table, for our hellos; empty in the lobby."""
    links: dict[int, Link] = field(default_factory=dict)
    handshake_limit: HandshakeLimit = field(default_factory=HandshakeLimit)
    _numbers: itertools.count[int] = field(
        default_factory=lambda: itertools.count(LINK_TO_HOST + 1)
    )
    tell_flood: Callable[[int], None] = lambda _: None
    """Called with the number of connections that were turned away, if there are many."""
    _newcomers: list[Newcomer] = field(default_factory=list)
    """The connections in the handshake, the oldest first."""
    _nursery: trio.Nursery | None = None

    def start_links(self, nursery: trio.Nursery) -> None:
        """Links run in `nursery` from now on."""
        self._nursery = nursery
        for link in self.links.values():
            nursery.start_soon(self._run_link, link)

    def adopt_link(self, link: Link) -> None:
        """A link that was made before `start_links`: the guest's to the host."""
        self.links[link.number] = link

    def send_frame(self, number: int, frame: Frame) -> None:
        link = self.links.get(number)
        if link is not None:
            link.send(frame)

    def _own_side(self) -> OwnSide:
        hello = make_hello(self.signer, self.instance, self.table, self.world.entropy(32))
        return OwnSide(Door(self.world.security, self.secret), self.signer, hello)

    def accept_connection(self, connection: Connection) -> None:
        """A new connection: its handshake runs in a task of its own."""
        assert self._nursery is not None
        if self._nursery.cancel_scope.cancel_called:
            # The game is over here, and only the bots of this process still finish. No task may be
            # started in the nursery any more, but the socket must be closed all the same.
            trio.lowlevel.spawn_system_task(trio.aclose_forcefully, connection.stream)
            return
        newcomer = Newcomer(connection)
        self.handshake_limit.note_arrival(connection.address, trio.current_time())
        self._newcomers.append(newcomer)
        self._make_room(connection.address)
        if newcomer in self._newcomers:
            self._nursery.start_soon(self._prove_newcomer, newcomer)
        else:
            self._nursery.start_soon(newcomer.turn_away)

    def _make_room(self, address: str) -> None:
        """Turns one connection away if there are too many in the handshake."""
        network = network_of(address)
        own = [n for n in self._newcomers if address and network_of(n.address) == network]
        if len(own) > MAX_HANDSHAKES_PER_NETWORK:
            leaving = own[0]
        elif len(self._newcomers) > MAX_HANDSHAKES:
            addresses = [newcomer.address for newcomer in self._newcomers]
            leaving = self._newcomers[self.handshake_limit.choose_to_go(addresses)]
        else:
            return
        self._newcomers.remove(leaving)
        leaving.scope.cancel()
        count = self.handshake_limit.note_turned_away(trio.current_time())
        if count:
            self.tell_flood(count)

    async def _prove_newcomer(self, newcomer: Newcomer) -> None:
        newcomer.scope.deadline = trio.current_time() + HANDSHAKE_SECONDS
        link = None
        try:
            # A stranger that does not prove a key is none of the front's business: nothing is
            # shown.
            with newcomer.scope, contextlib.suppress(LinkFault, Refused):
                link = await self._shake_hands_in_turn(newcomer)
        finally:
            if newcomer in self._newcomers:
                self._newcomers.remove(newcomer)
            if not newcomer.has_begun:
                await newcomer.turn_away()
        if link is not None:
            await self._run_new_link(link)

    async def _shake_hands_in_turn(self, newcomer: Newcomer) -> Link | None:
        """None if it has ended without a word. Raises LinkFault or Refused."""
        connection = await newcomer.hear_first_bytes()
        if connection is None:
            return None
        while not self._may_begin(newcomer):
            await trio.sleep(TURN_SECONDS)
        newcomer.has_begun = True
        own, number = self._own_side(), next(self._numbers)
        return await shake_hands(connection, own, False, number, self._judge_hello)

    def _may_begin(self, newcomer: Newcomer) -> bool:
        waiting = [n.address for n in self._newcomers if n.has_spoken and not n.has_begun]
        return self.handshake_limit.begin_handshake(newcomer.address, waiting, trio.current_time())

    async def dial_host(
        self, place: str, port: int, number: int, admit: Callable[[Hello], Refusal | None]
    ) -> Link:
        """The link of a guest to the host. A table that is busy, or closes without a word, may have
        reached its limit (`kotp2p.net.handshake_limit`), and is tried again. Raises CannotReach,
        LinkFault or Refused."""
        for _ in range(MAX_HOST_DIALS - 1):
            with contextlib.suppress(ClosedSilently, TableBusy):
                return await self._dial_host_once(place, port, number, admit)
            await trio.sleep(HOST_REDIAL_SECONDS)
        return await self._dial_host_once(place, port, number, admit)

    async def _dial_host_once(
        self, place: str, port: int, number: int, admit: Callable[[Hello], Refusal | None]
    ) -> Link:
        connection = await self.world.net.dial(place, port)
        return await shake_hands(connection, self._own_side(), True, number, admit)

    async def dial_peer(self, address: str, port: int) -> None:
        """Links with another guest, if possible: without the link, other peers pass on what it
        would carry."""
        assert self._nursery is not None
        with contextlib.suppress(CannotReach, LinkFault, Refused):
            connection = await self.world.net.dial(address, port)
            own, number = self._own_side(), next(self._numbers)
            link = await shake_hands(connection, own, True, number, self._refuse_second_link)
            self._nursery.start_soon(self._run_new_link, link)

    def _judge_hello(self, theirs: Hello) -> Refusal | None:
        if len(self.links) >= MAX_LINKS:
            return make_refusal(RefusalCode.BUSY, "too many links")
        return self.judge_newcomer(theirs)

    def _refuse_second_link(self, theirs: Hello) -> Refusal | None:
        """Keeps one link to each process. The peer at a known address shows only now who it is:
        another seat may listen there by now."""
        for link in self.links.values():
            if (link.their_hello.key, link.their_hello.instance) == (theirs.key, theirs.instance):
                return None if link.is_closing else make_refusal(RefusalCode.BUSY, "linked already")
        return None

    async def _run_new_link(self, link: Link) -> None:
        self.links[link.number] = link
        self.put_event(LinkOpened(link))
        await self._run_link(link)

    async def _run_link(self, link: Link) -> None:
        await link.run(lambda frame: self.put_event(FrameReceived(link, frame)))
        self.links.pop(link.number, None)
        self.put_event(LinkClosed(link))

    async def close_links(self, inbox: trio.MemoryReceiveChannel[object]) -> None:
        """Sends everything that is queued before the process may end. Each item that comes into
        the owner's `inbox` meanwhile may be the end of a link."""
        for link in list(self.links.values()):
            link.close()
        with trio.move_on_after(FLUSH_ALL_SECONDS):
            while self.links:
                await inbox.receive()
