"""Who is there, who is late, who is gone: told to the front, and the ground for votes.

Puts together what the links say (`kotp2p.mesh.reachability`), the clocks
(`kotp2p.membership.clocks`), who has come back after a restart (`kotp2p.membership.rejoin`) and the
votes (`kotp2p.membership.voting`). PROTOCOL.md 9.2.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Forged
from kotp2p.game.steps import Finished, Solo
from kotp2p.membership.clocks import VOTE_AFTER_SECONDS, Owing, SeatClocks
from kotp2p.membership.rejoin import Rejoin
from kotp2p.membership.voting import Voting
from kotp2p.mesh.effects import ShowNotice
from kotp2p.mesh.gossip import Gossip
from kotp2p.mesh.reachability import Reachability
from kotp2p.notices import Gone, Late, Missing, Notice, PauseEnded, Returned, Waiting
from kotp2p.wire.entries import Head, Signed
from referee.model.answers import Seat
from referee.model.decisions import Chance, Over


@dataclass(slots=True)
class Presence:
    ledger: Ledger
    gossip: Gossip
    reachability: Reachability
    clocks: SeatClocks
    voting: Voting
    rejoin: Rejoin
    seat: Seat
    _late: set[Seat] = field(default_factory=set)
    """Told to be late at the present place."""
    _place: tuple[int, int] = (-1, -1)
    _waiting: Waiting | None = None

    def begin(self, now: float, *, resumed: bool) -> None:
        players = self.ledger.genesis.players
        self.reachability.start_clocks(len(players), now)
        self.clocks.start(now)
        if resumed:
            needed, own = self.needed_seats(), players[self.seat].keeper
            self.rejoin.begin(needed, [s for s in needed if players[s].keeper != own], now)

    def needed_seats(self) -> list[Seat]:
        """The other seats that the game cannot go on without."""
        if isinstance(self.ledger.step, Finished):
            return []
        leaving = self.ledger.farewells
        return [
            s for s in self.ledger.game.state.seats_alive() if s != self.seat and s not in leaving
        ]

    def update(self, now: float) -> None:
        """Tells what has changed."""
        if isinstance(self.ledger.step, Finished):
            return
        if self.rejoin.missing:
            self._gather(now)
        self.clocks.update(self._owing(), now)
        self._tell_gone(now)
        self._tell_late()
        for seat in self.clocks.end_expired_pauses(now):
            self._show(PauseEnded(seat))
        self.voting.update_open_vote(now)

    def sign_head(self) -> Signed:
        """How far this seat has come."""
        ledger = self.ledger
        head = Head(self.seat, ledger.view, ledger.height, ledger.head)
        return head.sign(self.voting.signer, ledger.genesis.id)

    def receive_head(self, source: Seat, signed: Signed, now: float) -> Head:
        """How far another has come; what we lack we ask for. Raises BadBytes or Forged."""
        head = Head.parse(signed, self.ledger.genesis.id)
        players = self.ledger.genesis.players
        if head.seat >= len(players) or not signed.is_by(players[head.seat].key):
            raise Forged("a heartbeat that is not its seat's")
        if head.seat == self.seat:
            return head
        self.reachability.note_heard(head.seat, now)
        self.rejoin.note_head(head.seat, (head.view, head.height), now)
        if source == head.seat:
            self.gossip.relay_frame(source, head.seat, signed)
        if (head.view, head.height) > self.ledger.place:
            self.gossip.request_missing(source, now, later_view=head.view > self.ledger.view)
        return head

    def report_waiting(self) -> None:
        """Who owes something, when that changes."""
        ledger, pending = self.ledger, self.ledger.game.pending
        seats = tuple(s for s in ledger.owing_seats() if s != self.seat)
        decides = isinstance(ledger.step, Solo) and not isinstance(pending, Chance | Over)
        decision = pending if decides and not isinstance(pending, Chance | Over) else None
        waiting = Waiting(seats, decision)
        if seats and waiting != self._waiting:
            self._show(waiting)
        self._waiting = waiting

    def next_change(self, now: float) -> float:
        """When `look` may have something to tell, if nothing happens."""
        return min(
            self.rejoin.next_report(now),
            self.rejoin.next_decision_change(now),
            self.clocks.next_change(now),
            self.reachability.next_deadline(now),
        )

    def _owing(self) -> Owing:
        ledger = self.ledger
        return Owing(
            ledger.place,
            ledger.owing_seats(),
            ledger.chain.turns,
            ledger.game.state.active,
            isinstance(ledger.step, Solo),
        )

    def _gather(self, now: float) -> None:
        """After a restart: who has not come back yet."""
        seats = range(len(self.ledger.genesis.players))
        there = self.reachability.reachable_seats() | set(seats).difference(self.needed_seats())
        news = self.rejoin.report_missing(there, now)
        if news is not None:
            self._show(Missing(news))

    def _tell_gone(self, now: float) -> None:
        new, back = self.clocks.note_gone(
            self.reachability.find_gone_seats(self.needed_seats(), now), now
        )
        for seat in new:
            if seat not in self.rejoin.missing:
                self._show(Gone(seat, int(VOTE_AFTER_SECONDS)))
        for seat in back:
            if self.ledger.game.state.monsters[seat].alive:
                self._show(Returned(seat))

    def _tell_late(self) -> None:
        if self._place != self.ledger.place:
            self._place = self.ledger.place
            self._late.clear()
        late = set(self.clocks.late_seats()) - set(self.clocks.gone_since) - self._late
        if late:
            self._late |= late
            self._show(Late(tuple(sorted(late)), int(VOTE_AFTER_SECONDS)))

    def _show(self, notice: Notice) -> None:
        self.gossip.effects.append(ShowNotice(notice))
