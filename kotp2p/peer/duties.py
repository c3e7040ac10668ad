"""What one seat owes the game: entries that it signs by itself, and decisions that its front makes.

Scope: the entry for the present step, the question to the front, and the reply that is signed.
Not here: whether this seat may sign now, which its votes may forbid (`kotp2p.peer.peer`).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import assert_never

from kotp2p.game.farewells import check_farewell
from kotp2p.game.refusals import REFUSALS, Cheat, OwnFault
from kotp2p.game.steps import Finished, Gather, Renewal, Sharing, Solo
from kotp2p.membership.rejoin import Rejoin
from kotp2p.mesh.effects import AskDecision, WithdrawQuestion
from kotp2p.peer.follower import Follower
from kotp2p.peer.seat_reporting import SeatReporting
from kotp2p.peer.secrets import Secrets
from kotp2p.wire.entries import Answering, Payload
from kotp2p.wire.farewells import Farewell
from referee.model.answers import Answer
from referee.model.decisions import Chance, Over

NEVER_ASKED = (-1, -1)
"""Comes before every place of a game."""


@dataclass(slots=True)
class Duties:
    follower: Follower
    secrets: Secrets
    reporting: SeatReporting
    rejoin: Rejoin
    _last_asked: tuple[int, int] = NEVER_ASKED
    """View and height of the last decision put to the front."""

    def sign_step(self, now: float) -> bool:
        """Signs what this seat owes in the present step; whether the game has moved.

        A decision is put to the front instead: the game moves once the reply has come.

        After a restart this seat may have signed already what it owes here, and for an opening on
        another line of a cheat, which would convict it. It signs and asks only when it has heard
        the others.
        """
        if not self.rejoin.may_sign(self.follower.ledger.place, now):
            return False
        match self.follower.ledger.step:
            case Gather() as gather:
                self._sign_entry(self.secrets.make_opening(gather))
            case Sharing() as sharing:
                self._sign_entry(self.secrets.make_share(sharing))
            case Renewal() as renewal:
                self._sign_entry(self.secrets.make_commits(renewal))
            case Solo():
                self._ask_front()
                return False
            case Finished():
                return False
            case step:
                assert_never(step)
        return True

    def sign_answer(self, answer: Answer) -> None:
        """Signs what the front has decided."""
        self._sign_entry(Answering(answer, self.secrets.answer_secret(answer)))

    def sign_farewell(self, place: tuple[int, int], rounds: tuple[int, ...]) -> None:
        """Leaves the game at `place` (view, height). Raises OwnFault.

        Everything since the last gather goes out in front: a cheat may have told this seat alone
        what the others miss, and nobody can ask this seat any more.
        """
        ledger, gossip, seat = self.follower.ledger, self.follower.gossip, self.secrets.seat
        game, players = ledger.genesis.id, ledger.genesis.players
        farewell = Farewell.sign(self.secrets.signer, game, seat, *place, rounds)
        taken = itertools.chain(*ledger.chain.closed, ledger.chain.gathered.values())
        try:
            check_farewell(players, farewell, ledger.farewells.get(seat), taken)
        except Cheat as fault:
            raise OwnFault(f"a farewell: {fault}") from fault
        gossip.append_record(farewell.signed)
        for signed in (*ledger.bodies_since(ledger.chain.last_gather), farewell.signed):
            gossip.broadcast(signed)

    def withdraw_question(self) -> None:
        """Takes back the question to the front. At the same place it may be asked again."""
        self.follower.gossip.effects.append(WithdrawQuestion())
        self._last_asked = NEVER_ASKED

    def _sign_entry(self, load: Payload) -> None:
        """Signs an entry of this seat, and takes it like everybody else's. Raises OwnFault."""
        entry = self.secrets.sign_entry(load)
        try:
            moved = self.follower.ledger.accept_entry(entry)
        except REFUSALS as fault:
            raise OwnFault(f"an entry: {fault}") from fault
        self.follower.gossip.append_record(entry.signed)
        self.follower.gossip.broadcast(entry.signed)
        if moved is not None:
            self.reporting.report_progress(moved)

    def _ask_front(self) -> None:
        """Puts this seat's decision to the front, once for each place."""
        place, pending = self.follower.ledger.place, self.follower.ledger.game.pending
        if self._last_asked < place:
            self._last_asked = place
            assert not isinstance(pending, Chance | Over)  # a Solo step is a decision
            self.follower.gossip.effects.append(AskDecision(place, pending))
