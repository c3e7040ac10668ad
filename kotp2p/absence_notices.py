"""Notices about absence: seats that are late or gone, votes about them, pauses, adjourning.

Scope: as `kotp2p.notices`, of which these are a part (PROTOCOL.md 9.2, 9.5, 9.8).
Not here: when they are told (`kotp2p.wishes`, `kotp2p.votes`, `kotp2p.membership`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kotp2p.seat_view import SeatView
from referee.model.answers import Seat
from referee.model.state import State


@dataclass(frozen=True, slots=True)
class Late:
    """The clock of these seats has run out. Nothing is played for them."""

    seats: tuple[Seat, ...]
    vote_in: int
    """Seconds until the others may vote."""


@dataclass(frozen=True, slots=True)
class Gone:
    """Nothing has come from this seat for a while, over any link."""

    seat: Seat
    vote_in: int
    """Seconds until the others may vote, if the game waits for the seat by then."""


@dataclass(frozen=True, slots=True)
class Returned:
    """A seat that was gone is there again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class VoteOpened:
    """The present players may go on without `accused`, or wait. Nothing happens by itself."""

    accused: tuple[Seat, ...]
    needed: tuple[Seat, ...]
    """The live keepers outside `accused`, all of which must vote for a drop."""
    has_majority: bool
    """Whether these are more than half of the live keepers. Otherwise they can only wait or
    adjourn."""
    yours: bool
    """Whether this seat has a vote."""


@dataclass(frozen=True, slots=True)
class Voted:
    """A player has made its wish about an open vote known."""

    seat: Seat
    accused: tuple[Seat, ...]
    """The seats to go on without; empty if the player waits, or has taken a drop back."""


@dataclass(frozen=True, slots=True)
class VoteStands:
    """The program of this seat has signed a vote against `accused` some seconds ago, and the votes
    of `waited` are still needed."""

    accused: tuple[Seat, ...]
    waited: tuple[Seat, ...]
    blocks: bool
    """This seat can do nothing else until the vote has passed or failed."""


@dataclass(frozen=True, slots=True)
class VoteFailed:
    """A vote that was told as standing cannot pass any more."""

    accused: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class VoteEnded:
    """The vote is off: an answer has come, a seat is back, or one more seat is gone."""

    accused: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Dropped:
    """These seats are out by the votes of `by`. `view.game` stands behind that already."""

    seats: tuple[Seat, ...]
    by: tuple[Seat, ...]
    view: SeatView
    punctual: tuple[Seat, ...] = ()
    """The keepers among them that were neither late nor gone, as far as this copy can tell."""


@dataclass(frozen=True, slots=True)
class Rewound:
    """The play since entry `height` does not count, because a drop came before it.

    `view.game` stands where the game goes on. The events of the valid play follow as new notices.
    """

    height: int
    view: SeatView
    state: State
    """The position that the game goes back to, before the events that follow."""


@dataclass(frozen=True, slots=True)
class Paused:
    """A player has stopped the clocks, for `seconds` at most."""

    seat: Seat
    seconds: int


@dataclass(frozen=True, slots=True)
class PauseEnded:
    """The clocks run again after the pause of this seat."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AdjournWanted:
    """A player wants to stop here for today, or no longer wants to."""

    seat: Seat
    wanted: bool
    missing: tuple[Seat, ...]
    """The present seats that have not agreed yet."""


@dataclass(frozen=True, slots=True)
class NoVote:
    """The player has voted although no vote is open."""

    opens_in: tuple[tuple[Seat, float], ...]
    """The other seats that the game waits for, each with the seconds until a vote about it could
    open; infinite if it is there and has no limit."""


AbsenceNotice: TypeAlias = (
    Late | Gone | Returned | NoVote | VoteOpened | Voted | VoteStands | VoteFailed | VoteEnded
    | Dropped | Rewound | Paused | PauseEnded | AdjournWanted
)  # fmt: skip
