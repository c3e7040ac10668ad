"""Whether the table of this process can be watched, by how many, and how they come in.

Scope: the value, and its form in a file.
Not here: what a watcher is sent (`kotp2p.watching`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.wire.encoding import Value, array, boolean, integer, octets
from kotp2p.wire.frames import MAX_WATCHERS


@dataclass(frozen=True, slots=True)
class WatchOffer:
    most: int = 0
    """So many watchers at a time; 0: none."""
    secret: bytes = field(default=b"", repr=False)
    """What a watcher must know, if watchers need an invitation of their own; empty: they come in by
    the secret of the table."""
    has_chat: bool = False
    """Watchers hear what the players say to each other."""

    @property
    def is_open(self) -> bool:
        return self.most > 0

    def value(self) -> Value:
        return (self.most, self.secret, self.has_chat)

    @staticmethod
    def parse(value: object) -> WatchOffer:
        """Raises BadBytes."""
        most, secret, has_chat = array(value, 3)
        return WatchOffer(integer(most, 0, MAX_WATCHERS), octets(secret), boolean(has_chat))


NO_WATCHERS = WatchOffer()
