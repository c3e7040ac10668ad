"""What a lobby, of a host or of a guest, wants done; the shell performs it in order.

Scope: the effects, the queue in which they wait, and notices that are made of a frame.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from kotp2p.lobby.ready_marks import ready_places
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import LobbyChanged, LobbySeat, NameChanged, Notice
from kotp2p.wire.frames import Closed, Frame, Lobby, RefusalCode, TakenSeat
from kotp2p.wire.genesis import Genesis

LinkNumber: TypeAlias = int
"""The shell numbers the links of a process, from 1. In the lobby of a host a number below zero
stands for a bot of the host, to which there is no link."""
HOST_ITSELF: LinkNumber = 0
"""Stands for the host in its own lobby, to which it has no link."""
LINK_TO_HOST: LinkNumber = 1
"""The one link that a guest has in a lobby."""


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
class KeepStart:
    """To disk, before any later effect: this seat signs this start. The game may begin for the
    others whatever becomes of this process, or of the host's."""

    genesis: Genesis
    """Without signatures."""
    seed: bytes
    addresses: tuple[tuple[str, int], ...]
    """As in `BeginGame`."""


@dataclass(frozen=True, slots=True)
class FindOthers:
    """This seat has signed starts and lost the host: the others may know how they have ended. The
    newest one is named."""

    genesis: Genesis
    addresses: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class BeginGame:
    """All have signed the genesis."""

    genesis: Genesis
    seat: int
    seed: bytes
    links: dict[LinkNumber, int]
    """The seat at the other end of each link."""
    addresses: tuple[tuple[str, int], ...] = ()
    """Address and port of each seat; an empty address is that of the host's machine. Port 0: the
    seat cannot be dialled, or another one keeps it."""
    tell_first: tuple[SendToLink, ...] = ()
    """To be sent before anything of the game, and once the game is on disk: for those that get it
    the game has begun, so that this seat must be able to come back to it."""


@dataclass(frozen=True, slots=True)
class CloseLobby:
    """The lobby is over without a game."""

    kind: EndKind
    detail: str = ""
    keeps_start: bool = False
    """A start that this seat has signed may have become a game for the others."""


@dataclass(frozen=True, slots=True)
class DialHostAgain:
    """The link to the host is lost, and the seat there is kept for a while."""


LobbyEffect: TypeAlias = (
    SendToLink | HangUp | ShowNotice | KeepStart | FindOthers | DialHostAgain | BeginGame
    | CloseLobby
)  # fmt: skip


@dataclass(slots=True)
class EffectQueue:
    """Effects in the order in which they are to be performed; all parts of a lobby share one."""

    _effects: list[LobbyEffect] = field(default_factory=list)

    def add_effects(self, *effects: LobbyEffect) -> None:
        self._effects += effects

    def send_frame(self, link: LinkNumber, frame: Frame) -> None:
        self._effects.append(SendToLink(link, frame))

    def show_notice(self, notice: Notice) -> None:
        self._effects.append(ShowNotice(notice))

    def show_notices(self, notices: Iterable[Notice]) -> None:
        for notice in notices:
            self.show_notice(notice)

    def hang_up(self, link: LinkNumber, code: RefusalCode) -> None:
        """Closes the link, and says why."""
        self._effects.append(HangUp(link, Closed(int(code))))

    def take_all(self) -> list[LobbyEffect]:
        effects, self._effects = self._effects, []
        return effects


def lobby_notice(
    lobby: Lobby, key: bytes, *, has_kept_seats: bool = False, away: frozenset[bytes] = frozenset()
) -> LobbyChanged:
    """The lobby as it is shown to the owner of `key`. They have a seat in it. `away`: the keys of
    players whose links are lost."""
    ready = ready_places(lobby)
    seats = tuple(
        None
        if place is None
        else replace(_as_lobby_seat(place, ready=number in ready), away=place.key in away)
        for number, place in enumerate(lobby.seats)
    )
    you = next(i for i, s in enumerate(seats) if s is not None and s.key == key)
    return LobbyChanged(seats, you, lobby.rules, lobby.options, has_kept_seats)


def _as_lobby_seat(place: TakenSeat, *, ready: bool) -> LobbySeat:
    is_bot = place.is_kept and place.automatic
    return LobbySeat(
        place.name,
        place.monster,
        place.key,
        is_bot,
        place.host,
        place.one_game,
        ready,
        place.automatic and not is_bot,
    )


def name_notice(wanted: str, lobby: LobbyChanged) -> NameChanged | None:
    """A notice if this seat got another name than it wanted."""
    mine = lobby.seats[lobby.you]
    if mine is None or mine.name == wanted:
        return None
    return NameChanged(wanted, mine.name)
