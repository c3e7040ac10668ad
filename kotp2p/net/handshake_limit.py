"""A limit on handshakes with strangers: each costs some milliseconds.

Before the proof a stranger cannot be told from a guest. So there is one limit for all strangers
together, and one for each network. Where more come than the limit allows, it is not the first that
gets in: it is one from the network that has come least in the last minute. So a flood from many
addresses does not keep out a guest who has just come. The machines of the players are not
strangers: they come back whatever the others do. Loopback, from which bots connect, is not limited.
No I/O.

Scope: which connection may begin its handshake, and which one goes when there are too many.
Not here: the connections themselves (`kotp2p.net.connections`).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Set
from dataclasses import dataclass, field

from kotp2p.wire.addresses import network_of

MAX_STRANGERS_PER_SECOND = 10
"""Handshakes begun within a second, of all strangers together."""
MAX_PER_NETWORK_PER_SECOND = 4
"""Handshakes begun within a second with one network of strangers."""
ARRIVALS_SECONDS = 60.0
"""How long a connection counts against its network."""
MAX_ARRIVALS = 4096
"""Connections that are counted at a time."""
FLOOD_SECONDS = 10.0
FLOOD_CONNECTIONS = 20
"""So many connections turned away within `FLOOD_SECONDS` are a flood."""
FLOOD_PAUSE_SECONDS = 60.0
"""The time between two notices of a flood."""


@dataclass(slots=True)
class HandshakeLimit:
    player_addresses: Set[str] = frozenset()
    """From where the players of the game have come, and where they were to be dialled."""
    _begun: deque[tuple[float, str]] = field(default_factory=deque)
    """When and for which address a handshake was begun, in the last second."""
    _arrived: deque[tuple[float, str]] = field(default_factory=deque)
    """When and from which network each connection of the last minute came."""
    _arrivals: Counter[str] = field(default_factory=Counter)
    """How many of these came from each network."""
    _turned_away: deque[float] = field(default_factory=deque)
    _flood_told_at: float = -FLOOD_PAUSE_SECONDS

    def note_arrival(self, address: str, now: float) -> None:
        self._arrived.append((now, network_of(address)))
        self._arrivals[network_of(address)] += 1
        while len(self._arrived) > MAX_ARRIVALS or now >= self._arrived[0][0] + ARRIVALS_SECONDS:
            _, network = self._arrived.popleft()
            self._arrivals[network] -= 1
            if not self._arrivals[network]:
                del self._arrivals[network]

    def choose_to_go(self, addresses: Iterable[str]) -> int:
        """Which of these connections, the oldest first, goes when one must: the place of the oldest
        one from the network that has come most. Players of the game go last."""
        ranks = [self._rank(address) for address in addresses]
        return ranks.index(max(ranks))

    def begin_handshake(self, address: str, waiting: Iterable[str], now: float) -> bool:
        """Whether a handshake may begin now; if so it counts. `address` is empty for loopback;
        `waiting`: the addresses of all that want to begin, this one among them."""
        if not address:
            return True
        while self._begun and now >= self._begun[0][0] + 1.0:
            self._begun.popleft()
        if not self._has_room(address) or self._rank(address) > min(
            self._rank(other) for other in waiting if self._has_room(other)
        ):
            return False
        self._begun.append((now, address))
        return True

    def note_turned_away(self, now: float) -> int:
        """A connection was closed for the sake of others. The number of such connections if that is
        a flood, of which the player has not been told for a while; else 0."""
        self._turned_away.append(now)
        while now >= self._turned_away[0] + FLOOD_SECONDS:
            self._turned_away.popleft()
        count = len(self._turned_away)
        if count < FLOOD_CONNECTIONS or now < self._flood_told_at + FLOOD_PAUSE_SECONDS:
            return 0
        self._flood_told_at = now
        return count

    def _has_room(self, address: str) -> bool:
        """Whether the limits allow one more handshake in this second."""
        network = network_of(address)
        if sum(network_of(one) == network for _, one in self._begun) >= MAX_PER_NETWORK_PER_SECOND:
            return False
        strangers = sum(one not in self.player_addresses for _, one in self._begun)
        return address in self.player_addresses or strangers < MAX_STRANGERS_PER_SECOND

    def _rank(self, address: str) -> int:
        """Less is better."""
        if not address or address in self.player_addresses:
            return 0
        return self._arrivals[network_of(address)]
