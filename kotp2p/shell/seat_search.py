"""Links with the other seats of a start that this seat has signed, after its host is lost.

Scope: the addresses of the start, dialled again and again until the game begins or is given up.
Not here: the links of a game, whose addresses its seats tell (`kotp2p.net.dialer`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import trio

from kotp2p.lobby.lobby_effects import LINK_TO_HOST, FindOthers
from kotp2p.net.connections import Connections
from kotp2p.net.dialer import ADDRESS_TIMEOUT_SECONDS, FIRST_REDIAL_SECONDS
from kotp2p.wire.addresses import Target


@dataclass(slots=True)
class SeatSearch:
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    """Cancelled once the game has begun: then its own dialler takes over."""

    async def run(
        self, search: FindOthers, connections: Connections, host: str, also_dial: Target | None
    ) -> None:
        """`host`: where the host was dialled. `also_dial`: where some seat may be, besides."""
        genesis = search.genesis
        connections.join_game(genesis.charter.table, genesis.id)
        if LINK_TO_HOST in connections.links:
            connections.links[LINK_TO_HOST].close()
        with self.scope:
            async with trio.open_nursery() as nursery:
                places = zip(genesis.players, search.addresses, strict=True)
                for player, (address, port) in places:
                    if port and player.key != connections.signer.key:
                        target = (address or host, port)
                        nursery.start_soon(self._dial, connections, target, player.key)
                if also_dial is not None:
                    nursery.start_soon(self._dial, connections, also_dial, None)

    async def _dial(self, connections: Connections, target: Target, key: bytes | None) -> None:
        pause = FIRST_REDIAL_SECONDS
        while True:
            if not any(link.key == key for link in connections.links.values()):
                with trio.move_on_after(ADDRESS_TIMEOUT_SECONDS):
                    await connections.dial_peer(*target)
            await trio.sleep(pause)
            pause *= 1.5
