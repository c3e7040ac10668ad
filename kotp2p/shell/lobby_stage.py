"""The lobby as a stage: performs what its core wants done, until a game begins or the lobby ends.

Scope: what host and guest have in common. What differs is a `LobbySide`
(`kotp2p.shell.host_session`, `kotp2p.shell.guest_session`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol, assert_never

from kotp2p.lobby.known_keys import KnownKeys, people_to_remember
from kotp2p.lobby.lobby_effects import (
    BeginGame,
    CloseLobby,
    DialHostAgain,
    FindOthers,
    HangUp,
    KeepStart,
    LobbyEffect,
    SendToLink,
    ShowNotice,
)
from kotp2p.net.links import Link
from kotp2p.seams.endings import Ending
from kotp2p.shell import debug_lines
from kotp2p.shell.game_start import PendingStarts, SeatSetup, create_game
from kotp2p.shell.inbox import Item
from kotp2p.shell.stage import Stage, TableContext
from kotp2p.store.saved_game import known_keys_path
from kotp2p.wire.crypto import OPEN_TABLE_SECRET
from kotp2p.wire.genesis import Genesis


class LobbyCore(Protocol):
    """What `HostLobby` and `GuestLobby` have in common."""

    @property
    def known_keys(self) -> KnownKeys: ...
    @property
    def deadline(self) -> float: ...
    def tick(self, now: float) -> None: ...
    def take_effects(self) -> list[LobbyEffect]: ...


class LobbySide(Protocol):
    """What a host, or a guest, adds."""

    @property
    def lobby(self) -> LobbyCore: ...
    @property
    def setup(self) -> SeatSetup: ...

    def accept_item(self, item: Item, now: float) -> None: ...

    def is_player_link(self, link: Link) -> bool:
        """Whether the other side sits in this lobby, as far as this one knows: a guest knows its
        host."""

    def find_others(self, search: FindOthers, context: TableContext) -> None:
        """Links with the other seats of a start that this seat has signed."""

    def dial_host_again(self, context: TableContext) -> None:
        """Links with the host anew, for a guest whose link to it is lost."""

    def announce_lobby(self) -> None:
        """Tells the LAN how the lobby stands; called whenever it may have changed."""

    def release_items(self) -> Iterable[Item]:
        """Items that came before the game and are for it, in order."""


@dataclass(slots=True)
class LobbyStage:
    context: TableContext
    side: LobbySide
    ending: Ending | None = None
    _starts: PendingStarts = field(init=False)

    def __post_init__(self) -> None:
        self._starts = PendingStarts(self.context.world, self.context.signer, self.side.setup)

    @property
    def deadline(self) -> float:
        return self.side.lobby.deadline

    def is_player_link(self, link: Link) -> bool:
        return self.side.is_player_link(link)

    def accept_item(self, item: Item, now: float) -> None:
        with self.context.own_faults:
            self.side.accept_item(item, now)

    async def finish_batch(self, now: float) -> Stage:
        if now >= self.deadline:
            with self.context.own_faults:
                self.side.lobby.tick(now)
        return await self.perform_item_effects()

    async def perform_item_effects(self) -> Stage:
        following: Stage = self
        effects = self.side.lobby.take_effects()
        debug_lines.note_lobby_effects(effects)
        for effect in effects:
            if isinstance(effect, BeginGame):
                following = await self._begin_game(effect)
            else:
                await self._perform(effect)
        self.side.announce_lobby()
        return following

    async def _perform(
        self,
        effect: SendToLink
        | HangUp
        | ShowNotice
        | KeepStart
        | FindOthers
        | DialHostAgain
        | CloseLobby,
    ) -> None:
        connections = self.context.connections
        match effect:
            case SendToLink(link=number, frame=frame):
                with self.context.own_faults:
                    connections.send_frame(number, frame)
            case HangUp(link=number, frame=frame):
                with self.context.own_faults:
                    connections.send_frame(number, frame)
                if number in connections.links:
                    connections.links[number].close()
            case ShowNotice(notice=notice):
                self.context.front.show(notice)
            case KeepStart():
                await self._starts.keep(effect)
            case FindOthers():
                self.side.find_others(effect, self.context)
            case DialHostAgain():
                self.side.dial_host_again(self.context)
            case CloseLobby(kind=kind, detail=detail, keeps_start=keeps_start):
                if not keeps_start:
                    self._starts.discard()
                self.ending = Ending(kind, detail)
            case _:
                assert_never(effect)

    async def _begin_game(self, begin: BeginGame) -> Stage:
        """What was kept of the start goes only when the game is on disk."""
        game = await create_game(self.context, self.side.setup, begin)
        await game.begin_game(begin.links, tell_first=begin.tell_first)
        self._starts.discard(begin.genesis.charter.start)
        remember = partial(self._remember_players, begin.genesis)
        if self.side.setup.secret == OPEN_TABLE_SECRET:
            game.after_game = remember
        else:
            await remember()
        for item in self.side.release_items():
            self.context.put(item)
        return game

    async def _remember_players(self, genesis: Genesis) -> None:
        """Writes down whose keys this profile has played with. An identity of one game leaves no
        trace in the profile, as another process plays under it.

        At an open table somebody may sit between two friends, and only their comparing of the table
        phrase shows that. So that table's players are remembered when the game has ended here, and
        only if it went on for a round. An invitation names the host's key, and its secret keeps
        everybody else out.
        """
        lobby, setup = self.side.lobby, self.side.setup
        if not setup.one_game:
            people = people_to_remember(genesis.players, self.context.signer.key)
            if people:
                lobby.known_keys.remember(people, self.context.world.today())
                path = known_keys_path(self.context.world)
                await self.context.world.disk.replace(path, lobby.known_keys.encode())
