"""Entries that arrive before their place is reached, and entries on another past."""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat, equivocation
from kotp2p.mesh.gossip import Gossip
from kotp2p.wire.entries import Blame, Entry, Head
from kotp2p.wire.frames_game import Want
from referee.model.answers import Seat

MAX_HEIGHTS_AHEAD = 64
"""Heights ahead of ours for which entries are kept. A peer that is further behind asks again. As
many forks are answered."""
HEIGHTS_BEFORE_FORK = 8
"""Heights before a fork that are shown to its author, and asked of it."""


@dataclass(slots=True)
class EarlyEntries:
    ledger: Ledger
    gossip: Gossip
    _kept: dict[tuple[int, int, Seat, bool], Entry] = field(default_factory=dict)
    """By view, height, seat, and whether it is a blame."""
    _answered: dict[Seat, set[tuple[int, bytes]]] = field(default_factory=dict)
    """For each seat asked: the height, and our head at that time."""
    _shown: bytes = b""
    """The head up to which all have been shown this past."""

    def keep_entry(self, entry: Entry) -> Cheat | None:
        """Keeps an entry, whose signature is right, until its height is reached; two different
        ones for one place are a proof already."""
        if entry.height > self.ledger.height + MAX_HEIGHTS_AHEAD:
            return None
        blames = isinstance(entry.payload, Blame)
        other = self._kept.setdefault((*entry.place, entry.seat, blames), entry)
        return equivocation(other, entry) if other.id != entry.id and not blames else None

    def pop_due_entry(self) -> Entry | None:
        """One whose place is reached; those of an earlier view are forgotten."""
        place = self.ledger.place
        for known, entry in list(self._kept.items()):
            if known[:2] <= place:
                del self._kept[known]
                if entry.height <= place[1]:
                    return entry
        return None

    def compare_head(self, source: Seat, head: Head) -> None:
        """A peer that has come as far as we by another way may have no entry that tells: both wait
        for the same seat, or are at an end."""
        ledger = self.ledger
        if (head.view, head.height) == ledger.place and head.head != ledger.head:
            self.answer_fork(source, head.height)

    def answer_fork(self, source: Seat, height: int) -> None:
        """Another past was told there: show ours and ask for theirs; one of the two holds two
        bodies of one seat."""
        answered = self._answered.setdefault(source, set())
        if (height, self.ledger.head) in answered or len(answered) >= MAX_HEIGHTS_AHEAD:
            return
        answered.add((height, self.ledger.head))
        since = max(0, height - HEIGHTS_BEFORE_FORK)
        again, self._shown = self._shown == self.ledger.head, self.ledger.head
        for signed in self.ledger.bodies_since(since):
            if again:
                self.gossip.send(source, signed)
            else:
                self.gossip.broadcast(signed)
        self.gossip.send(source, Want(since))
