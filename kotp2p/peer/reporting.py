"""What an accepted body means for this seat's front: events, looks, who is out."""

from __future__ import annotations

from dataclasses import dataclass

from kotp2p.front import Dropped, Happened, Notice, Rewound, TopRevealed, View
from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Cheat, Moved
from kotp2p.membership.accusations import Accusing
from kotp2p.membership.voting import Voting
from kotp2p.mesh.effects import Show, Withdraw
from kotp2p.mesh.gossip import Courier
from kotp2p.peer.secrets import Hand, WrongShare
from kotp2p.wire.entries import Entry
from referee.model.answers import Seat


@dataclass(slots=True)
class Telling:
    ledger: Ledger
    courier: Courier
    hand: Hand
    voting: Voting
    accusing: Accusing
    view: View
    seat: Seat

    def moved(self, moved: Moved) -> None:
        self.view.game = self.ledger.game
        for fault in moved.caught:
            self.accusing.caught(fault)
        if moved.dropped:
            self.courier.effects.append(Withdraw())
            if moved.rewound:
                self.hand.withheld = None
                self.recall()
                assert moved.before is not None
                self._show(Rewound(moved.dropped[0].height, self.view, moved.before))
            for dropped in moved.dropped:
                self._show(Dropped(dropped.seats, dropped.voters, self.view))
            self.voting.open = ()
        if moved.looked == self.seat:
            self._see_top(moved.share)
        if self.ledger.slots.half_open is None:
            self.view.top = self.hand.withheld = None
        if moved.events:
            self._show(Happened(tuple(moved.events), self.view))
        if moved.looked == self.seat and self.view.top is not None:
            self._show(TopRevealed(self.view.top))

    def recall(self) -> None:
        """The top card, if this seat has looked at it before."""
        try:
            self.view.top = self.hand.remember()
        except WrongShare as fault:
            self._blame(fault)

    def _see_top(self, share: Entry | None) -> None:
        try:
            self.view.top = self.hand.look(share)
        except WrongShare as fault:
            self._blame(fault)

    def _blame(self, fault: WrongShare) -> None:
        self.courier.broadcast(fault.blame.signed)
        try:
            self.ledger.accept_entry(fault.blame)
        except Cheat as proof:
            self.accusing.caught(proof)

    def _show(self, notice: Notice) -> None:
        self.courier.effects.append(Show(notice))
