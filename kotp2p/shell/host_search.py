"""How a guest whose link to the host is lost in the lobby comes back to its seat.

Scope: one search, from the loss to a new link or to the end of the lobby.
Not here: how long the seat is kept, and what is said on the new link (`kotp2p.lobby.guest`).
"""

from __future__ import annotations

from dataclasses import dataclass

import trio

from kotp2p.lobby.guest import GuestLobby
from kotp2p.lobby.lobby_effects import LINK_TO_HOST
from kotp2p.net.connections import Connections
from kotp2p.net.dialer import FIRST_REDIAL_SECONDS
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.shell.join import NotSeated, TableAddress, connect_to_host

MAX_PAUSE_SECONDS = 5.0
"""The longest pause between two attempts."""
MAX_REFUSED_DIALS = 4
"""Attempts in a row that find the machine without the program: it has ended there."""
CLOSING_SECONDS = 0.05
"""The pause before it is looked again whether the old link has ended."""
MAY_PASS = (EndKind.NO_ANSWER, EndKind.NAME_UNKNOWN, EndKind.BUSY, EndKind.NOT_A_TABLE)
"""What a broken network may look like; everything else is an answer of the host."""


@dataclass(frozen=True, slots=True)
class HostSearch:
    lobby: GuestLobby
    table: TableAddress
    connections: Connections

    async def run(self) -> None:
        pause, refused = FIRST_REDIAL_SECONDS, 0
        while self.lobby.is_away:
            await self._end_old_link()
            ending = await self._dial()
            if ending is None:
                return
            refused = refused + 1 if ending.kind is EndKind.REFUSED else 0
            if refused >= MAX_REFUSED_DIALS:
                self.lobby.give_up_return(EndKind.LOST_HOST)
            elif not refused and ending.kind not in MAY_PASS:
                self.lobby.give_up_return(ending.kind, ending.detail)
            await trio.sleep(pause)
            pause = min(1.5 * pause, MAX_PAUSE_SECONDS)

    async def _end_old_link(self) -> None:
        """Both links have the same number."""
        while (old := self.connections.links.get(LINK_TO_HOST)) is not None:
            old.cut()
            await trio.sleep(CLOSING_SECONDS)

    async def _dial(self) -> Ending | None:
        """None once a link stands."""
        try:
            link, _place = await connect_to_host(self.connections, self.table)
        except NotSeated as fault:
            return fault.ending
        self.connections.serve_link(link)
        return None
