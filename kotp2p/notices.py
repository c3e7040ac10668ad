"""Notices: what a peer shows its front, in the order in which it happens.

Scope: values without sentences. Each one tells a fact that its player should know; `cli` makes
sentences of them. A new notice joins one of the unions at the end, and the type checker then names
each place that must know it.
Not here: questions (`kotp2p.front`), and what a seat may see at any time (`kotp2p.seat_view`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from pathlib import PurePath
from typing import TypeAlias

from kotp2p.absence_notices import AbsenceNotice
from kotp2p.code_notices import CodeNotice
from kotp2p.lobby_refusals import LobbyRefused
from kotp2p.referee.model.answers import Item, Seat
from kotp2p.referee.model.decisions import Decision
from kotp2p.referee.model.events import Event
from kotp2p.referee.model.state import State
from kotp2p.seat_view import SeatView
from kotp2p.start_notices import StartNotice
from kotp2p.watch_notices import WatchNotice
from kotp2p.wire.entries import Signed
from kotp2p.wire.genesis import LobbyOptions
from kotp2p.wire.lineups import CheatKind

# -- at any time -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Said:
    """A line of chat, in the lobby or in the game."""

    name: str
    """The speaker."""
    text: str
    yours: bool
    """Whether this seat has said it."""
    line: Signed | None = field(default=None, repr=False, compare=False)
    """In a game: the line as its player has signed it."""


@dataclass(frozen=True, slots=True)
class PastLog:
    """What was played in a game before this process has resumed it, or watched it."""

    data: bytes = field(repr=False)
    """The log as it stands, without a torn end."""
    view: SeatView
    """Stands where the log ends."""


@dataclass(frozen=True, slots=True)
class Reopened:
    """A resumed game listens here; the other players can come back by these addresses."""

    addresses: tuple[str, ...]
    """Best address first."""
    port: int


@dataclass(frozen=True, slots=True)
class Flooded:
    """Far more connections come to this process than players can make."""

    count: int
    """How many were turned away within ten seconds."""
    players_have_passes: bool = True
    """Players come in whatever strangers do. Not in the lobby of an open table, where anybody may
    be a player."""


# -- the lobby ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LobbySeat:
    """A taken seat of the lobby."""

    name: str
    monster: str
    key: bytes
    bot: bool
    host: bool
    one_game: bool = False
    """The key is made for this game only and will not be known again."""
    ready: bool = False
    """The player says that the game may begin. A bot always is ready."""
    automatic: bool = False
    """A bot answers in place of this player, in their own process."""
    away: bool = False
    """The link of this player is lost, and the seat kept for a while. Only the host knows it."""

    @property
    def is_played_by_bot(self) -> bool:
        return self.bot or self.automatic


@dataclass(frozen=True, slots=True)
class TableOpened:
    """The host listens."""

    addresses: tuple[str, ...]
    """Ready to be typed behind `join`, best address first."""
    port: int
    only_loopback: bool
    """Whether no other machine can join."""
    invitation: str = ""
    """The link that admits guests, if the table is closed; else empty."""
    key: bytes = b""
    """The host's key."""
    watch_invitation: str = ""
    """The link that admits those who want to watch, if they need one."""
    most_watchers: int = 0
    """So many may watch; 0: nobody."""


class RematchStep(Enum):
    SEARCHES = auto()
    """This player looks whether another one has opened the table for the next game."""
    OFFERS = auto()
    """None has, so this player opens it. `names`: of the people for whom seats are kept."""
    GOES = auto()
    """Somebody has, and this player goes there. `names`: of that one."""


@dataclass(frozen=True, slots=True)
class RematchNews:
    """How this player comes to the next game with the same people."""

    step: RematchStep
    names: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    """OFFERS: by seat, for whom it is kept; empty for a bot's."""
    playing: tuple[str, ...] = ()
    """OFFERS: names of those who are in a game already, perhaps in that one."""


@dataclass(frozen=True, slots=True)
class TableAnnounced:
    """Whether the table of this host can be found on the LAN."""

    name: str = ""
    """The two words by which it is found. They prove nothing, and are not the table phrase."""
    fault: str = ""
    """The reason why it cannot be found; empty if it can."""


@dataclass(frozen=True, slots=True)
class GuestIdentity:
    """Another process uses the profile, so this process plays under a key for one game."""

    profile: str


@dataclass(frozen=True, slots=True)
class NameChanged:
    """The wanted name was taken; this seat is called `name` at this table."""

    wanted: str
    name: str


@dataclass(frozen=True, slots=True)
class LobbyChanged:
    """The lobby as it stands now: the seats, and how the table plays."""

    seats: tuple[LobbySeat | None, ...]
    """By seat, for each seat of the table; None for a free one."""
    you: int
    """The index of this seat."""
    rules: str
    options: LobbyOptions = field(default_factory=LobbyOptions)
    has_kept_seats: bool = False
    """For the host: free seats are kept for players of the last game."""


@dataclass(frozen=True, slots=True)
class KeyChanged:
    """A player sits here under a name that was known under another key."""

    name: str
    known: bytes
    """The key that was known."""
    new: bytes
    refused: bool = False
    """The player was turned away, as no person can be asked here."""


@dataclass(frozen=True, slots=True)
class KeyAccepted:
    """The player here has agreed that this key is that of the player of this name."""

    name: str
    key: bytes


# -- the course of the game ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The game has started, or goes on after a restart."""

    view: SeatView
    resumed: bool = False
    """The game goes on after a restart. Its earlier events are not told again."""
    at: State | None = None
    """The position from which the events that follow count; None: that of the view. A process that
    keeps all seats alone may be further on by the time that this is shown."""

    @property
    def state(self) -> State:
        return self.view.game.state if self.at is None else self.at


@dataclass(frozen=True, slots=True)
class Happened:
    """The game has moved on by these events. `view.game` stands behind them, or further on."""

    events: tuple[Event, ...]
    view: SeatView


@dataclass(frozen=True, slots=True)
class Waiting:
    """The game waits for other seats."""

    seats: tuple[Seat, ...]
    decision: Decision | None
    """The decision that is to be answered; None if the seats owe their parts of a draw."""


@dataclass(frozen=True, slots=True)
class OwnClock:
    """The time that this player has left for a question, as this peer counts it."""

    seconds_left: float
    """Negative if the time is up. It is a part of `limit`, that of a turn or of one decision."""
    limit: int


@dataclass(frozen=True, slots=True)
class GameFinished:
    """The game is over and sealed."""

    winners: tuple[Seat, ...]
    confirmed_by: tuple[Seat, ...]
    """The seats whose signatures the end carries."""
    view: SeatView


# -- incidents ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TopRevealed:
    """The top card of the deck, at which this seat alone has peeked."""

    card: Item


@dataclass(frozen=True, slots=True)
class Missing:
    """After a restart: the seats that have not come back yet; empty once all have."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class LinkChanged:
    """The direct connection to a seat was lost, or is back. The game may go on without it."""

    seat: Seat
    up: bool


class UnsteadyMatter(StrEnum):
    """What about a seat changes again and again."""

    CONNECTION = "connection"
    WISHES = "wishes"


@dataclass(frozen=True, slots=True)
class Detour:
    """All that this seat and some others sign goes through one seat, which could keep it back."""

    seat: Seat
    """The seat in between."""
    others: tuple[Seat, ...]
    """The seats that are reached through it alone; empty once there are none any more."""


@dataclass(frozen=True, slots=True)
class Unsteady:
    """So much happens about a seat that it is told only now and then from here on."""

    seat: Seat
    matter: UnsteadyMatter


@dataclass(frozen=True, slots=True)
class Cheated:
    """A seat has been caught cheating."""

    seat: Seat
    kind: CheatKind
    height: int
    detail: str
    """In technical words: the reason of the referee, or a slot."""


@dataclass(frozen=True, slots=True)
class EvidenceKept:
    """A file was written that proves to anybody that the seat has cheated."""

    seat: Seat
    path: PurePath


@dataclass(frozen=True, slots=True)
class ProgramFault:
    """This program has found an error of its own before anything of it left the machine. It has
    left out what it was about to do."""

    detail: str
    """Technical, in English."""


class Agreement(StrEnum):
    """With which copy of the game most players agree, where two copies differ."""

    OURS = "ours"
    """The game goes on without the other seat."""
    THEIRS = "theirs"
    """The others go on without this seat."""
    OPEN = "open"
    """Not all have shown theirs yet."""
    NONE = "none"
    """No majority agrees, so the game stops for all."""


@dataclass(frozen=True, slots=True)
class Diverged:
    """Two copies of the game differ although both are legal. That proves nothing."""

    seat: Seat
    """The seat with the other copy."""
    field: str
    """The name of the number that differs; empty if the other seat has not shown its numbers."""
    ours: str
    theirs: str
    agreement: Agreement


# -- the union ---------------------------------------------------------------------------

LobbyNotice: TypeAlias = (
    TableOpened | TableAnnounced | LobbyChanged | LobbyRefused | StartNotice | GuestIdentity
    | NameChanged | KeyChanged | KeyAccepted | RematchNews
)  # fmt: skip
PlayNotice: TypeAlias = GameStarted | Happened | Waiting | OwnClock | GameFinished
IncidentNotice: TypeAlias = (
    TopRevealed | Missing | LinkChanged | Detour | Unsteady | Cheated | EvidenceKept | Diverged
    | ProgramFault
)  # fmt: skip
Notice: TypeAlias = (
    Said | WatchNotice | CodeNotice | PastLog | Reopened | Flooded | LobbyNotice | PlayNotice
    | AbsenceNotice | IncidentNotice
)  # fmt: skip
"""Everything that a front is shown."""
