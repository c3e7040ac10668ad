"""What comes in at a table: links and their frames, answers, and what the front wants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from kotp2p.frames import Frame
from kotp2p.front import Leave
from kotp2p.links import Link
from referee.answers import Answer


@dataclass(frozen=True, slots=True)
class Came:
    link: Link


@dataclass(frozen=True, slots=True)
class Got:
    link: Link
    frame: Frame


@dataclass(frozen=True, slots=True)
class Went:
    link: Link


@dataclass(frozen=True, slots=True)
class Replied:
    place: tuple[int, int]
    answer: Answer | Leave


@dataclass(frozen=True, slots=True)
class Command:
    """What a front wants. Lobby: start, bot, remove, move, accept. Game: drop, wait, pause, go,
    adjourn, stay. Both: say, leave, keep; farewell follows leave, close follows keep."""

    verb: str
    name: str = ""
    """A player's; or what is said."""
    seat: int = 0


Item: TypeAlias = Came | Got | Went | Replied | Command


class TableControl:
    """`front.Control`: puts commands into the inbox."""

    def __init__(self, put: Callable[[Item], None]) -> None:
        self._put = put

    def start(self) -> None:
        self._put(Command("start"))

    def add_bot(self) -> None:
        self._put(Command("bot"))

    def remove(self, name: str) -> None:
        self._put(Command("remove", name))

    def move(self, name: str, seat: int) -> None:
        self._put(Command("move", name, seat))

    def accept(self, name: str) -> None:
        self._put(Command("accept", name))

    def vote(self, drop: bool) -> None:
        self._put(Command("drop" if drop else "wait"))

    def pause(self) -> None:
        self._put(Command("pause"))

    def go_on(self) -> None:
        self._put(Command("go"))

    def adjourn(self, wanted: bool) -> None:
        self._put(Command("adjourn" if wanted else "stay"))

    def say(self, text: str) -> None:
        self._put(Command("say", text))

    def leave(self) -> None:
        self._put(Command("leave"))

    def keep(self) -> None:
        self._put(Command("keep"))
