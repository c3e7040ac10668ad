"""TODO scope."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePath
from typing import TypeAlias

from kotp2p.seat_view import SeatView
from kotp2p.wire.lobby_options import LobbyOptions
from kotp2p.wire.proofs import CheatKind
from referee.model.answers import Item, Seat
from referee.model.decisions import Decision
from referee.model.events import Event
from referee.model.state import State


@dataclass(frozen=True, slots=True)
class LobbySeat:
    name: str
    monster: str
    key: bytes
    bot: bool
    host: bool
    one_game: bool = False
    """Its key is made for this game only, and will not be known again."""


@dataclass(frozen=True, slots=True)
class TableOpened:
    """The host listens. `addresses` are ready to be typed behind `join`, best first."""

    addresses: tuple[str, ...]
    port: int
    only_loopback: bool
    invitation: str = ""
    """The link that lets in, if the table is closed."""
    key: bytes = b""
    """The host's own."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """The table of this host can be found on the LAN; or not, for the reason `fault`."""

    fault: str = ""


@dataclass(frozen=True, slots=True)
class Reopened:
    """A game goes on here; the others may come back by these addresses."""

    addresses: tuple[str, ...]
    port: int


@dataclass(frozen=True, slots=True)
class GuestIdentity:
    """The profile is in use by another process: this one plays under a key for one game."""

    profile: str


@dataclass(frozen=True, slots=True)
class NameChanged:
    """The wanted name was taken; this seat is called `name` at this table."""

    wanted: str
    name: str


@dataclass(frozen=True, slots=True)
class LobbyChanged:
    """The seats of the lobby; `seats` has the table's capacity, None for a free seat."""

    seats: tuple[LobbySeat | None, ...]
    you: int
    rules: str
    options: LobbyOptions = field(default_factory=LobbyOptions)


@dataclass(frozen=True, slots=True)
class Said:
    """Chat, in the lobby or in the game."""

    name: str
    text: str
    yours: bool


@dataclass(frozen=True, slots=True)
class KeyChanged:
    """Somebody sits here under a name that was known under another key."""

    name: str
    known: bytes
    new: bytes
    refused: bool = False
    """The player was turned away, as nobody here can be asked."""


@dataclass(frozen=True, slots=True)
class StartFailed:
    """The start was broken off (`missing` did not follow); the lobby goes on."""

    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LobbyRefused:
    """A command of the host could not be done."""

    why: LobbyFault
    name: str = ""
    other: str = ""


class LobbyFault(StrEnum):
    TOO_FEW = "too-few"
    """Two players are needed."""
    FULL = "full"
    NO_SUCH_NAME = "no-such-name"
    NO_SUCH_SEAT = "no-such-seat"
    NOT_YOURSELF = "not-yourself"
    """This is the host, who cannot be removed."""
    STARTING = "starting"
    TWO_ONLY = "two-only"
    """The two-player option, and there are more."""
    NEW_KEY = "new-key"
    """A known name with another key has not been accepted yet."""
    UNSURE = "unsure"
    """Nor has `name`, a guest, accepted the key of `other`: so no start can succeed."""


@dataclass(frozen=True, slots=True)
class GameStarted:
    view: SeatView
    resumed: bool = False
    """It goes on after a restart; nothing of it is told again."""


@dataclass(frozen=True, slots=True)
class Missing:
    """After a restart: the seats that have not come back yet; empty once all have."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Happened:
    """The game has moved on: `view.game` stands behind these events, or further on."""

    events: tuple[Event, ...]
    view: SeatView


@dataclass(frozen=True, slots=True)
class Waiting:
    """Others owe something: an answer to `decision`, or (None) their part of a draw."""

    seats: tuple[Seat, ...]
    decision: Decision | None


@dataclass(frozen=True, slots=True)
class TopRevealed:
    """The card that this seat has looked at; nobody else is told."""

    card: Item


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A player has left the game by a farewell; the monster is out."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class LinkChanged:
    """The direct connection to a seat was lost or is back; the game may go on without it."""

    seat: Seat
    up: bool


@dataclass(frozen=True, slots=True)
class Late:
    """The clock of these seats has run out. Nothing is played for them."""

    seats: tuple[Seat, ...]
    vote_in: int
    """Seconds until the others may vote."""


@dataclass(frozen=True, slots=True)
class Gone:
    """No word from this seat any more, by any way. The game waits where it needs it."""

    seat: Seat
    vote_in: int
    """Seconds until the others may vote, if the game waits for it by then."""


@dataclass(frozen=True, slots=True)
class Returned:
    """A seat that was gone is there again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class VoteOpened:
    """Those present may go on without `accused`, or wait; nothing happens by itself."""

    accused: tuple[Seat, ...]
    voters: tuple[Seat, ...]
    """All of these must say drop: the live keepers outside `accused`."""
    enough: bool
    """They are more than half of the live keepers. Otherwise they can wait or adjourn."""
    yours: bool
    """This seat has a vote."""


@dataclass(frozen=True, slots=True)
class Voted:
    seat: Seat
    accused: tuple[Seat, ...]
    """Empty: wait, or its drop is taken back."""


@dataclass(frozen=True, slots=True)
class VoteEnded:
    """An answer has come, or somebody is back, or one more is gone: the votes count no more."""

    accused: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Dropped:
    """These seats are out by the votes of `by`; `view.game` already stands behind it."""

    seats: tuple[Seat, ...]
    by: tuple[Seat, ...]
    view: SeatView


@dataclass(frozen=True, slots=True)
class Rewound:
    """What was played since entry `height` does not count: a drop came before it. `view.game`
    stands where the game goes on; the events that follow are told anew."""

    height: int
    view: SeatView
    state: State
    """Where the game goes back to, before the events that follow."""


@dataclass(frozen=True, slots=True)
class Paused:
    """A player has stopped the clocks."""

    seat: Seat
    seconds: int


@dataclass(frozen=True, slots=True)
class PauseEnded:
    """The clocks run again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AdjournWanted:
    """A player wants to stop here for today (or, if not `wanted`, no longer)."""

    seat: Seat
    wanted: bool
    missing: tuple[Seat, ...]
    """The seats present that have not agreed yet."""


@dataclass(frozen=True, slots=True)
class Cheated:
    """A seat has been caught; `detail` is technical (a reason of the referee, a slot)."""

    seat: Seat
    kind: CheatKind
    height: int
    detail: str


@dataclass(frozen=True, slots=True)
class EvidenceKept:
    """The file that proves to anybody that the seat has cheated."""

    seat: Seat
    path: PurePath


@dataclass(frozen=True, slots=True)
class Diverged:
    """This copy of the game and another seat's differ though both are legal: a program error."""

    seat: Seat
    field: str
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True)
class Unconfirmed:
    """The game is over here, but `seats` may not know it, and could still vote it away: their
    word is waited for."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class GameFinished:
    winners: tuple[Seat, ...]
    confirmed_by: tuple[Seat, ...]
    view: SeatView


LobbyNotice: TypeAlias = (
    TableOpened | Announcement | LobbyChanged | LobbyRefused | StartFailed | GuestIdentity
    | NameChanged | KeyChanged
)  # fmt: skip
"""Notices before the game starts."""
PlayNotice: TypeAlias = GameStarted | Happened | Waiting | GameFinished
"""The course of the game itself."""
AbsenceNotice: TypeAlias = (
    Late | Gone | Returned | VoteOpened | Voted | VoteEnded | Dropped | Rewound | Paused
    | PauseEnded | AdjournWanted
)  # fmt: skip
"""Clocks, absent players, votes and breaks."""
IncidentNotice: TypeAlias = (
    TopRevealed | Missing | SeatLeft | LinkChanged | Cheated | EvidenceKept | Unconfirmed | Diverged
)  # fmt: skip
"""Single facts about a seat, a link or a card, once the game has started."""
Notice: TypeAlias = (
    Said | Reopened | LobbyNotice | PlayNotice | AbsenceNotice | IncidentNotice
)  # fmt: skip
"""Everything that a front is shown. A new notice joins one of the unions above."""
