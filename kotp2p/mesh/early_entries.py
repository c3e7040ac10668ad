"""Entries that arrive before their place is reached: a reorder buffer.

Scope: entries of a later height or view than ours, until the game comes there.
Not here: entries on another past (`kotp2p.mesh.forks`).

How it is bounded: every seat has a few places of its own, whatever heights and views it signs. The
first entries of a seat stay and later ones are not kept. An honest seat signs in the order of the
game, so its first ones are due first. A seat that signs without end fills its own places only, and
its honest entries are then asked for again, as after any loss.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TypeAlias

from kotp2p.game.conviction import find_author
from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Cheat, equivocation
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.entries import Blame, Entry

MAX_HEIGHTS_AHEAD = 64
"""Entries further ahead are not kept. A peer that is this far behind asks for them again."""
MAX_EARLY_ENTRIES = 16
"""Entries of one keeper that are kept at a time. A peer that misses one body sees the others play a
few steps until it has asked for that body."""
EarlyPlace: TypeAlias = tuple[int, int, Seat, bytes, bool]
"""Attempt, height, seat, head, and whether the entry is a blame."""


@dataclass(slots=True)
class EarlyEntries:
    ledger: Ledger
    _kept: dict[EarlyPlace, tuple[Seat, Entry]] = field(default_factory=dict)
    """Each with the keeper that has signed it."""
    _count_of: Counter[Seat] = field(default_factory=Counter)

    def keep_entry(self, entry: Entry) -> Cheat | None:
        """Keep an entry until its place is reached. Some keeper MUST have signed it.

        Two different entries of one seat for one place prove a cheat, long before they count.
        """
        author = find_author(self.ledger.genesis.players, entry.signed, first=entry.seat)
        if author is None:
            return None
        is_blame = isinstance(entry.payload, Blame)  # a seat may blame beside the entry it owes
        place = (entry.attempt, entry.height, entry.seat, entry.prev, is_blame)
        known = self._kept.get(place)
        if known is not None:
            signer, other = known
            is_second = other.id != entry.id and not is_blame and signer == author
            return equivocation(author, other, entry) if is_second else None
        is_near = entry.height <= self.ledger.height + MAX_HEIGHTS_AHEAD
        if is_near and self._count_of[author] < MAX_EARLY_ENTRIES:
            self._kept[place] = (author, entry)
            self._count_of[author] += 1
        return None

    def pop_due_entry(self) -> Entry | None:
        """Return an entry whose place is reached; None if there is none."""
        if not self._kept:
            return None
        ledger = self.ledger
        for place, (author, entry) in sorted(self._kept.items(), key=lambda item: item[0][:3]):
            is_known = place[0] <= ledger.attempt and place[1] <= ledger.height
            if is_known or (place[0] < ledger.attempt and place[1] > ledger.height):
                del self._kept[place]
                self._count_of[author] -= 1
                if is_known:
                    return entry
        return None
