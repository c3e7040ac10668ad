"""A limit on handshakes with strangers: each costs some milliseconds.

Before the proof a stranger cannot be told from a guest. So there is one limit for all strangers
together, and one for each address, so that no address uses up the common one. The machines of the
players are not strangers: they come back whatever the others do. A connection beyond the limit is
closed at once, and its sender may try again. Loopback, from which bots connect, is not limited.
No I/O.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Set
from dataclasses import dataclass, field

MAX_STRANGERS_PER_SECOND = 10
"""Handshakes begun within a second, of all strangers together."""
MAX_PER_ADDRESS_PER_SECOND = 4
"""Handshakes begun within a second with one address of a stranger."""


@dataclass(slots=True)
class HandshakeLimit:
    player_addresses: Set[str] = frozenset()
    """From where the players of the game have come, and where they were to be dialled."""
    _begun: deque[tuple[float, str]] = field(default_factory=deque)
    """When and for which address, in the last second."""

    def admit_handshake(self, address: str, now: float) -> bool:
        """Whether a handshake may begin; if so it counts. `address` is empty for loopback."""
        if not address:
            return True
        while self._begun and now >= self._begun[0][0] + 1.0:
            self._begun.popleft()
        own = sum(one == address for _, one in self._begun)
        strangers = sum(one not in self.player_addresses for _, one in self._begun)
        if own >= MAX_PER_ADDRESS_PER_SECOND or (
            address not in self.player_addresses and strangers >= MAX_STRANGERS_PER_SECOND
        ):
            return False
        self._begun.append((now, address))
        return True
