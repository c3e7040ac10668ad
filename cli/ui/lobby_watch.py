"""Tells a host to whom nobody comes what may be in the way: once, after a minute.

Scope: the moment, and what is named then.
Known limitation: only players who sit down count, as the lobby does not tell of connections.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import trio

from kotp2p.cli.system.network import likely_firewall
from kotp2p.cli.text.how_to_join import FirewallKind, describe_empty_lobby
from kotp2p.cli.ui.display import Display
from kotp2p.cli.ui.player_state import PlayerState
from kotp2p.seams.notices import GameStarted, LobbyChanged, Notice, TableOpened

SAY_EMPTY_AFTER_SECONDS = 60


class LobbyWatch:
    def __init__(
        self,
        state: PlayerState,
        display: Display,
        firewall: Callable[[], FirewallKind | None] = likely_firewall,
    ) -> None:
        self._state = state
        self._display = display
        self._firewall = firewall
        self._opened: TableOpened | None = None
        self._changed = trio.Event()

    def note_notice(self, notice: Notice) -> None:
        match notice:
            case TableOpened(only_loopback=False):
                self._opened = notice
            case LobbyChanged() if _has_guest(notice):
                self._opened = None
            case GameStarted():
                self._opened = None
            case _:  # nothing else tells whether players can come
                return
        self._changed.set()

    async def run(self) -> None:
        """Runs beside the game."""
        while True:
            self._changed = trio.Event()
            if self._opened is None:
                await self._changed.wait()
                continue
            with trio.move_on_after(SAY_EMPTY_AFTER_SECONDS) as alone:
                await self._changed.wait()
            if alone.cancelled_caught:
                names = self._state.feed.audience.interfaces
                lines = describe_empty_lobby(self._opened, names, self._firewall(), sys.executable)
                self._display.put_news([], lines)
                self._opened = None


def _has_guest(lobby: LobbyChanged) -> bool:
    return any(
        seat is not None and not seat.bot and at != lobby.you for at, seat in enumerate(lobby.seats)
    )
