"""How often the guests of one network sit down at a host's table (PROTOCOL.md 9.9).

A guest that sits down and stands up without end changes the lobby each time, and everybody is told
of it. A new key costs nothing, so the network counts. The host's own machine is not limited: a
player there could do worse.

Scope: the pace of each network.
Not here: what is done with a guest that has to wait (`kotp2p.lobby.host`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.seams.budgets import SEATS_AT_ONCE, SEATS_PER_SECOND, Allowance
from kotp2p.wire.addresses import network_of


@dataclass(slots=True)
class SeatPace:
    _of_network: dict[str, Allowance] = field(default_factory=dict)
    """Of networks from which somebody has sat down lately."""

    def may_sit(self, address: str, now: float) -> bool:
        """Whether a guest with this address may sit down now. If so, it counts."""
        if not address:
            return True
        self._of_network = {
            network: pace
            for network, pace in self._of_network.items()
            if not pace.has(SEATS_AT_ONCE, now)
        }
        pace = self._of_network.setdefault(
            network_of(address), Allowance(SEATS_AT_ONCE, SEATS_PER_SECOND)
        )
        return pace.take(1, now)
