"""The lobby as a stage: performs what its core wants done, until a game begins or it ends."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, field
from typing import assert_never

import trio

from kotp2p.lobby import guest, lobby_effects
from kotp2p.lobby.host import HostLobby
from kotp2p.net.connections import Connections
from kotp2p.net.dialer import ADDRESS_TIMEOUT_SECONDS, FIRST_REDIAL_SECONDS
from kotp2p.net.handshake import make_refusal
from kotp2p.net.links import FrameReceived, Link, LinkClosed, LinkEvent, LinkOpened
from kotp2p.seams import commands, endings, notices
from kotp2p.seams.commands import Front
from kotp2p.seams.world import Lan, LanTrouble, World
from kotp2p.shell import debug_lines, game_stage, profile
from kotp2p.shell.find_host import HostSearch, TableAddress
from kotp2p.shell.table_code import HeldCode
from kotp2p.shell.table_loop import Item, Stage, TableLoop, refuse_stranger, refuse_without_lobby
from kotp2p.wire.addresses import Poster, Target, is_loopback
from kotp2p.wire.crypto import OPEN_TABLE_SECRET
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.frames import Ask, Hello, Refusal, RefusalCode, encode


@dataclass(kw_only=True)
class LobbyStage:
    loop: TableLoop
    lobby: HostLobby | guest.GuestLobby
    setup: game_stage.SeatSetup
    ending: endings.Ending | None = None
    _starts: game_stage.PendingStarts = field(init=False)

    def __post_init__(self) -> None:
        self._starts = game_stage.PendingStarts(self.loop.world, self.loop.signer, self.setup)

    @property
    def deadline(self) -> float:
        return self.lobby.deadline

    def is_player_link(self, link: Link) -> bool:
        """Return whether the other side sits in this lobby, as far as this one knows."""
        raise NotImplementedError

    def accept_item(self, item: Item, now: float) -> None:
        with self.loop.own_faults:
            if isinstance(item, FrameReceived) and isinstance(item.frame, Ask):
                self.loop.code.answer_on_link(item.link, item.frame, now)
            self._accept(item, now)

    def _accept(self, item: Item, now: float) -> None:
        raise NotImplementedError

    async def finish_batch(self, now: float) -> Stage:
        if now >= self.deadline:
            with self.loop.own_faults:
                self.lobby.tick(now)
        return await self.perform_item_effects()

    async def perform_item_effects(self) -> Stage:
        following: Stage = self
        effects = self.lobby.take_effects()
        debug_lines.note_lobby_effects(effects)
        for effect in effects:
            if isinstance(effect, lobby_effects.BeginGame):
                following = await self._begin_game(effect)
            else:
                await self._perform(effect)
        return following

    async def _perform(self, effect: lobby_effects.LobbyEffect) -> None:
        connections = self.loop.connections
        match effect:
            case lobby_effects.SendToLink(link=number, frame=frame):
                with self.loop.own_faults:
                    connections.send_frame(number, frame)
            case lobby_effects.HangUp(link=number, frame=frame):
                with self.loop.own_faults:
                    connections.send_frame(number, frame)
                if number in connections.links:
                    connections.links[number].close()
            case lobby_effects.ShowNotice(notice=notice):
                self.loop.front.show(notice)
            case lobby_effects.KeepStart():
                await self._starts.keep(effect)
            case lobby_effects.CloseLobby(kind=kind, detail=detail, keeps_start=keeps_start):
                if not keeps_start:
                    self._starts.discard()
                self.ending = endings.Ending(kind, detail)
            case _:  # of a guest alone
                raise AssertionError("a host has no host to lose")

    async def _begin_game(self, begin: lobby_effects.BeginGame) -> Stage:
        """Begin the game; discard what was kept of the start once the game is on disk."""
        game = await game_stage.create_game(self.loop, self.setup, begin)
        await game.begin_game(begin.links, tell_first=begin.tell_first)
        self._starts.discard(begin.genesis.charter.start)
        if self.setup.places.secret != OPEN_TABLE_SECRET:  # the secret keeps strangers out
            await profile.remember_players(self.loop.world, begin.genesis, self.loop.signer.key)
        return game


# -- a host --------------------------------------------------------------------------------


@dataclass(kw_only=True)
class HostStage(LobbyStage):
    lobby: HostLobby
    announcer: Announcer

    def judge_newcomer(self, theirs: Hello) -> Refusal | None:
        """Refuse a player of another game; guests are turned away by the lobby, with a reason."""
        if theirs.table:  # a player of another game, that was here before
            return make_refusal(RefusalCode.NO_TABLE, "another table is open here")
        return None

    async def open(self) -> Stage:
        self.lobby.tick(trio.current_time())
        self.lobby.publish_seats()
        return await self.perform_item_effects()

    def _accept(self, item: Item, now: float) -> None:
        lobby = self.lobby
        match item:
            case LinkOpened(link=link):
                lobby.accept_link(link.number, link.key, link.address, now)
            case FrameReceived(link=link, frame=frame):
                lobby.receive_frame(link.number, frame, now)
            case LinkClosed(link=link):
                lobby.lose_link(link.number, now)
            case commands.AcceptKey(name=name):
                lobby.accept_key(name, now)
            case commands.Say(text=text):
                lobby.send_chat(text)
            case commands.LeaveTable() | commands.KeepSeat():
                lobby.close_table()
            case _:  # commands that only one of both lobbies has
                self._obey_command(item, now)

    def _obey_command(self, command: Item, now: float) -> None:
        lobby = self.lobby
        match command:
            case commands.StartGame():
                lobby.start_game(now)
            case commands.AddBot():
                lobby.add_bot()
            case commands.RemovePlayer(name=name):
                lobby.remove_player(name, now)
            case commands.MovePlayer(name=name, seat=seat):
                lobby.move_player(name, seat)
            case commands.OpenSeats():
                lobby.open_seats()
            case commands.ChangeName(name=name):
                lobby.choices.change_name(name, now)
            case commands.ChangeMonster(monster=monster):
                lobby.choices.change_monster(monster, now)
            case commands.MarkReady(wanted=wanted):
                lobby.choices.mark_ready(wanted, now)
            case _:  # of a game, which has not begun
                pass

    async def perform_item_effects(self) -> Stage:
        following = await super().perform_item_effects()
        self.announcer.announce_lobby(self.lobby)
        return following

    def is_player_link(self, link: Link) -> bool:
        return self.lobby.seating.is_seated(link.number)


# -- how a guest finds the other seats -----------------------------------------------------


@dataclass(slots=True)
class SeatSearch:
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    """Cancelled once the game has begun: then its own dialler takes over."""

    async def run(
        self,
        search: lobby_effects.FindOthers,
        connections: Connections,
        host: str,
        also_dial: Target | None,
    ) -> None:
        """Dial the other seats of a signed start, and `also_dial`, until it is decided."""
        genesis = search.genesis
        connections.join_game(genesis.charter.table, genesis.id)
        if lobby_effects.LINK_TO_HOST in connections.links:
            connections.links[lobby_effects.LINK_TO_HOST].close()
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


# -- a guest -------------------------------------------------------------------------------


MAX_EARLY_FRAMES = 64
"""Frames of one link that are held, far more than an honest peer sends before our genesis is
complete. A link that brings more is cut."""
MAX_EARLY_BYTES = 262_144
"""The same in bytes: many links of invented players must not fill the memory."""


@dataclass(slots=True)
class EarlyItems:
    """Frames and links of guests who had the genesis earlier, and play at once: for the game."""

    items: list[Item] = field(default_factory=list)
    _bytes: dict[int, int] = field(default_factory=dict)
    """Of the frames held, by the number of their link."""

    def hold_link_event(self, event: LinkEvent) -> None:
        """Hold an event for the game; nothing is held of a link that has ended."""
        match event:
            case LinkClosed(link=link):
                self.items = [item for item in self.items if not _is_of_link(item, link)]
                self._bytes.pop(link.number, None)
            case FrameReceived(link=link, frame=frame):
                frames = [i for i in self.items if isinstance(i, FrameReceived) and i.link is link]
                held = self._bytes.get(link.number, 0) + len(encode(frame))
                if len(frames) < MAX_EARLY_FRAMES and held <= MAX_EARLY_BYTES:
                    self.items.append(event)
                    self._bytes[link.number] = held
                else:
                    link.cut()
            case LinkOpened():
                self.items.append(event)
            case _:
                assert_never(event)

    def release(self) -> list[Item]:
        items, self.items = self.items, []
        return items


def _is_of_link(item: Item, link: Link) -> bool:
    return isinstance(item, LinkOpened | FrameReceived) and item.link is link


@dataclass(kw_only=True)
class GuestStage(LobbyStage):
    lobby: guest.GuestLobby
    recalled: guest.FollowedStart | None = None
    table: TableAddress | None = None
    """Where the host was dialled; None for a recalled start."""
    also_dial: Target | None = None
    """An address at which a seat of that start may be, besides."""
    _search: SeatSearch = field(default_factory=SeatSearch)
    _early: EarlyItems = field(default_factory=EarlyItems)

    def judge_newcomer(self, theirs: Hello) -> Refusal | None:
        return refuse_without_lobby(theirs) or refuse_stranger(theirs, self.lobby.keys_at_table)

    async def open(self) -> Stage:
        now = trio.current_time()
        if self.recalled is not None:
            self.lobby.recall_start(self.recalled, now)
        else:
            link = self.loop.connections.links[lobby_effects.LINK_TO_HOST]
            self.lobby.ask_for_seat(link.key, now)
        return await self.perform_item_effects()

    def _accept(self, item: Item, now: float) -> None:
        match item:
            case LinkOpened() | FrameReceived() | LinkClosed():
                self._accept_link_event(item, now)
            case commands.AcceptKey(name=name):
                self.lobby.accept_key(name, now)
            case commands.Say(text=text):
                self.lobby.send_chat(text)
            case commands.LeaveTable() | commands.KeepSeat() if self.lobby.is_bound:
                # For the others the game may have begun: they must not wait for a seat that has
                # no files to come back from. But a host may keep the end of the start to itself.
                self._early.items.append(item)
                self.lobby.leave_unless_begun(now)
            case commands.LeaveTable() | commands.KeepSeat():
                self.lobby.leave_table()
            case commands.ChangeName(name=name):
                self.lobby.choices.change_name(name)
            case commands.ChangeMonster(monster=monster):
                self.lobby.choices.change_monster(monster)
            case commands.MarkReady(wanted=wanted):
                self.lobby.choices.mark_ready(wanted)
            case _:  # the host's, or of a game, which has not begun
                pass

    def _accept_link_event(self, event: LinkEvent, now: float) -> None:
        match event:
            case FrameReceived(link=link, frame=frame) if link.number == lobby_effects.LINK_TO_HOST:
                self.lobby.receive_frame(frame, now)
            case LinkOpened(link=link) if link.number == lobby_effects.LINK_TO_HOST:
                if not self.lobby.return_to_host(link.key, now):
                    link.cut()
            case LinkClosed(link=link) if link.number == lobby_effects.LINK_TO_HOST:
                self.lobby.lose_host(now)
            case FrameReceived(link=link, frame=Signed(kind=BodyKind.GENESIS) as signed):
                try:
                    self.lobby.hear_seals(link.number, signed)
                except BadBytes:
                    link.cut()
            case _:  # of the other seats, with whom the game may have begun
                self._early.hold_link_event(event)
                if isinstance(event, LinkOpened):
                    self.lobby.tell_seals(event.link.number)

    def is_player_link(self, link: Link) -> bool:
        return link.number == lobby_effects.LINK_TO_HOST

    async def _perform(self, effect: lobby_effects.LobbyEffect) -> None:
        connections, nursery = self.loop.connections, self.loop.nursery
        match effect:
            case lobby_effects.FindOthers():
                host = self.setup.places.host_address
                nursery.start_soon(self._search.run, effect, connections, host, self.also_dial)
            case lobby_effects.DialHostAgain():
                if self.table is not None:
                    search = HostSearch(self.loop.world, self.lobby, self.table, connections)
                    nursery.start_soon(search.run)
            case _:  # as at the host's
                await super()._perform(effect)

    async def _begin_game(self, begin: lobby_effects.BeginGame) -> Stage:
        game = await super()._begin_game(begin)
        self._search.scope.cancel()
        for item in self._early.release():
            self.loop.put(item)
        return game


# -- the table on the LAN ------------------------------------------------------------------
#
# It has the number of the code there, if it has a code. Trouble on the LAN is one notice, and never
# the end of a table: a player with the address can join.


ANNOUNCE_AGAIN_SECONDS = 15.0
"""The time until a table is announced again after trouble on the LAN."""


class Announcer:
    def __init__(self, world: World, bind: str | None, front: Front, code: HeldCode) -> None:
        self._bind, self._front, self._code = bind, front, code
        self._lan = None if bind is not None and is_loopback(bind) else world.lan
        self._posters: trio.MemorySendChannel[Poster] | None = None
        self._last: Poster | None = None
        self._last_fault = ""
        self._is_over = False
        self._renewal = trio.Event()

    def announce_lobby(self, lobby: HostLobby) -> None:
        if lobby.start.has_begun:
            self.close()
        known = self._code.known
        poster = make_poster(lobby, 0 if known is None else known.number)
        if self._lan is not None and not self._is_over and poster != self._last:
            self._last = poster
            self._post(poster)

    def _post(self, poster: Poster) -> None:
        if self._posters is not None:
            with suppress(trio.BrokenResourceError):  # trouble, a moment ago
                self._posters.send_nowait(poster)

    def renew(self) -> None:
        """Announce the table again, as the addresses of this machine have changed."""
        self._renewal.set()

    def close(self) -> None:
        self._is_over = True
        if self._posters is not None:
            self._posters.close()

    async def run(self) -> None:
        while self._lan is not None and not self._is_over:
            self._renewal = trio.Event()
            self._posters, posters = trio.open_memory_channel[Poster](math.inf)
            if self._last is not None:
                self._post(self._last)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._announce, self._lan, posters)
                await self._renewal.wait()
                nursery.cancel_scope.cancel()

    async def _announce(self, lan: Lan, posters: trio.MemoryReceiveChannel[Poster]) -> None:
        """Announce until the lobby is over; on trouble ask for a renewal later."""
        # A network that has just come up may take multicast a moment later.
        try:
            await lan.announce(self._bind, posters, self._announced)
            self._renewal.set()
        except LanTrouble as fault:
            if str(fault) != self._last_fault:
                self._last_fault = str(fault)
                self._front.show(notices.TableAnnounced(fault=self._last_fault))
            await trio.sleep(ANNOUNCE_AGAIN_SECONDS)
            self._renewal.set()

    def _announced(self) -> None:
        if not self._is_over:
            self._front.show(notices.TableAnnounced())


def make_poster(lobby: HostLobby, code_number: int) -> Poster:
    offer, is_open = lobby.offer, lobby.start.is_open
    return Poster(
        lobby.choices.own.name,
        offer.rules,
        offer.players,
        lobby.free_seats,
        lobby.port,
        is_open,
        code_number=code_number,
    )
