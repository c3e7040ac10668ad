"""Who is linked to whom, and who has been heard of: how a peer knows that a seat is gone.

A connected graph of links is enough for a game (PROTOCOL.md 9.1). Each peer tells its own links;
from what the others tell, everybody knows whom he can reach through whom, and passes on to two
peers what one of them signs and the other cannot hear directly.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from referee.model.answers import Seat

SILENCE = 30.0
"""Seconds without a word from a seat, by any way, after which it is gone."""
CUT_OFF = 30.0
"""Seconds that a seat may be out of reach of all links before it is gone: who was killed and
types the same command again at once is back in time."""
DEAD = 22.0
"""Seconds without a frame on a direct link, on which heartbeats should come, after which it is
dead though nobody has said so: a router that forgets a connection tells neither side."""


@dataclass(slots=True)
class Mesh:
    seat: Seat
    linked: set[Seat] = field(default_factory=set)
    """Direct links of this peer."""
    _neighbours: dict[Seat, frozenset[Seat]] = field(default_factory=dict)
    _heard: dict[Seat, float] = field(default_factory=dict)
    _cut_since: dict[Seat, float] = field(default_factory=dict)
    _frames: dict[Seat, float] = field(default_factory=dict)
    """When the last frame came over each direct link."""

    def begin(self, seats: int, now: float) -> None:
        self._heard = dict.fromkeys(range(seats), now)

    def up(self, seat: Seat, now: float) -> bool:
        """Whether the link is new; a link that replaces another is not."""
        self.frame(seat, now)
        self._cut_since.pop(seat, None)
        if seat in self.linked:
            return False
        self.linked.add(seat)
        return True

    def down(self, seat: Seat) -> None:
        self.linked.discard(seat)
        self._neighbours.pop(seat, None)
        self._frames.pop(seat, None)

    def tell(self, seat: Seat, neighbours: Iterable[Seat]) -> None:
        """What `seat` says of its own links."""
        self._neighbours[seat] = frozenset(neighbours)

    def hear(self, seat: Seat, now: float) -> None:
        self._heard[seat] = now

    def frame(self, seat: Seat, now: float) -> None:
        """Something came over the direct link to `seat`."""
        self.hear(seat, now)
        self._frames[seat] = now

    def dead(self, now: float) -> list[Seat]:
        """The direct links that have died, each told once: they are to be made anew."""
        found = [seat for seat, last in self._frames.items() if now >= last + DEAD]
        for seat in found:
            del self._frames[seat]
        return found

    def slept(self, now: float) -> None:
        """This machine was stopped: the silence was ours."""
        self._frames = dict.fromkeys(self._frames, now)
        self._heard = dict.fromkeys(self._heard, now)
        self._cut_since = dict.fromkeys(self._cut_since, now)

    def deaf_to(self, author: Seat, source: Seat) -> list[Seat]:
        """Who is to be passed what `author` signed and `source` gave us."""
        return [
            seat
            for seat in sorted(self.linked - {source, author})
            if author not in self._neighbours.get(seat, ())
        ]

    def reach(self) -> set[Seat]:
        """The seats that some chain of links leads to, this one included."""
        reached, fresh = {self.seat}, set(self.linked)
        while fresh:
            reached |= fresh
            known = [self._neighbours.get(seat, frozenset()) for seat in fresh]
            fresh = set().union(*known) - reached
        return reached

    def silent(self, seats: Iterable[Seat], now: float) -> dict[Seat, float]:
        """Those of `seats` that are gone, and since when they have been out of reach or silent."""
        reached, found = self.reach(), {}
        for seat in seats:
            if seat in reached:
                self._cut_since.pop(seat, None)
            elif now >= self._cut_since.setdefault(seat, now) + CUT_OFF:
                found[seat] = self._cut_since[seat]
            if now >= self._heard[seat] + SILENCE:
                found.setdefault(seat, self._heard[seat])
        return found

    def due(self, now: float) -> float:
        """When `silent` may have something new to say, apart from silence itself, which is
        found with a heartbeat."""
        waiting = [since + CUT_OFF for since in self._cut_since.values()]
        return min((due for due in waiting if due > now), default=math.inf)
