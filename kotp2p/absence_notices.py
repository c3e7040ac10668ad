"""Notices about who plays: keepers that do not answer, wishes about them, changes of line-up.

Scope: as `kotp2p.notices`, of which these are a part (PROTOCOL.md 9).
Not here: when a front is shown them (`kotp2p.peer`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.events import Event
from kotp2p.referee.model.state import State
from kotp2p.seat_view import SeatView
from kotp2p.wire.lineups import Reason


@dataclass(frozen=True, slots=True)
class Gone:
    """Nothing has come from this keeper for a while, over any link."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Returned:
    """A keeper that was gone is heard again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Offer:
    """The game has waited for these keepers for a minute: a bot may play for them meanwhile."""

    seats: tuple[Seat, ...]
    can_go_on: bool
    """Whether those who would stay are enough. Otherwise the players can wait, stop for today, or
    leave."""
    yours: bool
    """Whether this seat has a say: it is a member of the line-up."""


@dataclass(frozen=True, slots=True)
class OfferEnded:
    """The offer about these keepers is off: they have given all that they owe, or are out."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Wished:
    """A keeper has said whether it would go on without others."""

    seat: Seat
    without: tuple[Seat, ...]
    """The keepers for which a bot may play; empty if it would rather wait."""
    missing: tuple[Seat, ...]
    """The members that have not agreed to this yet."""


@dataclass(frozen=True, slots=True)
class StopWanted:
    """A player wants to stop here for today, or no longer wants to."""

    seat: Seat
    wanted: bool
    missing: tuple[Seat, ...]
    """The present members that have not agreed yet."""


@dataclass(frozen=True, slots=True)
class SeatChange:
    """What a line-up has changed about one keeper."""

    keeper: Seat
    reason: Reason
    seats: tuple[tuple[Seat, Seat], ...]
    """The living seats that have changed hands because of it, each with its keeper from now on."""
    refused: bool
    """It was put out while it owed its part of a roll that others had shown theirs for."""


@dataclass(frozen=True, slots=True)
class LineUpBegun:
    """The line-up has changed. `view` stands after it."""

    changes: tuple[SeatChange, ...]
    view: SeatView
    undone_from: State | None = None
    """Some play does not count any more: the position from which the game goes on. The events that
    count from there follow as new notices."""


class BurntBecause(StrEnum):
    """Why a top card that somebody had looked at is unknown again."""

    KEEPER_CHANGED = "keeper-changed"
    """Another process answers for the seat that had looked, and does not know the card."""


@dataclass(frozen=True, slots=True)
class CardBurnt:
    """The top card that this seat had looked at goes back unseen."""

    seat: Seat
    because: BurntBecause


@dataclass(frozen=True, slots=True)
class PlayedForYou:
    """What a bot has done with this seat while its player was away, in one block."""

    events: tuple[Event, ...]
    view: SeatView


class AskedBecause(StrEnum):
    """Why a program does not let a keeper back by itself."""

    REFUSED_ROLLS = "refused-rolls"
    """It has refused two rolls."""
    HELD_UP = "held-up"
    """It has used up its five minutes."""
    VANISHED = "vanished"
    """It asked to come back, and did not follow for ten seconds."""


@dataclass(frozen=True, slots=True)
class ReturnAsked:
    """A keeper wants its seat back, and this program asks its player first."""

    seat: Seat
    because: AskedBecause


@dataclass(frozen=True, slots=True)
class ChangeStalls:
    """A change of who plays waits for these keepers; empty once it does not any more."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """Others play this game on from another past, which this copy does not follow."""

    by: tuple[Seat, ...]
    """The keepers that have signed both pasts."""


AbsenceNotice: TypeAlias = (
    Gone | Returned | Offer | OfferEnded | Wished | StopWanted | LineUpBegun | CardBurnt
    | PlayedForYou | ReturnAsked | ChangeStalls | Split
)  # fmt: skip
