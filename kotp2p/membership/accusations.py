"""What every copy of the game does about a cheat: keeps the proof, and tells all (PROTOCOL.md 9.6).

Scope: which seats are proven to have cheated, the proof of each, and the evidence file.
Not here: the votes that follow from a proof (`kotp2p.membership.targets`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.game.evidence import make_evidence
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat, Early, Forged
from kotp2p.membership.targets import calls_for_earlier_vote
from kotp2p.mesh.effects import KeepEvidence, ShowNotice
from kotp2p.mesh.gossip import Gossip
from kotp2p.notices import Cheated
from kotp2p.wire.proofs import CheatProof
from referee.model.answers import Seat


@dataclass(slots=True)
class Accusations:
    ledger: Ledger
    gossip: Gossip
    convicts: dict[Seat, Cheat] = field(default_factory=dict)
    """Keepers that have cheated, or whose bots have, with the proof to vote with."""

    def recall_votes(self) -> None:
        """After a restart: what the votes in the log have proven."""
        for vote in self.ledger.tally.all_votes():
            for proof in vote.proofs:
                self._convict(self.ledger.judge_proof(proof))

    def note_cheat(self, fault: Cheat) -> None:
        """Shows a cheat to the front and to all seats, if it can be proven to others."""
        proof = CheatProof(fault.proof)
        try:
            self.ledger.judge_proof(proof)
        except (Forged, Early):
            return
        was_known = self._keeper(fault) in self.convicts
        if not self._convict(fault):
            return
        for signed in fault.proof:
            self.gossip.broadcast(signed)
        if was_known:
            return  # a better proof for the votes: the front has been told already
        data = make_evidence(self.ledger, proof)
        self.gossip.effects += [
            ShowNotice(Cheated(fault.seat, fault.kind, fault.height, fault.detail)),
            KeepEvidence(fault.seat, fault.height, data),
        ]

    def _convict(self, fault: Cheat) -> bool:
        """Whether this proof is the one to vote with."""
        keeper = self._keeper(fault)
        known = self.convicts.get(keeper)
        if known is not None and not calls_for_earlier_vote(self.ledger, fault, known):
            return False
        self.convicts[keeper] = fault
        return True

    def _keeper(self, fault: Cheat) -> Seat:
        return self.ledger.genesis.players[fault.seat].keeper
