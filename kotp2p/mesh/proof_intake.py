"""A proof of cheating that arrives: judged, and kept until it is of use.

Scope: which proofs are written down and passed on: those that a copy of the game acts on, and those
that a counted vote names.
Not here: what follows from a cheat (`kotp2p.votes.accusations`).

A cheat can make proofs against itself without end. So a proof that is of no use is neither written
down nor passed on; a few of each link are kept, as a vote that names one may come right behind it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat, Early, Fork
from kotp2p.game.steps import Moved
from kotp2p.mesh.effects import AppendRecord
from kotp2p.mesh.gossip import Gossip
from kotp2p.wire.entries import Signed
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.votes import Vote
from referee.model.answers import Seat

MAX_UNUSED_PROOFS = 16
"""How many proofs of one link are kept that no vote has named yet. The oldest go first."""


@dataclass(slots=True)
class ProofIntake:
    ledger: Ledger
    gossip: Gossip
    _unused: dict[Seat, dict[bytes, CheatProof]] = field(default_factory=dict)
    """By link and id: proofs that nothing has called for yet, the oldest first."""
    _judged_at: tuple[int, int] = (0, 0)
    """The place at which those proofs were judged last."""

    def receive_proof(self, source: Seat, signed: Signed) -> Cheat | None:
        """What a proof shows; None if it is known, or says nothing here yet. Raises BadBytes or
        Forged."""
        proof = CheatProof.parse(signed)
        if proof.id in self.ledger.proofs:
            return None
        kept = self._unused.setdefault(source, {})
        kept.pop(proof.id, None)
        fault = self._judge(proof)
        kept[proof.id] = proof
        if len(kept) > MAX_UNUSED_PROOFS:
            del kept[next(iter(kept))]
        return fault

    def judge_again(self) -> list[Cheat]:
        """What the kept proofs show now that the game stands elsewhere."""
        if self._judged_at == self.ledger.place:
            return []
        self._judged_at = self.ledger.place
        found = [self._judge(proof) for kept in self._unused.values() for proof in kept.values()]
        return [fault for fault in found if fault is not None]

    def take_proof(self, proof: CheatProof) -> Moved | None:
        """Writes a proof down and tells all others, if it is new. It MUST have been judged.
        Returns what it has done to the game; None if that is nothing."""
        moved = self.ledger.accept_proof(proof)
        if moved is not None:
            self.gossip.effects.append(AppendRecord(proof.signed))
            self.gossip.broadcast(proof.signed)
        for kept in self._unused.values():
            kept.pop(proof.id, None)
        return moved if moved is not None and moved.dropped else None

    def take_named_by(self, vote: Vote) -> Moved | None:
        """Takes the proofs that a vote names, as far as they have come and can be judged. Returns
        what one of them has done to the game, and takes no more then; None if that is nothing."""
        for named in vote.proofs:
            for kept in list(self._unused.values()):
                if named in kept and self._judge(kept[named]) is not None:
                    moved = self.take_proof(kept[named])
                    if moved is not None:
                        return moved
        return None

    def _judge(self, proof: CheatProof) -> Cheat | None:
        """Raises BadBytes or Forged."""
        try:
            return self.ledger.judge_proof(proof)
        except (Early, Fork):
            return None
