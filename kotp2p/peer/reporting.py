"""What an accepted body means for a front: events, seats that are out, cheats.

Scope: the notices that every copy of the game shows, in the order in which things happened.
Not here: what only the front of a seat is told (`kotp2p.peer.seat_reporting`).
"""

from __future__ import annotations

from dataclasses import dataclass

from kotp2p.game.steps import Moved
from kotp2p.membership.punctuality import Punctuality
from kotp2p.mesh.effects import ShowNotice
from kotp2p.mesh.gossip import Gossip
from kotp2p.mesh.moved_notices import drop_notices, event_notices
from kotp2p.notices import Notice
from kotp2p.seat_view import SeatView
from kotp2p.votes.accusations import Accusations
from kotp2p.wire.votes import Certificate
from referee.model.answers import Seat


@dataclass(slots=True)
class Reporting:
    gossip: Gossip
    accusations: Accusations
    view: SeatView

    def report_progress(self, moved: Moved) -> None:
        """The whole report of one body, where nothing of a seat has to come in between."""
        further = self.update_view(moved)
        self.show_drops(moved)
        self.show_events(moved)
        for later in further:
            self.report_progress(later)

    def update_view(self, moved: Moved) -> list[Moved]:
        """First of all: the view shows the game as it is now, and cheats become known. Returns
        what their proofs have done to the game, to be reported behind."""
        self.view.game = self.accusations.ledger.game
        found = [self.accusations.note_cheat(fault) for fault in moved.caught]
        return [further for further in found if further is not None]

    def show_drops(self, moved: Moved, punctuality: Punctuality | None = None) -> None:
        """The seats that votes have put out, and where the game goes on. A copy without a seat has
        no clocks, so it does not know who was on time."""
        convicts = self.accusations.convicts

        def punctual_among(dropped: Certificate) -> tuple[Seat, ...]:
            return punctuality.punctual_among(dropped, convicts) if punctuality else ()

        for notice in drop_notices(moved, self.view, punctual_among):
            self.show_notice(notice)

    def show_events(self, moved: Moved) -> None:
        for notice in event_notices(moved, self.view):
            self.show_notice(notice)

    def show_notice(self, notice: Notice) -> None:
        self.gossip.effects.append(ShowNotice(notice))
