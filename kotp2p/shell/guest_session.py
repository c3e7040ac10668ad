"""How a guest comes to its table: it asks the host for a seat, and follows the start; or an earlier
process has signed the start, and it asks the others how that has ended.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import assert_never

import trio

from kotp2p.lobby.guest import FollowedStart, GuestLobby
from kotp2p.lobby.lobby_effects import LINK_TO_HOST, FindOthers
from kotp2p.net.links import FrameReceived, Link, LinkClosed, LinkEvent, LinkOpened
from kotp2p.shell.commands import (
    AcceptKey,
    AddBot,
    ChangeMonster,
    ChangeName,
    ChoiceCommand,
    ComeBack,
    GoOn,
    KeepSeat,
    LeaveTable,
    LetBack,
    LetBotPlay,
    MarkReady,
    MovePlayer,
    OpenSeats,
    RemovePlayer,
    Say,
    StartGame,
    StopToday,
    TableCommand,
)
from kotp2p.shell.find_host import TableAddress
from kotp2p.shell.game_start import SeatSetup
from kotp2p.shell.host_search import HostSearch
from kotp2p.shell.inbox import AnswerGiven, Item
from kotp2p.shell.lobby_stage import LobbyStage
from kotp2p.shell.seat_search import SeatSearch
from kotp2p.shell.stage import Stage, TableContext, refuse_stranger, refuse_without_lobby
from kotp2p.wire.addresses import Target
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.frames import Hello, Refusal, encode

MAX_EARLY_FRAMES = 64
"""Frames of one link that are held, far more than an honest peer sends before our genesis is
complete. A link that brings more is cut."""
MAX_EARLY_BYTES = 262_144
"""The same in bytes: many links of invented players must not fill the memory."""


@dataclass(slots=True)
class EarlyItems:
    """What came before the genesis was complete here, and is for the game.

    The other guests may have their genesis earlier: they link with us and play at once.
    """

    _items: list[Item] = field(default_factory=list)
    _bytes: dict[int, int] = field(default_factory=dict)
    """Of the frames held, by the number of their link."""

    def hold_link_event(self, event: LinkEvent) -> None:
        """Nothing is held of a link that has ended."""
        match event:
            case LinkClosed(link=link):
                self._items = [item for item in self._items if not _is_of_link(item, link)]
                self._bytes.pop(link.number, None)
            case FrameReceived(link=link, frame=frame):
                frames = [i for i in self._items if isinstance(i, FrameReceived) and i.link is link]
                held = self._bytes.get(link.number, 0) + len(encode(frame))
                if len(frames) < MAX_EARLY_FRAMES and held <= MAX_EARLY_BYTES:
                    self._items.append(event)
                    self._bytes[link.number] = held
                else:
                    link.cut()
            case LinkOpened():
                self._items.append(event)
            case _:
                assert_never(event)

    def hold_command(self, command: LeaveTable | KeepSeat) -> None:
        self._items.append(command)

    def release(self) -> list[Item]:
        items, self._items = self._items, []
        return items


def _is_of_link(item: Item, link: Link) -> bool:
    return isinstance(item, LinkOpened | FrameReceived) and item.link is link


@dataclass(frozen=True, slots=True)
class GuestSession:
    """A `Session`, and the `LobbySide` of its lobby."""

    lobby: GuestLobby
    setup: SeatSetup
    recalled: FollowedStart | None = None
    """The start that an earlier process has signed."""
    table: TableAddress | None = None
    """Where the host was dialled; None for a recalled start."""
    also_dial: Target | None = None
    """Where somebody of that start may be, besides."""
    _search: SeatSearch = field(default_factory=SeatSearch)
    _early: EarlyItems = field(default_factory=EarlyItems)

    def judge_newcomer(self, theirs: Hello) -> Refusal | None:
        return refuse_without_lobby(theirs) or refuse_stranger(theirs, self.lobby.keys_at_table)

    async def open(self, context: TableContext) -> Stage:
        now = trio.current_time()
        if self.recalled is not None:
            self.lobby.recall_start(self.recalled, now)
        else:
            self.lobby.ask_for_seat(context.connections.links[LINK_TO_HOST].key, now)
        return await LobbyStage(context, self).perform_item_effects()

    def accept_item(self, item: Item, now: float) -> None:
        match item:
            case LinkOpened() | FrameReceived() | LinkClosed():
                self._accept_link_event(item, now)
            case AcceptKey(name=name):
                self.lobby.accept_key(name, now)
            case Say() | LeaveTable() | KeepSeat():
                self._obey_command(item, now)
            case ChangeName() | ChangeMonster() | MarkReady():
                self._choose(item)
            case StartGame() | AddBot() | RemovePlayer() | MovePlayer() | OpenSeats():
                pass  # the host's
            case AnswerGiven():
                pass  # no question is open in a lobby
            case GoOn() | StopToday() | LetBotPlay() | ComeBack() | LetBack():
                pass  # of a game, which has not begun
            case _:
                assert_never(item)

    def _accept_link_event(self, event: LinkEvent, now: float) -> None:
        match event:
            case FrameReceived(link=link, frame=frame) if link.number == LINK_TO_HOST:
                self.lobby.receive_frame(frame, now)
            case LinkOpened(link=link) if link.number == LINK_TO_HOST:
                if not self.lobby.return_to_host(link.key, now):
                    link.cut()
            case LinkClosed(link=link) if link.number == LINK_TO_HOST:
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

    def _obey_command(self, command: TableCommand, now: float) -> None:
        match command:
            case Say(text=text):
                self.lobby.send_chat(text)
            case LeaveTable() | KeepSeat() if self.lobby.is_bound:
                # For the others the game may have begun: they must not wait for a seat that has
                # no files to come back from. But a host may keep the end of the start to itself.
                self._early.hold_command(command)
                self.lobby.leave_unless_begun(now)
            case LeaveTable() | KeepSeat():
                self.lobby.leave_table()
            case _:
                assert_never(command)

    def _choose(self, command: ChoiceCommand) -> None:
        choices = self.lobby.choices
        match command:
            case ChangeName(name=name):
                choices.change_name(name)
            case ChangeMonster(monster=monster):
                choices.change_monster(monster)
            case MarkReady(wanted=wanted):
                choices.mark_ready(wanted)
            case _:
                assert_never(command)

    def is_player_link(self, link: Link) -> bool:
        return link.number == LINK_TO_HOST

    def find_others(self, search: FindOthers, context: TableContext) -> None:
        host, connections = self.setup.host_address, context.connections
        context.nursery.start_soon(self._search.run, search, connections, host, self.also_dial)

    def dial_host_again(self, context: TableContext) -> None:
        if self.table is not None:
            search = HostSearch(self.lobby, self.table, context.connections)
            context.nursery.start_soon(search.run)

    def announce_lobby(self) -> None:
        """Only a host announces its table."""

    def release_items(self) -> Iterable[Item]:
        self._search.scope.cancel()
        return self._early.release()
