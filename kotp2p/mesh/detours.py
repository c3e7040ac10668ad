"""Seats that this process reaches through one other seat alone (PROTOCOL.md 9.1 R15).

Scope: since when each seat is reached so, and what the player was told of it.
Not here: the links (`kotp2p.mesh.reachability`).

Such a seat in between can keep back what the two others sign, so that they hold each other for
gone. A firewall leads to the same picture. The player is told, and can find another way.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field

from kotp2p.mesh.reachability import Reachability
from kotp2p.notices import Detour
from kotp2p.referee.model.answers import Seat

DETOUR_SECONDS = 20.0
"""How long there may be no other way before it is told. All addresses of a seat are tried in less,
unless many lead nowhere."""


@dataclass(slots=True)
class Detours:
    reachability: Reachability
    _since: dict[Seat, tuple[Seat, float]] = field(default_factory=dict)
    """The seat through which alone each seat is reached, and since when."""
    _told: dict[Seat, frozenset[Seat]] = field(default_factory=dict)
    """By the seat in between, the seats that were told."""

    def find_news(self, seats: Collection[Seat], now: float) -> list[Detour]:
        """What is to be told now of these seats, each the keeper of its process."""
        self._update(seats, now)
        if not self._since and not self._told:
            return []
        found: dict[Seat, set[Seat]] = {between: set() for between in self._told}
        for seat, (between, since) in self._since.items():
            if now >= since + DETOUR_SECONDS:
                found.setdefault(between, set()).add(seat)
        news = []
        for between, others in sorted(found.items()):
            if others != self._told.get(between, frozenset()).intersection(seats):
                news.append(Detour(between, tuple(sorted(others))))
            self._told[between] = frozenset(others)
        return news

    def next_change(self, now: float) -> float:
        """When there is news by time alone."""
        times = [since + DETOUR_SECONDS for _, since in self._since.values()]
        return min((due for due in times if due > now), default=math.inf)

    def _update(self, seats: Collection[Seat], now: float) -> None:
        """A seat that is not reached at all is told in other words: what was told of it before
        stays, and what was not is forgotten. A seat that ends is reached for a moment through
        another one that has not noticed yet."""
        linked = self.reachability.linked
        self._since = {
            seat: found
            for seat, found in self._since.items()
            if seat in seats and seat not in linked
        }
        for seat in seats:
            if seat in linked:
                continue
            match sorted(self.reachability.find_ways(seat)):
                case []:
                    if not any(seat in others for others in self._told.values()):
                        self._since.pop(seat, None)
                case [between]:
                    if seat not in self._since or self._since[seat][0] != between:
                        self._since[seat] = (between, now)
                case _:  # more than one way
                    self._since.pop(seat, None)
