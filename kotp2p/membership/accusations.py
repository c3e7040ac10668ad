"""What a peer does about a cheat: tells all, keeps the evidence, votes (PROTOCOL.md 9.6)."""

from __future__ import annotations

from dataclasses import dataclass

from kotp2p.game.evidence import make_evidence
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat, Early, Forged
from kotp2p.game.steps import Moved
from kotp2p.membership.rejoin import Rejoin
from kotp2p.membership.targets import calls_for_earlier_vote
from kotp2p.membership.voting import Voting
from kotp2p.mesh.effects import KeepEvidence, ShowNotice
from kotp2p.mesh.gossip import Gossip
from kotp2p.notices import Cheated
from kotp2p.wire.proofs import CheatProof


@dataclass(slots=True)
class Accusations:
    ledger: Ledger
    gossip: Gossip
    voting: Voting
    rejoin: Rejoin

    def recall_votes(self) -> None:
        """After a restart: what the votes in the log have proven."""
        for vote in self.ledger.tally.all_votes():
            for proof in vote.proofs:
                self._convict(self.ledger.judge_proof(proof))

    def note_cheat(self, fault: Cheat) -> None:
        """A seat has cheated, if that can be proven to others."""
        proof = CheatProof(fault.proof)
        try:
            self.ledger.judge_proof(proof)
        except (Forged, Early):
            return
        was_known = self._keeper(fault) in self.voting.convicts
        if not self._convict(fault):
            return
        for signed in fault.proof:
            self.gossip.broadcast(signed)
        if was_known:
            return
        data = make_evidence(self.ledger, proof)
        self.gossip.effects += [
            ShowNotice(Cheated(fault.seat, fault.kind, fault.height, fault.detail)),
            KeepEvidence(fault.seat, fault.height, data),
        ]

    def _convict(self, fault: Cheat) -> bool:
        """Whether this proof is the one to vote with."""
        convicts, keeper = self.voting.convicts, self._keeper(fault)
        if keeper in convicts and not calls_for_earlier_vote(self.ledger, fault, convicts[keeper]):
            return False
        convicts[keeper] = fault
        return True

    def vote_by_proofs(self, now: float) -> Moved | None:
        """Counts votes that may be counted now, or signs one against who has cheated; None if
        there is nothing to do."""
        kept = self.voting.count_kept_votes(now)
        if kept is not None or not self.voting.convicts or not self.rejoin.has_heard_others(now):
            return kept
        return self.voting.sign_accusation()

    def _keeper(self, fault: Cheat) -> int:
        return self.ledger.genesis.players[fault.seat].keeper
