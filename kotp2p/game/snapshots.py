"""Snapshots: what a chain was at some earlier heights, so that others are made again from near by.

Scope: when a snapshot is taken, and how many are kept.
Not here: making a chain from one (`kotp2p.game.past`).

How it works: a proof or a vote may be about any earlier height. To play the whole game again for
each would let one seat cost all others work that grows with the game. A snapshot shares all that
never changes, so it costs little. There are never more than `MAX_SNAPSHOTS`: when they are that
many, every second one goes, and the next ones are twice as far apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.game.referee_feed import RefereeFeed
from kotp2p.game.steps import Step

HEIGHTS_BETWEEN_SNAPSHOTS = 32
"""At the beginning of a game. An earlier height is at most so many steps away."""
MAX_SNAPSHOTS = 64


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What cannot be read off the closed steps of a chain: its state when `height` began."""

    height: int
    view: int
    step: Step
    feed: RefereeFeed
    """A copy that nobody changes."""
    last_gather: int
    gather_before_last: int


@dataclass(slots=True)
class Snapshots:
    kept: list[Snapshot] = field(default_factory=list)
    """By height, ascending."""
    distance: int = HEIGHTS_BETWEEN_SNAPSHOTS

    def is_due(self, height: int) -> bool:
        return not self.kept or height >= self.kept[-1].height + self.distance

    def keep(self, snapshot: Snapshot) -> None:
        self.kept.append(snapshot)
        if len(self.kept) == MAX_SNAPSHOTS:
            del self.kept[1::2]
            self.distance *= 2

    def last_before(self, height: int) -> Snapshot | None:
        """The last snapshot at `height` or before it."""
        return next((s for s in reversed(self.kept) if s.height <= height), None)

    def fork_until(self, height: int) -> Snapshots:
        """An independent collection, of the snapshots up to `height`."""
        return Snapshots([s for s in self.kept if s.height <= height], self.distance)
