"""What a lobby, of a host or of a guest, wants done; the shell performs it in order."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import LobbyChanged, LobbySeat, NameChanged, Notice
from kotp2p.wire.crypto import Signer, Tag, is_valid_signature
from kotp2p.wire.encoding import pack
from kotp2p.wire.frames import NO_MARK, PING_SECONDS, Closed, Frame, Lobby, RefusalCode, TakenSeat
from kotp2p.wire.genesis import Genesis, options_to_value

# -- effects -------------------------------------------------------------------------------


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
    link: LinkNumber
    frame: Frame


@dataclass(frozen=True, slots=True)
class ShowNotice:
    notice: Notice


@dataclass(frozen=True, slots=True)
class KeepStart:
    """Keep a start that this seat signs; it MUST be on disk before any later effect."""

    # The game may begin for the others whatever becomes of this process, or of the host's.

    genesis: Genesis
    """Without signatures."""
    seed: bytes
    addresses: tuple[tuple[str, int], ...]
    """As in `BeginGame`."""


@dataclass(frozen=True, slots=True)
class FindOthers:
    """Ask the others how the newest start has ended: this seat has signed it and lost the host."""

    genesis: Genesis
    addresses: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class BeginGame:
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
    """Effects in the order of their execution; all parts of a lobby share one queue."""

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
        self._effects.append(HangUp(link, Closed(int(code))))

    def take_all(self) -> list[LobbyEffect]:
        effects, self._effects = self._effects, []
        return effects


def lobby_notice(
    lobby: Lobby, key: bytes, *, has_kept_seats: bool = False, away: frozenset[bytes] = frozenset()
) -> LobbyChanged:
    """Return the lobby as the owner of `key` sees it; the links of the keys `away` are lost."""
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
    """Return a notice if this seat got another name than it wanted."""
    mine = lobby.seats[lobby.you]
    if mine is None or mine.name == wanted:
        return None
    return NameChanged(wanted, mine.name)


# -- marks of players who are ready: what a mark signs, and which of a lobby count ---------
#
# A mark is signed by the player alone, so a host can make none for another player. It is signed
# for the rules of the table as that player saw them, so it ends by itself when they change.


def sign_mark(lobby: Lobby, signer: Signer) -> bytes:
    own = next(seat for seat in lobby.taken_seats if seat.key == signer.key)
    return signer.sign(Tag.READY, _body(lobby, own))


def is_mark_of(lobby: Lobby, seat: TakenSeat, mark: bytes) -> bool:
    if mark == NO_MARK or seat.is_kept:
        return False
    return is_valid_signature(seat.key, Tag.READY, _body(lobby, seat), mark)


def ready_places(lobby: Lobby) -> frozenset[int]:
    """Return the places of those who are ready: bots always, a second person with its keeper."""
    marks = lobby.marks or (NO_MARK,) * len(lobby.seats)
    found = {
        place
        for place, seat in enumerate(lobby.seats)
        if seat is not None and (seat.automatic or is_mark_of(lobby, seat, marks[place]))
    }
    kept = {
        place
        for place, seat in enumerate(lobby.seats)
        if seat is not None and not isinstance(seat.owner, bytes) and seat.owner in found
    }
    return frozenset(found | kept)


def _body(lobby: Lobby, author: TakenSeat) -> bytes:
    """Return what a mark signs: the rules of the table, and the process that signs."""
    # The option for two players is left out: it follows from how many have come.
    options = replace(lobby.options.options, two_player=False)
    chosen = (lobby.rules, options_to_value(options), lobby.options.clocks.value())
    return pack((*chosen, author.key, author.fresh))


# -- how both sides notice that a link is dead: pings, and silence -------------------------


@dataclass(slots=True)
class PingTimer:
    deadline: float = math.inf
    """When the lobby wants to be ticked next."""
    _next_ping: float = 0.0

    def is_due(self, now: float) -> bool:
        """Return whether a ping is due now; if so, wait for the next one from now on."""
        if now < self._next_ping:
            return False
        self._next_ping = now + PING_SECONDS
        return True

    def rest(self, now: float) -> None:
        """Wait for the next tick, which is late by half a ping at most."""
        self.deadline = now + PING_SECONDS / 2
