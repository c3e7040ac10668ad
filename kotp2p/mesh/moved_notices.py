"""What an accepted body has done, as notices: for the front of a seat, and for those that watch.

Scope: steps and line-ups in the order in which they happened; the keepers of seats.
Not here: what one seat alone learns (`kotp2p.peer.reporting`).
"""

from __future__ import annotations

from kotp2p.absence_notices import BurntBecause, CardBurnt, LineUpBegun, SeatChange
from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Begun, Moved
from kotp2p.game.verify import changes_of
from kotp2p.notices import Happened, Notice
from kotp2p.referee.model.events import Event
from kotp2p.seat_view import SeatView


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
