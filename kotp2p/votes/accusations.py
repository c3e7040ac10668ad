"""What every copy of the game does about a cheat: keeps the proof, and tells all (PROTOCOL.md 9.6).

Scope: which seats are proven to have cheated, the proof of each, and the evidence file.
Not here: the votes that follow from a proof (`kotp2p.votes.targets`).
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

from kotp2p.game.evidence import make_evidence
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat, Early, Forged, Fork, equivocation
from kotp2p.game.steps import Moved
from kotp2p.mesh.effects import KeepEvidence, ShowNotice
from kotp2p.mesh.gossip import Gossip
from kotp2p.mesh.proof_intake import ProofIntake
from kotp2p.notices import Cheated
from kotp2p.votes.targets import calls_for_earlier_vote, is_of_two_farewells
from kotp2p.wire.entries import Blame, BodyKind, Entry, Signed
from kotp2p.wire.proofs import CheatProof
from referee.model.answers import Seat


@dataclass(slots=True)
class Accusations:
    ledger: Ledger
    gossip: Gossip
    proofs: ProofIntake
    convicts: dict[Seat, Cheat] = field(default_factory=dict)
    """Keepers that have cheated, or whose bots have, with the proof to vote with."""
    _two_farewells: dict[Seat, CheatProof] = field(default_factory=dict)
    """Of each keeper that has left at two places, the first proof of that which came. It calls for
    a vote where one of the two stands in, which is later, or only in the game of others."""

    def recall_proofs(self) -> None:
        """After a restart: what the proofs in the log show."""
        for proof in self.ledger.proofs.values():
            with suppress(Forged, Early, Fork):  # it was about a place that was undone since
                self._convict(self.ledger.judge_proof(proof))

    def receive_proof(self, source: Seat, signed: Signed) -> Moved | None:
        """A proof of another peer. Raises BadBytes or Forged."""
        fault = self.proofs.receive_proof(source, signed, self.convicts)
        return None if fault is None else self.note_cheat(fault)

    def note_cheat(self, fault: Cheat) -> Moved | None:
        """Shows a cheat to the front and to all seats, if it can be proven to others. Returns what
        its proof has done to the game; None if that is nothing."""
        fault = self._find_fork(fault)
        try:
            self.ledger.judge_proof(fault.proof)
        except (Forged, Early, Fork):
            return None
        was_known = self._keeper(fault) in self.convicts
        if is_of_two_farewells(fault.proof):
            self._show_two_farewells(fault)
        if not self._convict(fault):
            return None
        data = make_evidence(self.ledger, fault.proof)
        moved = self.proofs.take_proof(fault.proof)
        if was_known:
            return moved  # a better proof for the votes: the front has been told already
        self.gossip.effects += [
            ShowNotice(Cheated(fault.seat, fault.kind, fault.height, fault.detail)),
            KeepEvidence(fault.seat, fault.height, data),
        ]
        return moved

    def bodies_for_new_link(self) -> list[Signed]:
        """The proofs that this copy acts on, for a peer that has just come."""
        proofs = [fault.proof for fault in self.convicts.values()]
        return [proof.signed for proof in (*proofs, *self._two_farewells.values())]

    def _find_fork(self, fault: Cheat) -> Cheat:
        """An offence whose author has signed another entry for the same place, which was taken
        here: as a contradiction. Only that shows to all that their pasts differ there.

        A cheat once told some a wrong answer and others a right one. The first voted at that
        height and the others, which knew of the offence alone, there and behind it in turn, never
        in one round.
        """
        kinds = [signed.kind for signed in fault.proof.bodies]
        if kinds not in ([BodyKind.PLAY], [BodyKind.SHARE]):
            return fault
        entry = Entry.parse(fault.proof.bodies[0])
        taken = self.ledger.chain.find_entry(entry.height, entry.seat)
        if isinstance(entry.payload, Blame) or taken is None or taken.id == entry.id:
            return fault
        if taken.place != entry.place:
            return fault
        return equivocation(taken, entry)

    def _show_two_farewells(self, fault: Cheat) -> None:
        """Each of the others may know one of the two, and needs both."""
        keeper = self._keeper(fault)
        if keeper not in self._two_farewells:
            self._two_farewells[keeper] = fault.proof
            self.proofs.keep_shown_proof(fault.proof)
            self.gossip.broadcast(fault.proof.signed)

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
