"""Verdicts: what each proof shows, worked out once for each past that it needs.

Scope: remembering what `kotp2p.game.conviction` has found.
Not here: which proofs votes may name (`kotp2p.game.ledger`).

A proof of two bodies that contradict each other needs no past. An offence needs the chain up to its
height, and the head there names all of that chain. So a verdict holds for each chain with that
head, however far the chain has come since. Otherwise each new height, and each vote that names the
proof, would cost a replay.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.game.chain import Chain
from kotp2p.game.conviction import convict_by_proof, height_needed
from kotp2p.game.refusals import Cheat, Early, Forged
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.proofs import CheatProof

MAX_VERDICTS = 2048
"""The oldest are forgotten: a seat can make contradictions without end. The votes of five keepers
in one view can name no more."""


@dataclass(slots=True)
class Verdicts:
    genesis: Genesis
    _known: dict[tuple[bytes, bytes], Cheat | str] = field(default_factory=dict)
    """By proof and the head that it needs: the cheat, or why it shows none."""

    def judge_proof(self, proof: CheatProof, chain: Chain, height: int) -> Cheat:
        """What a proof shows on `chain` up to `height`. Raises BadBytes, Forged, Early or Fork."""
        needed = height_needed(proof)
        if needed > chain.height:
            raise Early("a proof about a place that has not been reached")
        if needed > height:
            raise Forged("a proof from behind its vote")
        past = (proof.id, chain.heads[needed])
        if past not in self._known:
            if len(self._known) >= MAX_VERDICTS:
                del self._known[next(iter(self._known))]
            self._known[past] = self._find_verdict(proof, chain)
        found = self._known[past]
        if isinstance(found, str):
            raise Forged(found)
        return found

    def _find_verdict(self, proof: CheatProof, chain: Chain) -> Cheat | str:
        try:
            # Without its traceback, which would keep the replayed chain alive.
            return convict_by_proof(self.genesis, proof, chain).with_traceback(None)
        except Forged as fault:
            return str(fault)
