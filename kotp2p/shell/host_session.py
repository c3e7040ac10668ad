"""How a host comes to its table: it opens the lobby, and its commands move it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

import trio

from kotp2p.lobby.host import HostLobby
from kotp2p.lobby.lobby_effects import FindOthers
from kotp2p.net.handshake import make_refusal
from kotp2p.net.links import FrameReceived, Link, LinkClosed, LinkOpened
from kotp2p.shell.announcer import Announcer
from kotp2p.shell.commands import (
    AcceptKey,
    AddBot,
    ChangeMonster,
    ChangeName,
    ComeBack,
    GoOn,
    KeepSeat,
    LeaveTable,
    LetBack,
    LetBotPlay,
    LobbyCommand,
    MarkReady,
    MovePlayer,
    OpenSeats,
    RemovePlayer,
    Say,
    StartGame,
    StopToday,
    TableCommand,
)
from kotp2p.shell.game_start import SeatSetup
from kotp2p.shell.inbox import AnswerGiven, Item
from kotp2p.shell.lobby_stage import LobbyStage
from kotp2p.shell.stage import Stage, TableContext
from kotp2p.wire.frames import Hello, Refusal, RefusalCode


@dataclass(frozen=True, slots=True)
class HostSession:
    """A `Session`, and the `LobbySide` of its lobby."""

    lobby: HostLobby
    setup: SeatSetup
    announcer: Announcer

    def judge_newcomer(self, theirs: Hello) -> Refusal | None:
        """The lobby itself turns guests away, so that they read why."""
        if theirs.table:  # a player of another game, that was here before
            return make_refusal(RefusalCode.NO_TABLE, "another table is open here")
        return None

    async def open(self, context: TableContext) -> Stage:
        self.lobby.tick(trio.current_time())
        self.lobby.publish_seats()
        return await LobbyStage(context, self).perform_item_effects()

    def accept_item(self, item: Item, now: float) -> None:
        lobby = self.lobby
        match item:
            case LinkOpened(link=link):
                lobby.accept_link(link.number, link.key, link.address, now)
            case FrameReceived(link=link, frame=frame):
                lobby.receive_frame(link.number, frame, now)
            case LinkClosed(link=link):
                lobby.lose_link(link.number, now)
            case AnswerGiven():
                pass  # no question is open in a lobby
            case GoOn() | StopToday() | LetBotPlay() | ComeBack() | LetBack():
                pass  # of a game, which has not begun
            case _:  # the commands of a lobby
                self._obey_command(item, now)

    def _obey_command(self, command: LobbyCommand | TableCommand, now: float) -> None:
        lobby = self.lobby
        match command:
            case StartGame():
                lobby.start_game(now)
            case AddBot():
                lobby.add_bot()
            case RemovePlayer(name=name):
                lobby.remove_player(name, now)
            case MovePlayer(name=name, seat=seat):
                lobby.move_player(name, seat)
            case OpenSeats():
                lobby.open_seats()
            case ChangeName(name=name):
                lobby.choices.change_name(name, now)
            case ChangeMonster(monster=monster):
                lobby.choices.change_monster(monster, now)
            case MarkReady(wanted=wanted):
                lobby.choices.mark_ready(wanted, now)
            case AcceptKey(name=name):
                lobby.accept_key(name, now)
            case Say(text=text):
                lobby.send_chat(text)
            case LeaveTable() | KeepSeat():
                lobby.close_table()
            case _:
                assert_never(command)

    def is_player_link(self, link: Link) -> bool:
        return self.lobby.seating.is_seated(link.number)

    def find_others(self, search: FindOthers, context: TableContext) -> None:
        raise AssertionError("a host has no host to lose")

    def dial_host_again(self, context: TableContext) -> None:
        raise AssertionError("a host has no host to lose")

    def announce_lobby(self) -> None:
        self.announcer.announce_lobby(self.lobby)

    def release_items(self) -> Iterable[Item]:
        """Nothing was held: each link of a host is one of its lobby, and goes on in the game."""
        return ()
