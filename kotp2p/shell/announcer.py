"""Announces a host's table on the LAN, as its lobby stands, until the lobby is over.

Each lobby has a fresh name of two words there. What is not announced has none.
Trouble on the LAN is one notice, and never the end of a table: a player with the address can join.
"""

from __future__ import annotations

import math
from contextlib import suppress

import trio

from kotp2p.lobby.host import HostLobby
from kotp2p.seams.front import Front
from kotp2p.seams.notices import TableAnnounced
from kotp2p.seams.world import LanTrouble, World
from kotp2p.wire.addresses import Poster, is_loopback
from kotp2p.wire.names import draw_table_name


class Announcer:
    def __init__(self, world: World, bind: str | None, front: Front) -> None:
        self._bind, self._front = bind, front
        self._lan = None if bind is not None and is_loopback(bind) else world.lan
        self.table_name = draw_table_name(world.entropy) if self._lan is not None else ""
        self._posters_in, self._posters = trio.open_memory_channel[Poster](math.inf)
        self._last: Poster | None = None
        self._is_over = False

    def announce_lobby(self, lobby: HostLobby) -> None:
        """Announces the lobby if it has changed since the last call."""
        if lobby.start.has_begun:
            self.close()
        poster = make_poster(lobby, self.table_name)
        if self._lan is not None and not self._is_over and poster != self._last:
            self._last = poster
            with suppress(trio.BrokenResourceError):  # trouble, a moment ago
                self._posters_in.send_nowait(poster)

    def close(self) -> None:
        """The lobby is over: the announcement is taken back."""
        self._is_over = True
        self._posters_in.close()

    async def run(self) -> None:
        """Runs until the lobby is over, or this is cancelled."""
        if self._lan is None:
            return
        try:
            await self._lan.announce(self._bind, self._posters, self._announced)
        except LanTrouble as fault:
            self._is_over = True
            self._front.show(TableAnnounced(fault=str(fault)))

    def _announced(self) -> None:
        if not self._is_over:
            self._front.show(TableAnnounced(self.table_name))


def make_poster(lobby: HostLobby, table_name: str) -> Poster:
    offer, is_open = lobby.offer, lobby.start.is_open
    return Poster(
        lobby.choices.own.name, offer.rules, offer.seats, lobby.free_seats, lobby.port, is_open,
        table_name=table_name,
    )  # fmt: skip
