"""A vote that arrives: checked, counted in the ledger, written down and passed on.

Scope: what every copy of the game does with a vote, with a seat or without.
Not here: what a seat's own votes forbid (`kotp2p.votes.locks`), and what it answers
(`kotp2p.votes.objections`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.budgets import JUDGING_UNITS
from kotp2p.game.conviction import find_contradiction
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat, Early, Forged, require_signed_by_seat
from kotp2p.game.steps import Moved
from kotp2p.mesh.gossip import Gossip
from kotp2p.mesh.proof_intake import ProofIntake
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.votes import Vote
from referee.model.answers import Seat


@dataclass(slots=True)
class VoteIntake:
    ledger: Ledger
    gossip: Gossip
    proofs: ProofIntake
    _early: dict[Seat, Vote] = field(default_factory=dict)
    """Of each link, the drop vote of the earliest place that was not reached when it came."""

    def check_vote(self, vote: Vote) -> Cheat | None:
        """The contradiction to an earlier vote or farewell of the same seat, if there is one.
        Raises Forged.

        A vote that contradicts another still counts: other copies may have had it first.
        """
        players = self.ledger.genesis.players
        if max(vote.seats) >= len(players):
            raise Forged("a vote against a seat that is not at the table")
        require_signed_by_seat(players, vote.seat, vote.signed)
        said = self.ledger.farewells.get(vote.seat)
        own: list[Farewell | Vote] = [*self.ledger.tally.votes_of(vote.seat)]
        if said is not None and said.seat == vote.seat:  # a bot has none of its own
            own.append(said)
        for known in own:
            found = find_contradiction(known, vote)
            if found is not None:
                return found
        return None

    def count_vote(self, source: Seat, vote: Vote, now: float) -> Moved | None:
        """What a checked drop vote does to the game; None if it is known.

        Raises BadBytes, Forged, Stale or Fork. Raises Early after asking `source` for what is
        missing.
        """
        named = self.proofs.find_named_by(vote)
        self.gossip.budgets.charge_work(source, JUDGING_UNITS * len(named))
        try:
            checked = self.ledger.check_vote(vote, named)
        except Early:
            self.gossip.request_missing(source, now, later_view=vote.view > self.ledger.view)
            if vote.place > self.ledger.place:
                self._early[source] = min(vote, self._early.get(source, vote), key=vote_place)
            raise
        if checked is None:
            return None
        # Its proofs are written down only now: those of other votes would fill all logs.
        for proof in named.values():
            ended = self.proofs.take_proof(proof)
            if ended is not None:
                return ended  # with this proof its view has ended: the vote comes too late
        moved = self.ledger.add_vote(checked)
        self.gossip.append_record(vote.signed)
        self.gossip.relay_frame(source, vote.seat, vote.signed)
        return moved

    def ask_for_early_votes(self, now: float) -> None:
        """Asks each link again that has brought a vote too early, once its place is reached. Nobody
        else would send it: this copy is no longer behind."""
        due = [
            (link, vote) for link, vote in self._early.items() if vote.place <= self.ledger.place
        ]
        for link, vote in due:
            if self.ledger.tally.has_vote(vote) or self.gossip.request_missing(link, now):
                del self._early[link]


def vote_place(vote: Vote) -> tuple[int, int]:
    return vote.place
