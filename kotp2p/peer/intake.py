"""What comes over links in a game, and what it does to this copy of the game.

Scope: the bodies and frames of other keepers: they are checked, taken, written down, passed on and
reported. A proof of cheating is acted on at once.
Not here: what this keeper signs (`kotp2p.peer.duties`, `kotp2p.lineup`), and links themselves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import assert_never

from kotp2p.game.conviction import find_author
from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import (
    Cheat,
    Differs,
    Early,
    Forged,
    Fork,
    Moved,
    Stale,
    require_signed_by_keeper,
)
from kotp2p.game.verify import make_evidence
from kotp2p.lineup.attempts import Attempts
from kotp2p.lineup.plan import Facts
from kotp2p.mesh.divergence import Divergence
from kotp2p.mesh.effects import KeepEvidence
from kotp2p.mesh.gossip import ChatReader, EarlyEntries, Forks, Gossip
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.budgets import JUDGING_UNITS
from kotp2p.seams.notices import Cheated
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import BodyKind, Entry, Head, Signed
from kotp2p.wire.lineups import CheatProof, Here, Leave, LineUp, Ready, Wish

MAX_KEPT_PROOFS = 16
"""Proofs of one link that cannot be judged yet are kept up to this number."""
JUDGING_AGAIN_UNITS = 1
"""What it costs the budget of a link to judge a proof that has waited."""


@dataclass(slots=True)
class Intake:
    ledger: Ledger
    gossip: Gossip
    facts: Facts
    attempts: Attempts
    forks: Forks
    early: EarlyEntries
    divergence: Divergence
    chat: ChatReader
    report: Callable[[Moved], None]
    heads: dict[Seat, tuple[bytes, int]] = field(default_factory=dict)
    """By keeper: the greatest instance and beat in its heads."""
    _early_proofs: dict[Seat, list[CheatProof]] = field(default_factory=lambda: defaultdict(list))
    _judged_at: int = -1
    """The revision of the ledger at which proofs were judged last."""

    def receive_body(self, source: Seat, signed: Signed, now: float) -> None:
        """Take a body; raise BadBytes or Forged for a fault of its author."""
        match signed.kind:
            case BodyKind.PLAY | BodyKind.SHARE:
                self.accept_entry(source, Entry.parse(signed), now)
            case BodyKind.HEAD:
                self._accept_head(source, signed, now)
            case BodyKind.CHAT:
                self.chat.accept_line(source, signed, now)
            case BodyKind.LINE_UP:
                self._accept_line_up(source, signed, now)
            case BodyKind.LEAVE:
                self._accept_leave(source, Leave.parse(signed, self.ledger.genesis.id), now)
            case BodyKind.READY | BodyKind.WISH | BodyKind.HERE:
                self._accept_word(source, signed, now)
            case BodyKind.CHEAT_PROOF:
                self._receive_proof(source, CheatProof.parse(signed))
            case BodyKind.GENESIS:
                pass  # sent before its sender knew that the start is known here
            case BodyKind.ADDRESS | BodyKind.PROGRAM:
                raise BadBytes("not in a game")
            case _:
                assert_never(signed.kind)

    def _note_heard(self, seat: Seat, now: float) -> None:
        self.gossip.reachability.note_heard(seat, now)

    # -- entries ---------------------------------------------------------------------------

    def accept_entry(
        self, source: Seat, entry: Entry, now: float, *, keeps_early: bool = True
    ) -> None:
        """Take an entry; raise BadBytes or Forged."""
        try:
            moved = self.ledger.accept_entry(entry)
        except Stale:
            return
        except Early:
            if keeps_early:
                self._keep_early_entry(source, entry, now)
            return
        except Fork:
            self.forks.answer_fork(source, entry.height)
            return
        except Cheat as fault:
            self.note_cheat(fault)
            return
        except Differs:
            second = self.divergence.note_entry(source, entry, now)
            if second is not None:
                self.note_cheat(second)
            return
        if moved is None:
            return
        self._note_heard(entry.seat, now)
        self.gossip.append_record(entry.signed)
        self.gossip.relay_frame(source, entry.seat, entry.signed)
        second = self.divergence.find_second_entry(entry)
        if second is not None:
            moved.caught = (*moved.caught, second)
        self._report(moved)

    def _keep_early_entry(self, source: Seat, entry: Entry, now: float) -> None:
        proof = self.early.keep_entry(entry)
        if proof is not None:
            self.note_cheat(proof)
        if entry.attempt > self.ledger.attempt:
            # Of the same line-up all that is missing comes by itself. A later one begins with
            # bodies that have passed this copy by.
            self.gossip.request_missing(source, now, later_line_up=True)

    def release_early_entry(self, own: Seat, now: float) -> bool:
        """Take one entry that came before its place; return whether there was one."""
        entry = self.early.pop_due_entry()
        if entry is None:
            return False
        with suppress(BadBytes, Forged):  # its link was charged when it came
            self.accept_entry(own, entry, now, keeps_early=False)
        return True

    def _accept_head(self, source: Seat, signed: Signed, now: float) -> None:
        """Take the head of another keeper, and request what this copy lacks."""
        ledger, head = self.ledger, Head.parse(signed, self.ledger.genesis.id)
        require_signed_by_keeper(ledger.genesis.players, head.seat, signed, "heartbeat")
        said = (head.instance, head.beat)
        if said > self.heads.get(head.seat, (b"", -1)):
            self.heads[head.seat] = said
            self._note_heard(head.seat, now)
            if source == head.seat:
                self.gossip.relay_news(source, head.seat, signed)
        if (head.attempt, head.height) > ledger.place:
            later = head.attempt > ledger.attempt
            self.gossip.request_missing(source, now, later_line_up=later)
        self.forks.compare_head(source, head)

    # -- facts -----------------------------------------------------------------------------

    def _accept_word(self, source: Seat, signed: Signed, now: float) -> None:
        """Accept what a keeper finds or wishes.

        Others may have received something else from it.
        """
        game = self.ledger.genesis.id
        match signed.kind:
            case BodyKind.READY:
                ready = Ready.parse(signed, game)
                author, is_new = ready.seat, self.attempts.accept_ready(ready)
            case BodyKind.WISH:
                wish = Wish.parse(signed, game)
                author, is_new = wish.seat, self.facts.accept_wish(wish)
            case _:  # the caller passes these three kinds
                here = Here.parse(signed, game)
                author, is_new = here.seat, self.facts.accept_here(here)
        if is_new:
            self._note_heard(author, now)
            self.gossip.spread_news(source, author, signed)

    def _accept_leave(self, source: Seat, leave: Leave, now: float) -> None:
        moved = self.ledger.accept_leave(leave)
        if moved is not None:
            self._note_heard(leave.seat, now)
            self.gossip.append_record(leave.signed)
            self.gossip.spread(source, leave.seat, leave.signed)
            self._report(moved)

    def _accept_line_up(self, source: Seat, signed: Signed, now: float) -> None:
        moved = self.ledger.accept_line_up(signed)
        if moved is None:
            return
        lineup = LineUp.parse(signed.body, self.ledger.genesis.id)
        seals = self.ledger.seals.get(lineup.id)
        if seals is None:  # its author has assented to too many that nobody else has found
            self._report(moved)
            return
        whole = lineup.signed(seals)
        if lineup.id in self.ledger.chains:
            pass
        elif lineup.predecessor not in self.ledger.chains:
            self.gossip.request_missing(source, now, later_line_up=True)
        elif lineup.height > self.ledger.chains[lineup.predecessor].height:
            self.gossip.request_missing(source, now)
        self.gossip.spread(source, source, whole)
        self._report(moved)

    # -- cheats ----------------------------------------------------------------------------

    def _receive_proof(self, source: Seat, proof: CheatProof) -> None:
        """Judge a proof of another peer; raise BadBytes or Forged."""
        if proof.id in self.ledger.proofs:
            return
        self.gossip.budgets.charge_work(source, JUDGING_UNITS)
        try:
            self._take_proof(proof)
        except (Early, Fork):
            kept = self._early_proofs[source]
            if proof not in kept and len(kept) < MAX_KEPT_PROOFS:
                kept.append(proof)

    def judge_proofs_again(self) -> None:
        """Judge the proofs that came before the place, or the line-up, that they are about."""
        if not self._early_proofs or self._judged_at == self.ledger.revision:
            return
        self._judged_at = self.ledger.revision
        for source, kept in list(self._early_proofs.items()):
            waiting = []
            for proof in kept:
                self.gossip.budgets.charge_work(source, JUDGING_AGAIN_UNITS)
                try:
                    self._take_proof(proof)
                except (Early, Fork):
                    waiting.append(proof)
                except (BadBytes, Forged):
                    pass  # it shows nothing on the past that it names
            self._early_proofs[source] = waiting
            if not waiting:
                del self._early_proofs[source]

    def note_cheat(self, fault: Cheat) -> None:
        """Show a cheat to the front and to all, if it can be proven to others."""
        with suppress(BadBytes, Forged, Early, Fork):
            self._take_proof(fault.proof)

    def _take_proof(self, proof: CheatProof) -> None:
        """Take a proof of cheating; raise BadBytes, Forged, Early or Fork."""
        moved = self.ledger.accept_proof(proof)
        if moved is None:
            return
        (fault,) = moved.caught
        self.gossip.append_record(proof.signed)
        self.gossip.broadcast(proof.signed)
        if len(self.ledger.convicts[fault.seat]) == 1:
            self.gossip.show(Cheated(fault.seat, fault.kind, fault.height, fault.detail))
            data = make_evidence(self.ledger, fault)
            self.gossip.effects.append(KeepEvidence(fault.seat, fault.height, data))
        moved.caught = ()
        self._report(moved)

    def _report(self, moved: Moved) -> None:
        caught, moved.caught = moved.caught, ()
        self.report(moved)
        for fault in caught:
            self.note_cheat(fault)

    def author_of(self, signed: Signed) -> Seat | None:
        return find_author(self.ledger.genesis.players, signed)
