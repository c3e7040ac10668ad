"""The lobby as its host has told it to a guest last.

Scope: what the guest has seen, since when, and how often a host may change it.
Not here: whether a lobby is false (`kotp2p.lobby.agreement`), and what follows from a change
(`kotp2p.lobby.guest`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from kotp2p.lobby.agreement import FalseLobby
from kotp2p.seams.budgets import Allowance, pace_of_lobbies
from kotp2p.wire.frames import Lobby, TakenSeat


@dataclass(slots=True)
class SeenLobby:
    key: bytes
    """That of the guest."""
    lobby: Lobby | None = None
    """None before the host has told any."""
    changed_at: float = math.inf
    """When something changed that a start would say. Marks are nothing of that kind."""
    _pace: Allowance = field(default_factory=pace_of_lobbies)

    @property
    def taken_seats(self) -> tuple[TakenSeat, ...]:
        return () if self.lobby is None else self.lobby.taken_seats

    @property
    def own(self) -> TakenSeat | None:
        return next((seat for seat in self.taken_seats if seat.owner == self.key), None)

    def take(self, lobby: Lobby, now: float) -> bool:
        """A lobby that is not false. Returns whether a start of the one before would be another
        one. Raises FalseLobby if the lobby changes without end."""
        before = self.lobby
        if lobby == before:
            return False
        if not self._pace.take(1, now):
            raise FalseLobby("a lobby that changes without end")
        self.lobby = lobby
        if before is not None and lobby.id == before.id:
            return False
        self.changed_at = now
        return True
