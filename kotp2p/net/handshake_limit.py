"""How often a handshake is begun for whoever connects: one costs some milliseconds.

Whoever proves nothing cannot be told from a guest before that, so there is one measure for all
strangers together, and one for each address, so that one of them does not use up that of all. The
machines of the players are no strangers: they come back whatever the others do. Who comes too often
is closed at once, and may come again. Loopback, from where bots come, is not measured. No I/O.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Set
from dataclasses import dataclass, field

MAX_STRANGERS_PER_SECOND = 10
"""Handshakes begun within a second, of all strangers together."""
MAX_PER_ADDRESS_PER_SECOND = 4
"""And of one address, whoever it is."""


@dataclass(slots=True)
class HandshakeLimit:
    player_addresses: Set[str] = frozenset()
    """From where the players of the game have come, and where they were to be dialled."""
    _begun: deque[tuple[float, str]] = field(default_factory=deque)
    """When and for which address, in the last second."""

    def admits(self, address: str, now: float) -> bool:
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
