"""What comes in at a table: links and their frames, answers, and what the front wants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kotp2p.front import Leave
from kotp2p.net.links import Link
from kotp2p.wire.frames import Frame
from referee.model.answers import Answer


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
