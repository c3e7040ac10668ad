"""What an accepted body means for this seat's front: events, looks, who is out."""

from __future__ import annotations

from dataclasses import dataclass

from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat
from kotp2p.game.steps import Moved
from kotp2p.membership.accusations import Accusations
from kotp2p.membership.voting import Voting
from kotp2p.mesh.effects import ShowNotice, WithdrawQuestion
from kotp2p.mesh.gossip import Gossip
from kotp2p.notices import Dropped, Happened, Notice, Rewound, TopRevealed
from kotp2p.peer.secrets import Secrets, WrongShare
from kotp2p.seat_view import SeatView
from kotp2p.wire.entries import Entry
from referee.model.answers import Seat


@dataclass(slots=True)
class Reporting:
    ledger: Ledger
    gossip: Gossip
    secrets: Secrets
    voting: Voting
    accusing: Accusations
    view: SeatView
    seat: Seat

    def report_progress(self, moved: Moved) -> None:
        self.view.game = self.ledger.game
        for fault in moved.caught:
            self.accusing.note_cheat(fault)
        if moved.dropped:
            self.gossip.effects.append(WithdrawQuestion())
            if moved.rewound:
                self.secrets.withheld = None
                self.recall()
                assert moved.before is not None
                self._show(Rewound(moved.dropped[0].height, self.view, moved.before))
            for dropped in moved.dropped:
                self._show(Dropped(dropped.seats, dropped.voters, self.view))
            self.voting.open_vote = ()
        if moved.looked == self.seat:
            self._see_top(moved.share)
        if self.ledger.chain.slots.half_open is None:
            self.view.top = self.secrets.withheld = None
        if moved.events:
            self._show(Happened(tuple(moved.events), self.view))
        if moved.looked == self.seat and self.view.top is not None:
            self._show(TopRevealed(self.view.top))

    def recall(self) -> None:
        """The top card, if this seat has looked at it before."""
        try:
            self.view.top = self.secrets.recall_top_card()
        except WrongShare as fault:
            self._blame(fault)

    def _see_top(self, share: Entry | None) -> None:
        try:
            self.view.top = self.secrets.open_top_card(share)
        except WrongShare as fault:
            self._blame(fault)

    def _blame(self, fault: WrongShare) -> None:
        self.gossip.broadcast(fault.blame.signed)
        try:
            self.ledger.accept_entry(fault.blame)
        except Cheat as proof:
            self.accusing.note_cheat(proof)

    def _show(self, notice: Notice) -> None:
        self.gossip.effects.append(ShowNotice(notice))
