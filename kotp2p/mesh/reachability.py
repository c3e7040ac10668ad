"""Links between seats, and the last sign of each seat: how a peer knows that a seat is gone.

Scope: the direct links of this process, the links that others tell of theirs, and when each seat
was heard of last.
Not here: sockets (`kotp2p.net`), and what is done about a seat that is gone
(`kotp2p.membership.presence`).

How it works (PROTOCOL.md 9.1): a connected graph of links is enough for a game. Each peer tells its
own links, so each knows which seats it can reach through which. A peer passes on what one of its
neighbours signs to every other neighbour without a link to that seat.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from kotp2p.referee.model.answers import Seat

GONE_AFTER_SILENT_SECONDS = 30.0
"""A seat is gone if nothing that it signed has arrived for so long, by any way."""
GONE_AFTER_UNREACHABLE_SECONDS = 30.0
"""A seat is gone if no chain of links has led to it for so long. A player whose process was killed,
and who types the same command again at once, is back in time."""
DEAD_LINK_AFTER_SECONDS = 12.0
"""A direct link is dead if no frame, not even a PING, has come over it for so long. A router
that forgets a connection tells neither side."""


@dataclass(slots=True)
class Reachability:
    seat: Seat
    """The seat of this process."""
    linked: set[Seat] = field(default_factory=set)
    """The seats to which this process has a direct link."""
    _neighbours: dict[Seat, frozenset[Seat]] = field(default_factory=dict)
    """What each linked seat has told of its own links."""
    _last_heard: dict[Seat, float] = field(default_factory=dict)
    """When each seat last gave a sign, by any way."""
    _cut_since: dict[Seat, float] = field(default_factory=dict)
    """Since when no chain of links leads to a seat."""
    _last_frame: dict[Seat, float] = field(default_factory=dict)
    """When the last frame came over each direct link."""

    def start_clocks(self, seats: int, now: float) -> None:
        """The silence of all seats, this many, is counted from now on."""
        self._last_heard = dict.fromkeys(range(seats), now)

    def add_link(self, seat: Seat, now: float) -> bool:
        """Whether `seat` had no link before. A link may also replace another one."""
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
        """`seat` has told its own links."""
        self._neighbours[seat] = frozenset(neighbours)

    def note_heard(self, seat: Seat, now: float) -> None:
        """Something that `seat` signed has arrived, by any way."""
        self._last_heard[seat] = now

    def note_frame(self, seat: Seat, now: float) -> None:
        """Something came over the direct link to `seat`."""
        self.note_heard(seat, now)
        self._last_frame[seat] = now

    def find_dead_links(self, now: float) -> list[Seat]:
        """The direct links that have died, each told once: they are to be closed and made anew."""
        found = [
            seat for seat, last in self._last_frame.items() if now >= last + DEAD_LINK_AFTER_SECONDS
        ]
        for seat in found:
            del self._last_frame[seat]
        return found

    def excuse_silence(self, now: float) -> None:
        """This machine was stopped: it was this process that did not listen."""
        self._last_frame = dict.fromkeys(self._last_frame, now)
        self._last_heard = dict.fromkeys(self._last_heard, now)
        self._cut_since = dict.fromkeys(self._cut_since, now)

    def relay_targets(self, author: Seat, source: Seat) -> list[Seat]:
        """The seats to which we pass on what `author` signed and `source` gave us."""
        # What a neighbour has told of its links may be old. Then it gets a body twice, or asks for
        # it later. A neighbour that has told nothing yet gets everything.
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

    def find_ways(self, seat: Seat) -> set[Seat]:
        """The directly linked seats through which `seat` is reached: itself, or those that have
        told a link to it."""
        if seat in self.linked:
            return {seat}
        return {near for near in self.linked if seat in self._neighbours.get(near, ())}

    def find_gone_seats(self, seats: Collection[Seat], now: float) -> dict[Seat, float]:
        """Which of `seats` are gone, and since when each has been cut off or silent."""
        found: dict[Seat, float] = {}
        # Where all have a link to this process, no other way is looked for.
        all_linked = self.linked.issuperset(seats)
        reached = self.linked if all_linked else self.reachable_seats()
        for seat in seats:
            if seat in reached:
                self._cut_since.pop(seat, None)
            elif now >= self._cut_since.setdefault(seat, now) + GONE_AFTER_UNREACHABLE_SECONDS:
                found[seat] = self._cut_since[seat]
            if now >= self._last_heard[seat] + GONE_AFTER_SILENT_SECONDS:
                found.setdefault(seat, self._last_heard[seat])
        return found

    def next_deadline(self, now: float) -> float:
        """When a seat that is cut off now will be gone.

        A seat that falls silent is found at the next heartbeat, which is soon enough.
        """
        waiting = [since + GONE_AFTER_UNREACHABLE_SECONDS for since in self._cut_since.values()]
        return min((due for due in waiting if due > now), default=math.inf)
