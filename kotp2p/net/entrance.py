"""The entrance of a listener: which newcomers wait here, and when each begins its handshake.

There are two queues with the same bounds: one for those that have shown a pass
(`kotp2p.net.passes`), and one for strangers. So strangers take no place of an invited guest or of a
player, however many they are. Everybody begins as a stranger, until the first bytes have come.

Scope: the queues, and the tasks of connections that are turned away.
Not here: how often a handshake may begin (`kotp2p.net.handshake_limit`), and the handshake itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import trio

from kotp2p.net.client_hello import server_name
from kotp2p.net.handshake_limit import HandshakeLimit
from kotp2p.net.newcomers import Newcomer
from kotp2p.net.passes import Passes
from kotp2p.seams.world import Connection
from kotp2p.wire.addresses import network_of

MAX_HANDSHAKES = 16
"""Connections of one queue at a time. One more, and one of the network that has come most is
closed: a stranger that proves nothing cannot keep a guest out by waiting."""
MAX_HANDSHAKES_PER_NETWORK = 4
"""Of these, connections of one network. Loopback is not limited: a host's bots come from there."""
TURN_SECONDS = 0.05
"""How often a connection whose first bytes have come looks whether its turn has come."""
MAX_GOODBYES = 64
"""Connections that are told at a time that there is no room. More are closed without a word: each
costs a socket until its other side has read."""


@dataclass(slots=True)
class _Queue:
    limit: HandshakeLimit = field(default_factory=HandshakeLimit)
    newcomers: list[Newcomer] = field(default_factory=list)
    """The oldest first."""

    def add(self, newcomer: Newcomer, now: float) -> Newcomer | None:
        """Puts it at the end. Returns the one that has to go for it, if one has."""
        self.limit.note_arrival(newcomer.address, now)
        self.newcomers.append(newcomer)
        network = network_of(newcomer.address)
        own = [n for n in self.newcomers if n.address and network_of(n.address) == network]
        if newcomer.address and len(own) > MAX_HANDSHAKES_PER_NETWORK:
            return own[0]
        if len(self.newcomers) > MAX_HANDSHAKES:
            addresses = [waiting.address for waiting in self.newcomers]
            return self.newcomers[self.limit.choose_to_go(addresses)]
        return None

    def may_begin(self, newcomer: Newcomer, now: float) -> bool:
        waiting = [n.address for n in self.newcomers if n.has_spoken and not n.has_begun]
        return self.limit.begin_handshake(newcomer.address, waiting, now)


@dataclass(slots=True)
class Entrance:
    tell_flood: Callable[[int], None] = lambda _: None
    """Called with the number of connections that were turned away, if there are many."""
    passes: Passes = field(default_factory=Passes)
    watch_passes: Passes = field(default_factory=Passes)
    """Those of watchers, if they have an invitation of their own. They give no better place, as no
    watcher takes the place of a player."""
    _strangers: _Queue = field(default_factory=_Queue)
    _known: _Queue = field(default_factory=_Queue)
    """Those with a pass."""
    _goodbyes: int = 0

    @property
    def strangers_limit(self) -> HandshakeLimit:
        return self._strangers.limit

    def admit(self, connection: Connection) -> Newcomer:
        """A connection has come. It, or another one, may be turned away for it."""
        newcomer = Newcomer(connection)
        self._add_to(self._strangers, newcomer)
        return newcomer

    async def await_turn(self, newcomer: Newcomer) -> Connection | None:
        """The connection, once its handshake may begin; None if it has ended without a word."""
        connection = await newcomer.hear_first_bytes()
        if connection is None or newcomer.scope.cancel_called:
            return None
        queue, name = self._strangers, server_name(newcomer.first_bytes)
        if self.watch_passes.take(name):
            newcomer.is_invited_watcher = True
        elif self.passes.take(name):
            queue = self._known
            self._strangers.newcomers.remove(newcomer)
            self._add_to(queue, newcomer)
        while not queue.may_begin(newcomer, trio.current_time()):  # noqa: ASYNC110  of time alone
            await trio.sleep(TURN_SECONDS)
        newcomer.has_begun = True
        return connection

    async def let_go(self, newcomer: Newcomer) -> None:
        """Its handshake has come to its end, or it has to go without one."""
        for queue in (self._strangers, self._known):
            if newcomer in queue.newcomers:
                queue.newcomers.remove(newcomer)
        if newcomer.has_begun:
            return
        self._goodbyes += 1
        try:
            await newcomer.turn_away(with_words=self._goodbyes <= MAX_GOODBYES)
        finally:
            self._goodbyes -= 1

    def _add_to(self, queue: _Queue, newcomer: Newcomer) -> None:
        now = trio.current_time()
        leaving = queue.add(newcomer, now)
        if leaving is None:
            return
        queue.newcomers.remove(leaving)
        leaving.scope.cancel()
        count = queue.limit.note_turned_away(now)
        if count:
            self.tell_flood(count)
