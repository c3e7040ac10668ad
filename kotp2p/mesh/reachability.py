"""Links between seats, and the last sign of each seat: how a peer knows that a seat is gone.

A connected graph of links is enough for a game (PROTOCOL.md 9.1). Each peer tells its own links;
from what the others tell, it knows which seats it can reach through which. It passes on to two
peers what one of them signs and the other cannot hear directly.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from referee.model.answers import Seat

GONE_AFTER_SILENT_SECONDS = 30.0
"""Seconds without a word from a seat, by any way, after which it is gone."""
GONE_AFTER_UNREACHABLE_SECONDS = 30.0
"""Seconds that a seat may be out of reach of all links before it is gone. A player
whose process was killed, and who types the same command again at once, is back in time."""
DEAD_LINK_AFTER_SECONDS = 22.0
"""Seconds without a frame on a direct link, on which heartbeats should come, after which it is
dead though nobody has said so: a router that forgets a connection tells neither side."""


@dataclass(slots=True)
class Reachability:
    seat: Seat
    linked: set[Seat] = field(default_factory=set)
    """Direct links of this peer."""
    _neighbours: dict[Seat, frozenset[Seat]] = field(default_factory=dict)
    _last_heard: dict[Seat, float] = field(default_factory=dict)
    _cut_since: dict[Seat, float] = field(default_factory=dict)
    _last_frame: dict[Seat, float] = field(default_factory=dict)
    """When the last frame came over each direct link."""

    def start_clocks(self, seats: int, now: float) -> None:
        self._last_heard = dict.fromkeys(range(seats), now)

    def add_link(self, seat: Seat, now: float) -> bool:
        """Whether the link is new; a link that replaces another is not."""
        self.note_frame(seat, now)
        self._cut_since.pop(seat, None)
        if seat in self.linked:
            return False
        self.linked.add(seat)
        return True

    def remove_link(self, seat: Seat) -> None:
        self.linked.discard(seat)
        self._neighbours.pop(seat, None)
        self._last_frame.pop(seat, None)

    def learn_links(self, seat: Seat, neighbours: Iterable[Seat]) -> None:
        """What `seat` says of its own links."""
        self._neighbours[seat] = frozenset(neighbours)

    def note_heard(self, seat: Seat, now: float) -> None:
        self._last_heard[seat] = now

    def note_frame(self, seat: Seat, now: float) -> None:
        """Something came over the direct link to `seat`."""
        self.note_heard(seat, now)
        self._last_frame[seat] = now

    def find_dead_links(self, now: float) -> list[Seat]:
        """The direct links that have died, each told once: they are to be made anew."""
        found = [
            seat for seat, last in self._last_frame.items() if now >= last + DEAD_LINK_AFTER_SECONDS
        ]
        for seat in found:
            del self._last_frame[seat]
        return found

    def excuse_silence(self, now: float) -> None:
        """This machine was stopped: the silence was ours."""
        self._last_frame = dict.fromkeys(self._last_frame, now)
        self._last_heard = dict.fromkeys(self._last_heard, now)
        self._cut_since = dict.fromkeys(self._cut_since, now)

    def relay_targets(self, author: Seat, source: Seat) -> list[Seat]:
        """The seats to which we pass on what `author` signed and `source` gave us."""
        return [
            seat
            for seat in sorted(self.linked - {source, author})
            if author not in self._neighbours.get(seat, ())
        ]

    def reachable_seats(self) -> set[Seat]:
        """The seats that some chain of links leads to, this one included."""
        reached, fresh = {self.seat}, set(self.linked)
        while fresh:
            reached |= fresh
            known = [self._neighbours.get(seat, frozenset()) for seat in fresh]
            fresh = set().union(*known) - reached
        return reached

    def find_gone_seats(self, seats: Iterable[Seat], now: float) -> dict[Seat, float]:
        """Those of `seats` that are gone, and since when they have been out of reach or silent."""
        reached, found = self.reachable_seats(), {}
        for seat in seats:
            if seat in reached:
                self._cut_since.pop(seat, None)
            elif now >= self._cut_since.setdefault(seat, now) + GONE_AFTER_UNREACHABLE_SECONDS:
                found[seat] = self._cut_since[seat]
            if now >= self._last_heard[seat] + GONE_AFTER_SILENT_SECONDS:
                found.setdefault(seat, self._last_heard[seat])
        return found

    def next_deadline(self, now: float) -> float:
        """When `silent` may have something new to say, apart from silence itself, which is
        found with a heartbeat."""
        waiting = [since + GONE_AFTER_UNREACHABLE_SECONDS for since in self._cut_since.values()]
        return min((due for due in waiting if due > now), default=math.inf)
