"""A proof of cheating that arrives: judged, and kept until it is of use.

Scope: which proofs are written down and passed on: those that a copy of the game acts on, and those
that a counted vote names.
Not here: what follows from a cheat (`kotp2p.votes.accusations`).

A cheat can make proofs against itself without end. So a proof that is of no use is neither written
down nor passed on; a few of each link are kept, as a vote that names one may come right behind it.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field

from kotp2p.game.conviction import check_proof, height_needed
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat, Early, Forged, Fork
from kotp2p.game.steps import Moved
from kotp2p.mesh.effects import AppendRecord
from kotp2p.mesh.gossip import Gossip
from kotp2p.wire.encoding import BadBytes
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

    def receive_proof(
        self, source: Seat, signed: Signed, convicts: Container[Seat]
    ) -> Cheat | None:
        """What a proof shows; None if it is known, or says nothing here yet, or is of no use: an
        offence of one of the `convicts` is judged only when a vote names it. Raises BadBytes or
        Forged."""
        proof = CheatProof.parse(signed)
        if proof.id in self.ledger.proofs:
            return None
        genesis = self.ledger.genesis
        author = check_proof(genesis, proof)
        is_offence = height_needed(proof) > 0
        useless = is_offence and genesis.players[author].keeper in convicts
        fault = None if useless else self._judge(proof)
        kept = self._unused.setdefault(source, {})
        kept.pop(proof.id, None)
        kept[proof.id] = proof
        if len(kept) > MAX_UNUSED_PROOFS:
            del kept[next(iter(kept))]
        return fault

    def judge_again(self) -> list[Cheat]:
        """What the kept proofs show now that the game stands elsewhere. One that shows nothing is
        dropped. It costs no link its life, as its sender may have relayed it."""
        if self._judged_at == self.ledger.place:
            return []
        self._judged_at = self.ledger.place
        found = []
        for kept in self._unused.values():
            for proof in list(kept.values()):
                try:
                    fault = self._judge(proof)
                except (BadBytes, Forged):
                    del kept[proof.id]
                    continue
                if fault is not None:
                    found.append(fault)
        return found

    def find_named_by(self, vote: Vote) -> dict[bytes, CheatProof]:
        """The proofs that a vote names and that are kept, but not taken yet."""
        kept = {name: proof for proofs in self._unused.values() for name, proof in proofs.items()}
        return {name: kept[name] for name in vote.proofs if name in kept}

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

    def _judge(self, proof: CheatProof) -> Cheat | None:
        """Raises BadBytes or Forged."""
        try:
            return self.ledger.judge_proof(proof)
        except (Early, Fork):
            return None
