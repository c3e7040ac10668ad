"""The links of one process: peers that connect prove their keys here, others are dialled."""

from __future__ import annotations

import contextlib
import itertools
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

import trio

from kotp2p.lobby.lobby_effects import LINK_TO_HOST
from kotp2p.net import handshake
from kotp2p.net.entrance import NONCE_BYTES, Entrance, Newcomer, Passes
from kotp2p.net.links import FrameReceived, Link, LinkClosed, LinkEvent, LinkOpened
from kotp2p.net.rendezvous import RELAY_REFUSES
from kotp2p.rendezvous.exchange import is_relay_place, without_token
from kotp2p.seams.world import Acceptor, CannotReach, Connection, Net, PortTaken, World
from kotp2p.wire.addresses import is_link_local_ipv6, is_one_machine
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.frames import Frame, Hello, HelloRole, Refusal, RefusalCode

# -- where a guest, or a process that comes back, listens for the other players ------------
#
# A guest listens where it reached the host: at its own address of that link, which is loopback
# for a host on the same machine. A machine can lose that address during a game, in another
# network or after a sleep. As long as it is gone, the guest listens at all addresses of its
# machine.


MAX_PORT_TRIES = 20
"""How many ports in a row are tried, from the wanted one on."""


@dataclass(frozen=True, slots=True)
class ListenAt:
    bind: str | None = None
    """The only address; None: where it reached the others."""
    port: int | None = None
    """None: as before, or any that is free."""


ANYWHERE = ListenAt()


@dataclass(slots=True)
class Listener:
    net: Net
    bind: str
    """The only address at which it ever listens; empty: a better one is chosen."""
    near: str
    """Without `bind`: the address at which it listens as long as this machine has it; empty: it
    listens at all addresses."""
    port: int = 0
    """Where it listens now; 0: nowhere."""
    _at: str = ""
    _acceptor: Acceptor | None = None
    _serving: trio.CancelScope | None = None
    _moved: trio.Event = field(default_factory=trio.Event)

    @staticmethod
    async def open(net: Net, bind: str, near: str, port: int, tries: int) -> Listener:
        """Listen at the first free port of `tries` from `port` on; raise PortTaken if none is."""
        # A name could be told to nobody, and a link-local address of IPv6 is none without its zone.
        is_usable = is_one_machine(near) and not is_link_local_ipv6(near)
        listener = Listener(net, bind, near if is_usable else "")
        await listener._listen(listener._best_place(), port, tries)
        return listener

    def addresses(self) -> tuple[str, ...]:
        return self.net.addresses(self._at or None)[0]

    def _best_place(self) -> str:
        if self.bind:
            return self.bind
        return self.near if self.near and self.net.has_address(self.near) else ""

    async def _listen(self, at: str, port: int, tries: int) -> None:
        self._acceptor = await self.net.listen(at or None, port, tries)
        self._at, self.port = at, self._acceptor.port

    async def serve(self, admit: Callable[[Connection], None]) -> None:
        while True:
            with trio.CancelScope() as self._serving:
                if self._acceptor is None:
                    await trio.sleep_forever()
                else:
                    await self._acceptor.serve(admit)
            await self._move()

    async def follow(self) -> None:
        """Move if this machine has lost or regained the own address; another task must `serve`."""
        if self._best_place() != self._at and self._serving is not None:
            self._moved = trio.Event()
            self._serving.cancel()
            await self._moved.wait()

    async def _move(self) -> None:
        """Listen at the best place, at the same port if it is free there, else at any."""
        await self.aclose()
        before, self._at, self._acceptor, self.port = self.port, self._best_place(), None, 0
        for port in dict.fromkeys((before, 0)):
            with suppress(PortTaken):
                await self._listen(self._at, port, 1)
                break
        self._moved.set()

    async def aclose(self) -> None:
        if self._acceptor is not None:
            # Shielded: a guest that is cancelled gives its port back all the same.
            with trio.CancelScope(shield=True):
                await self._acceptor.aclose()


# -- connections ---------------------------------------------------------------------------


LINES = logging.getLogger("kotp2p.links")
"""The lines of a debug log about links, without anything that the other side has said."""

MAX_LINKS = 64
"""Links that one process may have; a whole table with bots needs ten."""
MAX_LINKS_OF_KEY = 4
"""Links of one key: some may be closing while a new one comes. One more, and the oldest is cut."""
FLUSH_ALL_SECONDS = 5.0
"""How long all links together may take, at the end, to send what is queued."""
FLUSH_WATCHERS_SECONDS = 1.0
"""How long those of watchers may take after that."""
MAX_HOST_DIALS = 3
"""How often a guest dials a table that closes without a word: too many came in that second."""
HOST_REDIAL_SECONDS = 1.5
"""The time between two of these dials; more than the second in which a table counts handshakes."""


def refuse_watcher(_theirs: Hello, _by_invitation: bool) -> Refusal:
    return handshake.make_refusal(RefusalCode.NO_WATCHERS, "this table takes no watchers")


@dataclass(slots=True)
class Connections:
    world: World
    signer: Signer
    instance: bytes
    put_event: Callable[[LinkEvent], None]
    judge_newcomer: Callable[[Hello], Refusal | None]
    """May refuse a newcomer by its hello, before anything is proved."""
    secret: bytes = OPEN_TABLE_SECRET
    watch_secret: bytes = b""
    """What lets watchers in, if they have an invitation of their own."""
    role: HelloRole = HelloRole.PLAYER
    judge_watcher: Callable[[Hello, bool], Refusal | None] = refuse_watcher
    """As `judge_newcomer`, for a newcomer that wants to watch. True: by an invitation to watch."""
    table: bytes = b""
    """The id of the table, for our hellos; empty in the lobby."""
    links: dict[int, Link] = field(default_factory=dict)
    entrance: Entrance = field(init=False)
    _numbers: itertools.count[int] = field(
        default_factory=lambda: itertools.count(LINK_TO_HOST + 1)
    )
    tell_flood: Callable[[int], None] = lambda _: None
    _nursery: trio.Nursery | None = None

    def __post_init__(self) -> None:
        watchers = Passes(self.watch_secret) if self.watch_secret else Passes()
        self.entrance = Entrance(self.tell_flood, Passes(self.secret), watchers)

    def start_links(self, nursery: trio.Nursery) -> None:
        self._nursery = nursery
        for link in self.links.values():
            nursery.start_soon(self._run_link, link)

    def adopt_link(self, link: Link) -> None:
        """Adopt a link that was made before `start_links`: the guest's to the host."""
        self.links[link.number] = link

    def serve_link(self, link: Link) -> None:
        """Read a link that was made since `start_links`."""
        assert self._nursery is not None
        self._nursery.start_soon(self._run_new_link, link)

    def send_frame(self, number: int, frame: Frame) -> None:
        link = self.links.get(number)
        if link is not None:
            link.send(frame)

    def join_game(self, table: bytes, game: bytes) -> None:
        self.table, self.entrance.passes.game = table, game

    def _own_side(self, *, dials: bool, to_watcher: bool = False) -> handshake.OwnSide:
        security, passes = self.world.security, self.entrance.passes
        nonce = self.world.entropy(32)
        hello = handshake.make_hello(self.signer, self.instance, self.table, nonce, self.role)
        own_pass = ""
        if dials and security is not None and passes.are_worth_making:
            own_pass = passes.make(self.world.entropy(NONCE_BYTES))
        secret = self.watch_secret if to_watcher else self.secret
        return handshake.OwnSide(security, secret, self.signer, hello, own_pass)

    def accept_connection(self, connection: Connection) -> None:
        assert self._nursery is not None
        if self._nursery.cancel_scope.cancel_called:
            # The game is over here. No task may be started in the nursery any more, but the socket
            # must be closed all the same.
            trio.lowlevel.spawn_system_task(trio.aclose_forcefully, connection.stream)
            return
        self._nursery.start_soon(self._prove_newcomer, self.entrance.admit(connection))

    async def accept_relayed(self, connection: Connection) -> None:
        """Shake hands with who has come to a relay; raise CannotReach if nobody has."""
        if not await self._prove_newcomer(self.entrance.admit(connection)):
            raise CannotReach(RELAY_REFUSES, "it says that somebody is there, and nobody is")

    async def _prove_newcomer(self, newcomer: Newcomer) -> bool:
        """Return whether somebody was there, let in or refused."""
        newcomer.scope.deadline = trio.current_time() + handshake.HANDSHAKE_SECONDS
        link, is_refused = None, False
        try:
            # The front is shown nothing of a stranger that does not prove a key.
            with newcomer.scope:
                link = await self._shake_hands_in_turn(newcomer)
        except (handshake.LinkFault, handshake.Refused) as fault:
            is_refused = isinstance(fault, handshake.Refused)
            LINES.debug("newcomer: %s", _fault(fault))
        finally:
            await self.entrance.let_go(newcomer)
        if link is not None:
            self.serve_link(link)
        return link is not None or is_refused

    async def _shake_hands_in_turn(self, newcomer: Newcomer) -> Link | None:
        """Shake hands in turn; None: it ended without a word. Raise LinkFault or Refused."""
        connection = await self.entrance.await_turn(newcomer)
        if connection is None:
            return None
        is_invited = newcomer.is_invited_watcher
        own, number = self._own_side(dials=False, to_watcher=is_invited), next(self._numbers)
        judge = partial(self._judge_hello, by_watch_invitation=is_invited)
        return await handshake.shake_hands(connection, own, False, number, judge)

    async def dial_host(
        self, place: str, port: int, number: int, admit: Callable[[Hello], Refusal | None]
    ) -> Link:
        """Make the link of a guest to the host; raise CannotReach, LinkFault or Refused."""
        # A busy table may have reached its limit (`kotp2p.net.entrance`), and is tried again.
        for _ in range(MAX_HOST_DIALS - 1):
            with contextlib.suppress(handshake.ClosedSilently, handshake.TableBusy):
                return await self._dial_host_once(place, port, number, admit)
            await trio.sleep(HOST_REDIAL_SECONDS)
        return await self._dial_host_once(place, port, number, admit)

    async def _dial_host_once(
        self, place: str, port: int, number: int, admit: Callable[[Hello], Refusal | None]
    ) -> Link:
        connection = await self.world.net.dial(place, port)
        return await handshake.shake_hands(
            connection, self._own_side(dials=True), True, number, admit
        )

    async def dial_again(
        self, place: str, port: int, admit: Callable[[Hello], Refusal | None]
    ) -> None:
        """Make a link to the host anew; raise CannotReach, LinkFault or Refused."""
        assert self._nursery is not None
        link = await self._dial_host_once(place, port, next(self._numbers), admit)
        self._nursery.start_soon(self._run_new_link, link)

    async def dial_peer(self, address: str, port: int) -> None:
        """Make a link with another guest, if possible; else others pass on what it would carry."""
        assert self._nursery is not None
        shown = without_token(address)
        LINES.debug("dial %s port %d", shown, port)
        try:
            connection = await self.world.net.dial(address, port)
            own, number = self._own_side(dials=True), next(self._numbers)
            judge = partial(self._refuse_second_link, relayed=is_relay_place(address))
            link = await handshake.shake_hands(connection, own, True, number, judge)
        except (CannotReach, handshake.LinkFault, handshake.Refused) as fault:
            LINES.debug("dial %s port %d: %s", shown, port, _fault(fault))
        else:
            self._nursery.start_soon(self._run_new_link, link)

    def _judge_hello(self, theirs: Hello, *, by_watch_invitation: bool) -> Refusal | None:
        if theirs.role == HelloRole.WATCHER:  # bounded apart: no watcher takes a player's place
            return self.judge_watcher(theirs, by_watch_invitation)
        if by_watch_invitation:
            return handshake.make_refusal(RefusalCode.NO_TABLE, "that invitation is to watch")
        refusal = self.judge_newcomer(theirs)
        links = len(self.player_links)
        if refusal is None and links >= MAX_LINKS and not self._cut_closing_link():
            return handshake.make_refusal(RefusalCode.BUSY, "too many links")
        return refusal

    @property
    def player_links(self) -> list[Link]:
        return [link for link in self.links.values() if not link.is_watcher]

    def _cut_closing_link(self) -> bool:
        """Make room: cut a player's link that is closing; return whether there was one."""
        # What such a link has still to send counts less than a new one.
        for link in self.player_links:
            if link.is_closing:
                link.cut()
                return True
        return False

    def _refuse_second_link(self, theirs: Hello, *, relayed: bool) -> Refusal | None:
        """Keep one link to each process, but for a direct one beside a relayed one."""
        # The peer at a known address shows only now who it is: another seat may listen there by
        # now.
        for link in self.links.values():
            if link.is_relayed and not relayed:
                continue
            if (link.their_hello.key, link.their_hello.instance) == (theirs.key, theirs.instance):
                busy = handshake.make_refusal(RefusalCode.BUSY, "linked already")
                return None if link.is_closing else busy
        return None

    async def _run_new_link(self, link: Link) -> None:
        self.links[link.number] = link
        LINES.debug(
            "link %d with %s opened, %s, %s",
            link.number,
            link.address or "this machine",
            "dialled" if link.dialled else "accepted",
            HelloRole(link.their_hello.role).name,
        )
        of_key = [other for other in self.links.values() if other.key == link.key]
        for other in of_key[:-MAX_LINKS_OF_KEY]:
            other.cut()
        self.put_event(LinkOpened(link))
        await self._run_link(link)

    async def _run_link(self, link: Link) -> None:
        why = await link.run(lambda frame: self.put_event(FrameReceived(link, frame)))
        LINES.debug("link %d ended: %s", link.number, why.partition(":")[0])
        self.links.pop(link.number, None)
        self.put_event(LinkClosed(link))

    async def close_links(self, inbox: trio.MemoryReceiveChannel[object]) -> None:
        """Send everything that is queued before the process may end.

        Each item that comes into the owner's `inbox` meanwhile may be the end of a link. Players
        get FLUSH_ALL_SECONDS, watchers no more than FLUSH_WATCHERS_SECONDS after them.
        """
        for link in list(self.links.values()):
            link.close()
        with trio.move_on_after(FLUSH_ALL_SECONDS):
            while self.player_links:
                await inbox.receive()
        with trio.move_on_after(FLUSH_WATCHERS_SECONDS):
            while self.links:
                await inbox.receive()


def _fault(fault: CannotReach | handshake.LinkFault | handshake.Refused) -> str:
    """Return the kind of a failure, without words of the other side."""
    if isinstance(fault, handshake.Refused):
        return f"refused, {fault.refusal.code}"
    return type(fault).__name__
