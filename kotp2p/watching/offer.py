"""Whether the table of this process can be watched, by how many, and how they come in."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class WatchOffer:
    most: int = 0
    """So many watchers at a time; 0: none."""
    secret: bytes = field(default=b"", repr=False)
    """What a watcher must know, if watchers need an invitation of their own; empty: they come in by
    the secret of the table."""
    has_chat: bool = False
    """Watchers hear what is said at the table, and may say something."""

    @property
    def is_open(self) -> bool:
        return self.most > 0


NO_WATCHERS = WatchOffer()
