"""What a peer wants done to the world: values, which the shell performs in order.

Scope: the closed union `Effect`. `kotp2p.shell.game_stage` performs it.
Not here: the effects of a lobby (`kotp2p.lobby.lobby_effects`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Begun, Moved
from kotp2p.game.verify import changes_of
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.decisions import Decision
from kotp2p.referee.model.events import Event
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import BurntBecause, CardBurnt, Happened, LineUpBegun, Notice, SeatChange
from kotp2p.seams.seat_view import SeatView
from kotp2p.wire.entries import Place, Signed
from kotp2p.wire.frames import Frame


@dataclass(frozen=True, slots=True)
class AppendRecord:
    """Append a body to the log. It MUST be on disk before any later effect is performed."""

    signed: Signed


@dataclass(frozen=True, slots=True)
class SendFrame:
    """Send a frame over the link of `seat`."""

    seat: Seat
    frame: Frame


@dataclass(frozen=True, slots=True)
class ShowNotice:
    """Show the front what has happened."""

    notice: Notice


@dataclass(frozen=True, slots=True)
class AskDecision:
    """Put a decision to the player of a seat.

    The reply (`Peer.accept_answer`) counts while `place` does.
    """

    place: Place
    seat: Seat
    """Of this keeper, or one that it keeps: then a bot answers, or the second person at this
    machine."""
    decision: Decision


@dataclass(frozen=True, slots=True)
class WithdrawQuestion:
    """Take back the question about a seat, if one is open."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CloseLink:
    """Close the link of `seat`: it sent what no unmodified program sends, or nothing at all."""

    seat: Seat
    reason: str
    """Technical, in English: no player reads it."""


@dataclass(frozen=True, slots=True)
class KeepEvidence:
    """A seat has cheated: write the file that proves it, and show its path."""

    seat: Seat
    height: int
    data: bytes
    """The content of the file (`kotp2p.game.verify`)."""


@dataclass(frozen=True, slots=True)
class EndPeer:
    """The peer has nothing more to do. No effect follows."""

    kind: EndKind
    detail: str = ""


Effect: TypeAlias = (
    AppendRecord
    | SendFrame
    | ShowNotice
    | AskDecision
    | WithdrawQuestion
    | CloseLink
    | KeepEvidence
    | EndPeer
)


# -- what an accepted body has done, as notices --------------------------------------------
#
# For the front of a seat, and for those that watch: steps and line-ups in the order in which they
# happened; the keepers of seats.


def notices_of(moved: Moved, view: SeatView) -> list[Notice]:
    """Return steps and line-ups in their order; events that follow each other come together."""
    found: list[Notice] = []
    events: list[Event] = []
    undone_from = moved.undone_from
    for part in moved.parts:
        if isinstance(part, Begun):
            if events:
                found.append(Happened(tuple(events), view))
            events = []
            found.append(LineUpBegun(_seat_changes(part), view, undone_from))
            undone_from = None
            if part.burnt is not None:
                found.append(CardBurnt(part.burnt, BurntBecause.KEEPER_CHANGED))
        events += part.events
    if events:
        found.append(Happened(tuple(events), view))
    return found


def update_keepers(view: SeatView, ledger: Ledger) -> None:
    """Let the view say who answers for each living seat."""
    alive, keepers = ledger.game.state.seats_alive(), ledger.roster.keepers
    view.keepers.clear()
    view.keepers.update({s: k for s in alive if (k := keepers[s]) is not None})


def _seat_changes(begun: Begun) -> tuple[SeatChange, ...]:
    return tuple(
        SeatChange(change.keeper, change.reason, change.seats, change.refused)
        for change in changes_of(begun)
    )
