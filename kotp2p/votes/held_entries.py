"""Entries that this seat must not take yet because of its own drop votes.

Scope: keeps them until no lock forbids them any more.
Not here: the locks (`locks`), and entries of heights that are not reached yet
(`kotp2p.mesh.early_entries`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.votes.locks import EntryPlace, VoteLocks
from kotp2p.wire.entries import Blame, Entry
from kotp2p.wire.genesis import signed_by_seat
from referee.model.answers import Seat

MAX_KEPT_ENTRIES = 256


@dataclass(slots=True)
class HeldEntries:
    locks: VoteLocks
    _entries: dict[EntryPlace, Entry] = field(default_factory=dict)

    def hold_back(self, entry: Entry) -> bool:
        """Whether `entry` must not be taken now. Then it is kept for later."""
        ledger = self.locks.ledger
        if entry.view != ledger.view or isinstance(entry.payload, Blame):
            return False
        # A second entry for a place is never taken into the game. It may be the proof that others
        # vote with, so a blocked seat must look at it all the same.
        if ledger.chain.find_entry(entry.height, entry.seat) is not None:
            return False
        if not self.locks.forbids_entry(entry):
            return False
        players = ledger.genesis.players
        if (
            entry.height >= ledger.chain.last_gather
            and entry.game == ledger.genesis.id
            and len(self._entries) < MAX_KEPT_ENTRIES
            and signed_by_seat(players, entry.seat, entry.signed)
        ):
            self._entries[(*entry.place, entry.seat)] = entry
        return True

    def find_seats(self) -> set[Seat]:
        """The seats whose entry for the present place waits."""
        if not self._entries:
            return set()
        place = self.locks.ledger.place
        return {entry.seat for entry in self._entries.values() if entry.place == place}

    def release(self) -> list[Entry]:
        """The entries that were held back and may be taken now, in order of their places."""
        if not self._entries:
            return []
        view = self.locks.ledger.view
        found = [entry for entry in self._entries.values() if entry.view == view]
        self._entries = {}
        found.sort(key=lambda entry: entry.place)
        return [entry for entry in found if not self.hold_back(entry)]
