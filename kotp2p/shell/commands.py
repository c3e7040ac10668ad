"""What a player wants, as values: from the front's `Control` to the stage that does it.

Scope: the closed union of commands, the control that makes them, and the inbox in which they wait.
Not here: what a command does (the stages).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from kotp2p.net.links import LinkEvent
from kotp2p.referee.model.answers import Answer, Seat
from kotp2p.seams.front import Leave
from kotp2p.wire.entries import Place

# -- commands ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StartGame:
    pass


@dataclass(frozen=True, slots=True)
class AddBot:
    pass


@dataclass(frozen=True, slots=True)
class RemovePlayer:
    name: str


@dataclass(frozen=True, slots=True)
class MovePlayer:
    name: str
    seat: int
    """The number of the seat, from 1."""


@dataclass(frozen=True, slots=True)
class OpenSeats:
    """Anybody may sit down on a seat that was kept for a player of the last game."""


@dataclass(frozen=True, slots=True)
class ChangeName:
    name: str


@dataclass(frozen=True, slots=True)
class ChangeMonster:
    monster: str


@dataclass(frozen=True, slots=True)
class MarkReady:
    wanted: bool


@dataclass(frozen=True, slots=True)
class AcceptKey:
    """The player of this name is the one known before, with another key."""

    name: str


@dataclass(frozen=True, slots=True)
class GoOn:
    """Go on without the keepers that are offered, a bot in their seats; or rather wait."""

    bot: bool


@dataclass(frozen=True, slots=True)
class StopToday:
    """Stop here for today, if all that are present agree; or take that back."""

    wanted: bool


@dataclass(frozen=True, slots=True)
class LetBotPlay:
    """Leave, and let a bot play on until this player is back."""


@dataclass(frozen=True, slots=True)
class ComeBack:
    """Take the own seat over again from the bot that plays it."""


@dataclass(frozen=True, slots=True)
class LetBack:
    """Let a keeper back whom the program did not let back by itself."""

    seat: int


@dataclass(frozen=True, slots=True)
class Say:
    text: str


@dataclass(frozen=True, slots=True)
class LeaveTable:
    """Lobby: gives the seat up. Game: gives up the monster, for good."""


@dataclass(frozen=True, slots=True)
class KeepSeat:
    """Lobby: as LeaveTable. Game: this process ends, and its seat stays in the game."""


@dataclass(frozen=True, slots=True)
class NewCode:
    """Gives this player's table another code; the old one leads nowhere any more.

    It is no matter of a stage: the desk of the code does it.
    """


HostCommand: TypeAlias = StartGame | AddBot | RemovePlayer | MovePlayer | OpenSeats
"""What the host of a lobby alone can do."""
ChoiceCommand: TypeAlias = ChangeName | ChangeMonster | MarkReady
LobbyCommand: TypeAlias = HostCommand | ChoiceCommand | AcceptKey
GameCommand: TypeAlias = GoOn | StopToday | LetBotPlay | ComeBack | LetBack
TableCommand: TypeAlias = Say | LeaveTable | KeepSeat
"""Commands of a lobby and of a game alike."""
Command: TypeAlias = LobbyCommand | GameCommand | TableCommand


# -- the inbox -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AnswerGiven:
    """The answer for a seat to the question that was asked at `place`."""

    place: Place
    seat: Seat
    answer: Answer | Leave


Item: TypeAlias = LinkEvent | AnswerGiven | Command


# -- the control ---------------------------------------------------------------------------


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
