"""What has happened, as the front of a seat is shown it.

Scope: the notices about accepted bodies, in the order in which things happened; the top cards that
seats of this keeper have looked at.
Not here: sentences (`cli`), and offers and wishes (`kotp2p.peer.presence`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.absence_notices import PlayedForYou, Split
from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Moved
from kotp2p.mesh.effects import WithdrawQuestion, notices_of, update_keepers
from kotp2p.mesh.gossip import Gossip
from kotp2p.notices import Notice, TopRevealed
from kotp2p.peer.secrets import Secrets, WrongShare
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.events import Event
from kotp2p.seat_view import SeatView
from kotp2p.wire.entries import Entry
from kotp2p.wire.lineups import Reason


@dataclass(slots=True)
class Reporting:
    ledger: Ledger
    gossip: Gossip
    secrets: Secrets
    view: SeatView
    """What the player of the keeper's own seat may see."""
    _views: dict[Seat, SeatView] = field(default_factory=dict)
    """Of the other seats that this keeper answers for."""
    _played: list[Event] = field(default_factory=list)
    """What others have done with the own seat since this keeper was put out."""
    _splits: int = 0

    def __post_init__(self) -> None:
        self._update_keepers()

    def view_of(self, seat: Seat) -> SeatView:
        """Return what the player of a seat may see: this keeper answers for it."""
        if seat == self.view.seat:
            return self.view
        if seat not in self._views:
            view = self.view
            made = SeatView(seat, view.players, view.game, view.phrase, keepers=view.keepers)
            self._views[seat] = made
        return self._views[seat]

    def show(self, notice: Notice) -> None:
        self.gossip.show(notice)

    # -- progress --------------------------------------------------------------------------

    def report(self, moved: Moved) -> list[Entry]:
        """Report what a body has done; return blames that it gives a reason for."""
        if not moved.parts:
            return []
        for view in (self.view, *self._views.values()):
            view.game = self.ledger.game
        was_away = self._is_away()
        if moved.begun:
            self._update_keepers()
            for seat in range(len(self.view.players)):
                self.gossip.effects.append(WithdrawQuestion(seat))
        blames = self._update_top_cards()
        for notice in notices_of(moved, self.view):
            self.show(notice)
        if was_away or self._is_away():
            own = self.view.seat
            self._played += [e for e in moved.events if getattr(e, "seat", None) == own]
        if moved.looked == self.view.seat and self.view.top is not None:
            self.show(TopRevealed(self.view.top))
        for begun in moved.begun:
            change = begun.lineup.find(self.view.seat)
            if change is not None and change.reason is Reason.BACK:
                self.show(PlayedForYou(tuple(self._played), self.view))
                self._played = []
        return blames

    def _is_away(self) -> bool:
        return self.view.seat not in self.ledger.roster.members

    def show_splits(self) -> None:
        """Tell of the line-ups that this copy does not follow."""
        for split in self.ledger.splits[self._splits :]:
            self.show(Split(split.by))
        self._splits = len(self.ledger.splits)

    def _update_keepers(self) -> None:
        update_keepers(self.view, self.ledger)

    # -- the top card ----------------------------------------------------------------------

    def recall_top_cards(self) -> list[Entry]:
        """Find the top cards that seats of this keeper have looked at before a restart."""
        return self._update_top_cards()

    def _update_top_cards(self) -> list[Entry]:
        """Let each view show the top card that its seat has looked at, as long as it is there;
        return the blames of wrong shares."""
        held = self.ledger.chain.slots.half_open
        blames = []
        if held is None:
            for view in (self.view, *self._views.values()):
                view.top = None
            return []
        keepers = self.ledger.roster.keepers
        for seat in self.ledger.game.state.seen_by:
            if keepers[seat] != self.secrets.seat:
                continue
            view = self.view_of(seat)
            try:
                view.top = self.secrets.find_top_card(seat)
            except WrongShare as fault:
                view.top = None
                blames.append(fault.blame)
        return blames
