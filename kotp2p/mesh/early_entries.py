"""Entries that arrive before their place is reached: a reorder buffer.

Scope: entries of a later height or view than ours, until the game comes there.
Not here: entries on another past (`kotp2p.mesh.forks`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat, equivocation
from kotp2p.wire.entries import Blame, Entry
from referee.model.answers import Seat

MAX_HEIGHTS_AHEAD = 64
"""Entries further ahead are not kept. A peer that is so far behind asks for them again."""


@dataclass(slots=True)
class EarlyEntries:
    ledger: Ledger
    _kept: dict[tuple[int, int, Seat, bool], Entry] = field(default_factory=dict)
    """By view, height, seat, and whether it is a blame."""

    def keep_entry(self, entry: Entry) -> Cheat | None:
        """Keeps an entry until its place is reached. Its signature MUST have been checked.

        Two different entries of one seat for one place prove a cheat, long before they count.
        """
        if entry.height > self.ledger.height + MAX_HEIGHTS_AHEAD:
            return None
        # A seat may blame another one beside the entry that it owes.
        is_blame = isinstance(entry.payload, Blame)
        other = self._kept.setdefault((*entry.place, entry.seat, is_blame), entry)
        return equivocation(other, entry) if other.id != entry.id and not is_blame else None

    def pop_due_entry(self) -> Entry | None:
        """An entry whose place is reached; None if there is none. Entries of an earlier view at
        heights that are still to come are forgotten."""
        place = self.ledger.place
        for known, entry in list(self._kept.items()):
            if known[:2] <= place:
                del self._kept[known]
                if entry.height <= place[1]:
                    return entry
        return None
