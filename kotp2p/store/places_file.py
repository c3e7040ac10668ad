"""The file `places` of a game while it runs: where peers can be dialled, as far as is known.

Scope: when the file is written anew.
Not here: its content, and how a process that comes back reads it (`kotp2p.store.saved_game`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import PurePath

import trio

from kotp2p.store.finished_games import remove_secrets
from kotp2p.store.saved_game import SavedPlaces
from kotp2p.wire.addresses import AddressBook
from kotp2p.world import Disk


@dataclass(slots=True)
class PlacesFile:
    disk: Disk
    path: PurePath
    places: SavedPlaces
    is_stale: bool = True
    """Something is known that the file does not hold."""
    _is_closed: bool = False
    _is_over: bool = False
    """The game is over for this seat for good."""
    _saving: trio.Lock = field(default_factory=trio.Lock)

    def name_log(self, shared: PurePath | None) -> None:
        """The log's second name is known from now on; the next save writes it."""
        self.places = replace(self.places, shared="" if shared is None else shared.name)

    async def save(self, book: AddressBook) -> None:
        """Writes all that is known now. Raises FileTrouble."""
        async with self._saving:  # what is written last is what was known last
            newest = book.newest_of_seat.values()
            said = tuple((known.signed.body, known.signed.signature) for known in newest)
            seen = tuple(sorted(book.last_link_addresses.items()))
            self.is_stale = False
            self.places = replace(self.places, whereabouts=said, seen=seen)
            if not self._is_closed:
                await self.disk.replace(self.path, self.places.encode())
                if self._is_over:  # it has ended while the disk was at it
                    remove_secrets(self.disk, self.path.parent)

    def close(self, *, keep: bool) -> None:
        """The game has ended here. Without `keep` it is over for this seat for good, so its secrets
        go, too. Raises FileTrouble."""
        self._is_closed = True
        self._is_over = not keep
        if self._is_over:
            remove_secrets(self.disk, self.path.parent)
