"""What an accepted body means for the front of one seat, beyond what every copy shows.

Scope: the top card that this seat has peeked at, and a question or a vote that a drop has ended.
Not here: how the card is worked out (`kotp2p.peer.secrets`).
"""

from __future__ import annotations

from dataclasses import dataclass

from kotp2p.game.refusals import Cheat
from kotp2p.game.steps import Moved
from kotp2p.membership.punctuality import Punctuality
from kotp2p.mesh.effects import WithdrawQuestion
from kotp2p.notices import TopRevealed
from kotp2p.peer.follower import Follower
from kotp2p.peer.secrets import Secrets, WrongShare
from kotp2p.votes.voting import Voting
from kotp2p.wire.entries import Entry


@dataclass(slots=True)
class SeatReporting:
    follower: Follower
    secrets: Secrets
    voting: Voting
    punctuality: Punctuality

    def report_progress(self, moved: Moved) -> None:
        """As `Reporting.report_progress`, with what concerns this seat at its place in between."""
        reporting, view = self.follower.reporting, self.follower.view
        further = reporting.update_view(moved)
        if moved.dropped:
            self.follower.gossip.effects.append(WithdrawQuestion())
            if moved.rewound:
                self.secrets.withheld = None
                self.recall_top_card()
            reporting.show_drops(moved, self.punctuality)
            self.voting.intents.open_vote = ()
        has_peeked = moved.looked == self.secrets.seat
        if has_peeked:
            self._open_top_card(moved.share)
        if self.follower.ledger.chain.slots.half_open is None:
            view.top = self.secrets.withheld = None  # bought, drawn or burnt
        reporting.show_events(moved)
        if has_peeked and view.top is not None:
            reporting.show_notice(TopRevealed(view.top))
        for later in further:
            self.report_progress(later)

    def recall_top_card(self) -> None:
        """The top card, if this seat has peeked at it before."""
        try:
            self.follower.view.top = self.secrets.recall_top_card()
        except WrongShare as fault:
            self._blame(fault)

    def _open_top_card(self, share: Entry | None) -> None:
        try:
            self.follower.view.top = self.secrets.open_top_card(share)
        except WrongShare as fault:
            self._blame(fault)

    def _blame(self, fault: WrongShare) -> None:
        """Shows the secret of this peek to all: with it everybody can see that the share is wrong.

        The ledger never takes a blame into the game. It raises what the blame proves.
        """
        self.follower.gossip.broadcast(fault.blame.signed)
        try:
            self.follower.ledger.accept_entry(fault.blame)
        except Cheat as proof:
            moved = self.follower.accusations.note_cheat(proof)
            if moved is not None:
                self.report_progress(moved)
