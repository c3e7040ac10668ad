"""The control that a front gets: each call puts a command into the inbox of its table."""

from __future__ import annotations

from collections.abc import Callable

from kotp2p.shell.commands import (
    AcceptKey,
    AddBot,
    Adjourn,
    CastVote,
    ChangeMonster,
    ChangeName,
    Command,
    EndPause,
    KeepSeat,
    LeaveTable,
    MarkReady,
    MovePlayer,
    OpenSeats,
    Pause,
    RemovePlayer,
    Say,
    StartGame,
)


class TableControl:
    """Implements `front.Control`."""

    def __init__(self, put: Callable[[Command], None]) -> None:
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

    def change_name(self, name: str) -> None:
        self._put(ChangeName(name))

    def change_monster(self, monster: str) -> None:
        self._put(ChangeMonster(monster))

    def mark_ready(self, wanted: bool) -> None:
        self._put(MarkReady(wanted))

    def accept(self, name: str) -> None:
        self._put(AcceptKey(name))

    def vote(self, drop: bool) -> None:
        self._put(CastVote(drop))

    def pause(self) -> None:
        self._put(Pause())

    def go_on(self) -> None:
        self._put(EndPause())

    def adjourn(self, wanted: bool) -> None:
        self._put(Adjourn(wanted))

    def say(self, text: str) -> None:
        self._put(Say(text))

    def leave(self) -> None:
        self._put(LeaveTable())

    def keep(self) -> None:
        self._put(KeepSeat())
