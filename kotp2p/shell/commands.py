"""What a front wants, as values: one class for each call of `front.Control`.

Scope: the commands, sorted by where they mean something: in a lobby, in a game, or in both.
Not here: what they do (`kotp2p.shell.host_session`, `guest_session` and `game_stage`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


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
    """Gives this player's table another code; the old one leads nowhere any more. It is no matter
    of a stage: the desk of the code does it."""


HostCommand: TypeAlias = StartGame | AddBot | RemovePlayer | MovePlayer | OpenSeats
"""What the host of a lobby alone can do."""
ChoiceCommand: TypeAlias = ChangeName | ChangeMonster | MarkReady
LobbyCommand: TypeAlias = HostCommand | ChoiceCommand | AcceptKey
GameCommand: TypeAlias = GoOn | StopToday | LetBotPlay | ComeBack | LetBack
TableCommand: TypeAlias = Say | LeaveTable | KeepSeat
"""Commands of a lobby and of a game alike."""
Command: TypeAlias = LobbyCommand | GameCommand | TableCommand
