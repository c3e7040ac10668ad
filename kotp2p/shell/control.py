"""The control that a front gets: each call puts a command into the inbox of its table."""

from __future__ import annotations

from collections.abc import Callable

from kotp2p.shell.commands import (
    AcceptKey,
    AddBot,
    ChangeMonster,
    ChangeName,
    ComeBack,
    Command,
    GoOn,
    KeepSeat,
    LeaveTable,
    LetBack,
    LetBotPlay,
    MarkReady,
    MovePlayer,
    NewCode,
    OpenSeats,
    RemovePlayer,
    Say,
    StartGame,
    StopToday,
)


class TableControl:
    """Implements `front.Control`."""

    def __init__(self, put: Callable[[Command | NewCode], None]) -> None:
        self._put = put

    def start(self) -> None:
        self._put(StartGame())

    def add_bot(self) -> None:
        self._put(AddBot())

    def remove(self, name: str) -> None:
        self._put(RemovePlayer(name))

    def move(self, name: str, seat: int) -> None:
        self._put(MovePlayer(name, seat))

    def open_seats(self) -> None:
        self._put(OpenSeats())

    def renew_code(self) -> None:
        self._put(NewCode())

    def change_name(self, name: str) -> None:
        self._put(ChangeName(name))

    def change_monster(self, monster: str) -> None:
        self._put(ChangeMonster(monster))

    def mark_ready(self, wanted: bool) -> None:
        self._put(MarkReady(wanted))

    def accept(self, name: str) -> None:
        self._put(AcceptKey(name))

    def go_on(self, bot: bool) -> None:
        self._put(GoOn(bot))

    def stop_today(self, wanted: bool) -> None:
        self._put(StopToday(wanted))

    def let_bot_play(self) -> None:
        self._put(LetBotPlay())

    def come_back(self) -> None:
        self._put(ComeBack())

    def let_back(self, seat: int) -> None:
        self._put(LetBack(seat))

    def say(self, text: str) -> None:
        self._put(Say(text))

    def leave(self) -> None:
        self._put(LeaveTable())

    def keep(self) -> None:
        self._put(KeepSeat())
