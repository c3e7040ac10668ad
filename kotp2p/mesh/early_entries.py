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
from heapq import heappop, heappush
from typing import TypeAlias

from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat, equivocation
from kotp2p.wire.entries import Blame, Entry
from referee.model.answers import Seat

MAX_HEIGHTS_AHEAD = 64
"""Entries further ahead are not kept. A peer that is so far behind asks for them again."""
MAX_EARLY_ENTRIES = 16
"""Entries of one seat that are kept at a time. A peer that misses one body sees the others play a
few steps until it has asked for that body."""
EarlyPlace: TypeAlias = tuple[int, int, Seat, bool]
"""View, height, seat, and whether the entry is a blame."""


@dataclass(slots=True)
class EarlyEntries:
    ledger: Ledger
    _kept: dict[EarlyPlace, Entry] = field(default_factory=dict)
    _places: list[EarlyPlace] = field(default_factory=list)
    """The keys of what is kept, as a heap: the earliest place is the first one."""
    _count_of_seat: Counter[Seat] = field(default_factory=Counter)

    def keep_entry(self, entry: Entry) -> Cheat | None:
        """Keeps an entry until its place is reached. Its signature MUST have been checked.

        Two different entries of one seat for one place prove a cheat, long before they count.
        """
        # A seat may blame another one beside the entry that it owes.
        is_blame = isinstance(entry.payload, Blame)
        place = (*entry.place, entry.seat, is_blame)
        other = self._kept.get(place)
        if other is not None:
            return equivocation(other, entry) if other.id != entry.id and not is_blame else None
        is_near = entry.height <= self.ledger.height + MAX_HEIGHTS_AHEAD
        if is_near and self._count_of_seat[entry.seat] < MAX_EARLY_ENTRIES:
            self._kept[place] = entry
            self._count_of_seat[entry.seat] += 1
            heappush(self._places, place)
        return None

    def pop_due_entry(self) -> Entry | None:
        """An entry whose place is reached; None if there is none. Entries of an earlier view at
        heights that are still to come are forgotten."""
        while self._places and self._places[0][:2] <= self.ledger.place:
            entry = self._kept.pop(heappop(self._places))
            self._count_of_seat[entry.seat] -= 1
            if entry.height <= self.ledger.height:
                return entry
        return None
