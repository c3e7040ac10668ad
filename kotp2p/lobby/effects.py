"""What a lobby wants done to the world, and what it tells its front: host and guest alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kotp2p.endings import EndKind
from kotp2p.front import (
    LobbyChanged,
    LobbySeat,
    NameChanged,
    Notice,
)
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_lobby import Lobby
from kotp2p.wire.genesis import Clocks, Genesis
from referee.box.setup import Options

Link: TypeAlias = int
HOST: Link = 0

HOST_LINK = 1
"""The number of the one link that a guest has in a lobby: the link to its host."""


@dataclass(frozen=True, slots=True)
class Tell:
    link: Link
    frame: Frame


@dataclass(frozen=True, slots=True)
class Hang:
    """Send `frame` and close the link."""

    link: Link
    frame: Frame


@dataclass(frozen=True, slots=True)
class Notify:
    notice: Notice


@dataclass(frozen=True, slots=True)
class NewBot:
    """A bot of this process shall join."""


@dataclass(frozen=True, slots=True)
class SaveSeed:
    """To disk, before any later effect."""

    table: bytes
    seed: bytes


@dataclass(frozen=True, slots=True)
class Begin:
    genesis: Genesis
    seat: int
    seed: bytes
    links: dict[Link, int]
    """Seat of each link."""
    addresses: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Shut:
    """The lobby is over without a game."""

    kind: EndKind
    detail: str = ""


LobbyEffect: TypeAlias = Tell | Hang | Notify | NewBot | SaveSeed | Begin | Shut


def option_words(options: Options, clocks: Clocks) -> tuple[str, ...]:
    """The options and clocks that differ from the default, as `key=value`."""
    chosen: list[tuple[str, object, object]] = [
        (name, getattr(options, name), getattr(Options(), name))
        for name in ("two_player", "bay_for_beginners", "tile_sides")
    ]
    chosen += [
        ("turn_time", clocks.turn, Clocks().turn),
        ("reaction_time", clocks.reaction, Clocks().reaction),
    ]
    return tuple(f"{name}={value}".lower() for name, value, usual in chosen if value != usual)


def lobby_notice(lobby: Lobby, key: bytes) -> LobbyChanged:
    """Raises BadBytes if the owner of `key` does not sit there."""
    seats = tuple(
        None if p is None else LobbySeat(p.name, p.monster, p.key, p.bot, p.host, p.one_game)
        for p in lobby.seats
    )
    you = next((i for i, s in enumerate(seats) if s is not None and s.key == key), None)
    if you is None:
        raise BadBytes("a lobby without this seat")
    return LobbyChanged(seats, you, lobby.rules, lobby.options)


def name_notice(wanted: str, lobby: LobbyChanged) -> NameChanged | None:
    """Says so if this seat is called otherwise than it wanted."""
    mine = lobby.seats[lobby.you]
    if mine is None or mine.name == wanted:
        return None
    return NameChanged(wanted, mine.name)
