"""Entries that arrive before their place is reached, and entries on another past."""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.courier import Courier
from kotp2p.entries import Blame, Entry, Kind
from kotp2p.frames import Want
from kotp2p.ledger import Ledger
from kotp2p.steps import Cheat, equivocation
from referee.answers import Seat

MOST = 64
"""Heights ahead of ours for which entries are kept; who is further behind asks again. As many
forks are answered."""
BACK = 8
"""Heights before a fork that are shown to its author, and asked of him."""


@dataclass(slots=True)
class Ahead:
    ledger: Ledger
    courier: Courier
    _kept: dict[tuple[int, int, Seat], Entry] = field(default_factory=dict)
    _answered: set[tuple[Seat, int]] = field(default_factory=set)
    _shown: bytes = b""
    """The head up to which all have been shown this past."""

    def keep(self, entry: Entry) -> Cheat | None:
        """Keeps an entry, whose signature is right, until its height is reached; two different
        ones for one place are a proof already."""
        if entry.height > self.ledger.height + MOST:
            return None
        other = self._kept.setdefault((*entry.place, entry.seat), entry)
        if other.id != entry.id and entry.signed.kind is other.signed.kind is Kind.PLAY:
            return equivocation(other, entry)
        return None

    def next(self) -> Entry | None:
        """One whose place is reached; those of an earlier view are forgotten. A blame is about
        what closes its height, so that it is judged when that height is behind us."""
        place = self.ledger.place
        for known, entry in list(self._kept.items()):
            waits = isinstance(entry.payload, Blame) and entry.height == place[1]
            if known[:2] <= place and not waits:
                del self._kept[known]
                if entry.height <= place[1]:
                    return entry
        return None

    def answer_fork(self, source: Seat, entry: Entry) -> None:
        """Its author was told another past: show ours and ask for theirs; one of the two pasts
        holds two bodies of one seat."""
        if (source, entry.height) in self._answered or len(self._answered) > MOST:
            return
        self._answered.add((source, entry.height))
        since = max(0, entry.height - BACK)
        again, self._shown = self._shown == self.ledger.head, self.ledger.head
        for signed in self.ledger.since(since):
            if again:
                self.courier.send(source, signed)
            else:
                self.courier.broadcast(signed)
        self.courier.send(source, Want(since))
