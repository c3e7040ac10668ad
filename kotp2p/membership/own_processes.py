"""Whether another process plays this seat: what is heard under its own key (PROTOCOL.md 9.10).

Scope: which bodies of this seat only another process can have signed.
Not here: what this process does then (`kotp2p.peer.peer`), and a second start from one folder
(`Disk.lock`).

How it works: two processes of one seat sign different answers to one question sooner or later, and
these convict their seat. So a process stops at once when it hears of a newer one. Of any two, the
one with the greater instance goes on: that is the one where the player has typed `resume` last. It
also stops when it hears a decision of its own seat that it cannot have forgotten: one that excludes
what it has signed itself, and any once it has decided something. Before, it learns the earlier ones
again from the others (10.6).
"""

from __future__ import annotations

from dataclasses import dataclass

from kotp2p.game.ledger import Ledger
from kotp2p.wire.entries import INSTANCE_BYTES, Blame, BodyKind, Entry, Head, Signed
from kotp2p.wire.genesis import signed_by_seat
from kotp2p.wire.votes import Vote, VoteChoice
from referee.model.answers import Seat

NOWHERE = (-1, -1)
"""Comes before every place of a game."""


@dataclass(slots=True)
class OwnProcesses:
    ledger: Ledger
    seat: Seat
    instance: bytes = bytes(INSTANCE_BYTES)
    """Of this process: its epoch, which rises with each start, and random bytes."""
    has_decided: bool = False
    """This process knows all that its seat has signed: it has played from the start on, or has
    heard the others and decided something since. A vote because of a proof waits for less."""
    newer: bytes = b""
    """The instance of a newer process, once one has been heard of."""
    furthest: tuple[int, int] = NOWHERE
    """The greatest view and height of what has come of this seat from ahead of this process. Its
    files have lost what it has signed up to there."""

    def is_from_elsewhere(self, signed: Signed) -> bool:
        """Whether another process must have signed a body, so that this one has to stop. Raises
        BadBytes."""
        is_foreign, instance, told = False, b"", NOWHERE
        match signed.kind:
            case BodyKind.PLAY | BodyKind.SHARE:
                entry = Entry.parse(signed)
                is_foreign = self._is_foreign_entry(entry)
                is_own = entry.seat == self.seat and entry.game == self.ledger.genesis.id
                told = entry.place if is_own else NOWHERE
            case BodyKind.VOTE:
                vote = Vote.parse(signed, self.ledger.genesis.id)
                is_foreign = self._is_foreign_vote(vote)
                told = vote.place if vote.seat == self.seat else NOWHERE
            case BodyKind.HEAD:
                head = Head.parse(signed, self.ledger.genesis.id)
                is_foreign = head.seat == self.seat and head.instance > self.instance
                instance = head.instance
            case _:  # it may be of an earlier process of this seat, or decides nothing
                pass
        # The signature costs most, so it comes last. A forgery must not stop this process.
        is_news = is_foreign or told > max(self.furthest, self.ledger.place)
        if not is_news or not signed_by_seat(self.ledger.genesis.players, self.seat, signed):
            return False
        if is_foreign:
            self.newer = instance
        self.furthest = max(self.furthest, told)
        return is_foreign

    def _is_foreign_entry(self, entry: Entry) -> bool:
        """Entries of views that were undone tell nothing."""
        if entry.seat != self.seat or entry.view < self.ledger.view:
            return False
        if isinstance(entry.payload, Blame) or entry.game != self.ledger.genesis.id:
            return False
        known = self.ledger.chain.find_entry(entry.height, entry.seat)
        if entry.view == self.ledger.view and known is not None:
            return known.id != entry.id
        return self.has_decided

    def _is_foreign_vote(self, vote: Vote) -> bool:
        """A process may have forgotten which objections it has signed. Votes of views that have
        ended tell nothing."""
        if vote.seat != self.seat or vote.view < self.ledger.view:
            return False
        if vote.choice is not VoteChoice.DROP or self.ledger.tally.has_vote(vote):
            return False
        rounds = {known.round for known in self.ledger.tally.votes_of(self.seat)}
        return self.has_decided or (vote.view == self.ledger.view and vote.round in rounds)
