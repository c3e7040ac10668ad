"""What a lobby wants done to the world, and what it tells its front: host and guest alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kotp2p.endings import EndKind
from kotp2p.notices import LobbyChanged, LobbySeat, NameChanged, Notice
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_lobby import Lobby
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.lobby_options import LobbyOptions

LinkNumber: TypeAlias = int
HOST_ITSELF: LinkNumber = 0

LINK_TO_HOST = 1
"""The number of the one link that a guest has in a lobby: the link to its host."""


@dataclass(frozen=True, slots=True)
class SendToLink:
    link: LinkNumber
    frame: Frame


@dataclass(frozen=True, slots=True)
class HangUp:
    """Send `frame` and close the link."""

    link: LinkNumber
    frame: Frame


@dataclass(frozen=True, slots=True)
class ShowNotice:
    notice: Notice


@dataclass(frozen=True, slots=True)
class SpawnBot:
    """A bot of this process shall join."""


@dataclass(frozen=True, slots=True)
class SaveSeed:
    """To disk, before any later effect."""

    table: bytes
    seed: bytes


@dataclass(frozen=True, slots=True)
class BeginGame:
    genesis: Genesis
    seat: int
    seed: bytes
    links: dict[LinkNumber, int]
    """Seat of each link."""
    addresses: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class CloseLobby:
    """The lobby is over without a game."""

    kind: EndKind
    detail: str = ""


LobbyEffect: TypeAlias = (
    SendToLink | HangUp | ShowNotice | SpawnBot | SaveSeed | BeginGame | CloseLobby
)


def lobby_notice(lobby: Lobby, key: bytes) -> LobbyChanged:
    """Raises BadBytes if the owner of `key` does not sit there."""
    seats = tuple(
        None if p is None else LobbySeat(p.name, p.monster, p.key, p.bot, p.host, p.one_game)
        for p in lobby.seats
    )
    you = next((i for i, s in enumerate(seats) if s is not None and s.key == key), None)
    if you is None:
        raise BadBytes("a lobby without this seat")
    return LobbyChanged(seats, you, lobby.rules, LobbyOptions.parse(lobby.options))


def name_notice(wanted: str, lobby: LobbyChanged) -> NameChanged | None:
    """Says so if this seat is called otherwise than it wanted."""
    mine = lobby.seats[lobby.you]
    if mine is None or mine.name == wanted:
        return None
    return NameChanged(wanted, mine.name)
