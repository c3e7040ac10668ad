"""The seam between a peer and the player of its seat: the front, and what it wants, as values."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol, TypeAlias

from kotp2p.referee.model.answers import Answer, Seat
from kotp2p.referee.model.decisions import Decision
from kotp2p.seams.notices import Notice, SeatView
from kotp2p.wire.encoding import WireArray, boolean, integer, octets
from kotp2p.wire.entries import Place
from kotp2p.wire.frames import MAX_WATCHERS


@dataclass(frozen=True, slots=True)
class StartGame:
    """Start the game with the players that are seated (lobby, host)."""


@dataclass(frozen=True, slots=True)
class AddBot:
    """Seat a bot of this process on the first free seat (lobby, host)."""


@dataclass(frozen=True, slots=True)
class RemovePlayer:
    """Take away the seat of a player, by name or number from 1 (lobby, host)."""

    name: str


@dataclass(frozen=True, slots=True)
class MovePlayer:
    """Seat a player at `seat`, from 1, and move its occupant to the old seat (lobby, host)."""

    name: str
    seat: int


@dataclass(frozen=True, slots=True)
class OpenSeats:
    """Let anybody take the seats kept for players of the last game (lobby, host)."""


@dataclass(frozen=True, slots=True)
class NewCode:
    """Make another code for this player's table; the old one leads nowhere any more."""


@dataclass(frozen=True, slots=True)
class ChangeName:
    """Take this name from now on (lobby)."""

    name: str


@dataclass(frozen=True, slots=True)
class ChangeMonster:
    """Play this monster, whose name may be cut short (lobby)."""

    monster: str


@dataclass(frozen=True, slots=True)
class MarkReady:
    """Show the others whether this seat is ready for the table as it is (lobby)."""

    wanted: bool


@dataclass(frozen=True, slots=True)
class AcceptKey:
    """Accept that the player called `name` is the known one, with a new key (lobby)."""

    name: str


@dataclass(frozen=True, slots=True)
class GoOn:
    """Let a bot play for silent keepers, or wait, until all agree (game)."""

    bot: bool


@dataclass(frozen=True, slots=True)
class StopToday:
    """Stop here if all present players want it (game). The game can be resumed later."""

    wanted: bool


@dataclass(frozen=True, slots=True)
class LetBotPlay:
    """Leave, and let a bot play on until this player comes back (game)."""


@dataclass(frozen=True, slots=True)
class ComeBack:
    """Take the own seat over again from the bot that plays it (game)."""


@dataclass(frozen=True, slots=True)
class LetBack:
    """Let the keeper of this seat back, about whom the program asks (game)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Say:
    """Send a line of chat, at any time; no log contains chat."""

    text: str


@dataclass(frozen=True, slots=True)
class LeaveTable:
    """Give the seat up for good; as host close the table, in a game lose the monster."""


@dataclass(frozen=True, slots=True)
class KeepSeat:
    """End this process, whose seat stays in the game; in the lobby this is `LeaveTable`."""


Command: TypeAlias = (
    StartGame | AddBot | RemovePlayer | MovePlayer | OpenSeats | NewCode | ChangeName
    | ChangeMonster | MarkReady | AcceptKey | GoOn | StopToday | LetBotPlay | ComeBack | LetBack
    | Say | LeaveTable | KeepSeat
)  # fmt: skip


Control: TypeAlias = Callable[[Command], None]
"""What a front gives its commands to, at any time; it does not block or raise."""


# -- the player ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Leave:
    """In place of an answer: the player gives up the monster for good."""


@dataclass(frozen=True, slots=True)
class AnswerGiven:
    """The answer for a seat to the question that was asked at `place`."""

    place: Place
    seat: Seat
    answer: Answer | Leave


# -- the front: a person at a terminal, or a bot -------------------------------------------


class Front(Protocol):
    """The player of one seat, as its peer meets it."""

    def attach(self, control: Control) -> None:
        """Take the control of the peer; this is called once, before the first notice."""

    def show(self, notice: Notice) -> None:
        """Take in what has happened, in order; this MUST NOT block or raise."""

    async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
        """Answer `decision`, legally; cancelled when the question is withdrawn."""


class StandIn:
    """Plays a seat by what silence means: the default of each decision."""

    def attach(self, control: Control) -> None:
        """Do nothing: it never leaves the game and starts nothing."""

    def show(self, notice: Notice) -> None:
        """Do nothing: a decision has everything."""

    async def decide(self, view: SeatView, decision: Decision) -> Answer:
        return decision.default


# -- what a table offers to those who watch ------------------------------------------------


@dataclass(frozen=True, slots=True)
class WatchOffer(WireArray):
    READERS = (partial(integer, most=MAX_WATCHERS), octets, boolean)
    most: int = 0
    """The greatest number of watchers at a time; 0: none."""
    secret: bytes = field(default=b"", repr=False)
    """What a watcher must know, if watchers need an invitation of their own; empty: they come in by
    the secret of the table."""
    has_chat: bool = False

    @property
    def is_open(self) -> bool:
        return self.most > 0


NO_WATCHERS = WatchOffer()
