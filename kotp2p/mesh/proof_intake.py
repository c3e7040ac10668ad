"""A proof of cheating that arrives: judged, and kept until it is of use.

Scope: which proofs are written down and passed on: those that a copy of the game acts on, and those
that a counted vote names.
Not here: what follows from a cheat (`kotp2p.votes.accusations`).

A cheat can make proofs against itself without end. So a proof that is of no use is neither written
down nor passed on; a few of each link are kept, as a vote that names one may come right behind it.
"""

from __future__ import annotations

from collections.abc import Container
from contextlib import suppress
from dataclasses import dataclass, field

from kotp2p.budgets import JUDGING_UNITS
from kotp2p.game.conviction import check_proof, height_needed
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat, Early, Forged, Fork
from kotp2p.game.steps import Moved
from kotp2p.mesh.gossip import Gossip
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import Signed
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.votes import Vote
from referee.model.answers import Seat

MAX_UNUSED_PROOFS = 16
"""How many proofs of one link are kept that no vote has named yet. The oldest go first."""


@dataclass(slots=True)
class KeptProof:
    """A proof that nothing has called for yet."""

    proof: CheatProof
    is_judged: bool = False
    """A verdict on it was found, which is remembered."""


@dataclass(slots=True)
class ProofIntake:
    ledger: Ledger
    gossip: Gossip
    _unused: dict[Seat, dict[bytes, KeptProof]] = field(default_factory=dict)
    """By link and id: proofs that nothing has called for yet, the oldest first."""
    _shown: dict[bytes, CheatProof] = field(default_factory=dict)
    """By id: proofs that nothing has called for yet, but that this copy has shown to all. No link
    can push them out, and no budget puts them off. There is at most one of each keeper."""
    _judged_at: tuple[int, int] = (0, 0)
    """The place at which those proofs were judged last."""
    _put_off: set[Seat] = field(default_factory=set)
    """The links whose proofs were not judged there, as the budgets of these seats were spent."""

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
        here = self._unused.setdefault(source, {}).pop(proof.id, None) or KeptProof(proof)
        fault = None
        if not self.gossip.budgets.has_work_left(source):
            self._put_off.add(source)
        elif not useless:
            fault = self._judge(source, here)
        self._keep(source, here)
        return fault

    def keep_shown_proof(self, proof: CheatProof) -> None:
        """A proof that this copy shows to all, though nothing calls for it yet."""
        self._shown[proof.id] = proof

    def _keep(self, source: Seat, here: KeptProof) -> None:
        kept = self._unused.setdefault(source, {})
        kept[here.proof.id] = here
        if len(kept) > MAX_UNUSED_PROOFS:
            del kept[next(iter(kept))]

    def judge_again(self) -> list[Cheat]:
        """What the kept proofs show now that the game stands elsewhere. One that shows nothing is
        dropped. It costs no link its life, as its sender may have relayed it."""
        found: list[Cheat] = []
        if self._judged_at != self.ledger.place:
            self._judged_at = self.ledger.place
            self._put_off = set(self._unused)
            found += self._judge_shown()
        for source in [s for s in self._put_off if self.gossip.budgets.has_work_left(s)]:
            self._put_off.remove(source)
            found += self._judge_those_of(source)
        return found

    def _judge_shown(self) -> list[Cheat]:
        found = []
        for proof in self._shown.values():
            with suppress(Early, Fork, Forged):  # its place is to come, or was undone since
                found.append(self.ledger.judge_proof(proof))
        return found

    def _judge_those_of(self, source: Seat) -> list[Cheat]:
        """What the kept proofs of one link show, as far as its budget goes."""
        found, kept = [], self._unused[source]
        for here in list(kept.values()):
            if not self.gossip.budgets.has_work_left(source):
                self._put_off.add(source)
                break
            try:
                fault = self._judge(source, here)
            except (BadBytes, Forged):
                del kept[here.proof.id]
                continue
            if fault is not None:
                found.append(fault)
        return found

    def find_named_by(self, vote: Vote) -> dict[bytes, CheatProof]:
        """The proofs that a vote names and that are kept, but not taken yet."""
        kept = dict(self._shown)
        for proofs in self._unused.values():
            kept |= {name: here.proof for name, here in proofs.items()}
        return {name: kept[name] for name in vote.proofs if name in kept}

    def take_proof(self, proof: CheatProof) -> Moved | None:
        """Writes a proof down and tells all others, if it is new. It MUST have been judged.
        Returns what it has done to the game; None if that is nothing."""
        moved = self.ledger.accept_proof(proof)
        if moved is not None:
            self.gossip.append_record(proof.signed)
            self.gossip.broadcast(proof.signed)
        self._shown.pop(proof.id, None)
        for kept in self._unused.values():
            kept.pop(proof.id, None)
        return moved if moved is not None and moved.dropped else None

    def _judge(self, source: Seat, here: KeptProof) -> Cheat | None:
        """What a proof shows, at the cost of the link that has brought it; None if it says nothing
        here yet. Raises BadBytes or Forged."""
        self.gossip.budgets.charge_work(source, 1 if here.is_judged else JUDGING_UNITS)
        try:
            fault = self.ledger.judge_proof(here.proof)
        except (Early, Fork):
            return None
        here.is_judged = True
        return fault
