"""Copies that differ though both are legal: an error of a program, never of a player.

Scope: both sides show their position, and the first difference is named (PROTOCOL.md 5.6).
Not here: what ends because of it (`kotp2p.peer.follower`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Differs
from kotp2p.game.steps import Finished
from kotp2p.mesh.gossip import Gossip
from kotp2p.notices import Diverged
from kotp2p.wire.frames_game import PositionShown
from referee.model.answers import Seat

POSITION_TIMEOUT_SECONDS = 5.0
"""How long the position of a seat whose digest is not ours is waited for."""


@dataclass(slots=True)
class Divergence:
    ledger: Ledger
    gossip: Gossip
    disputed_seat: Seat | None = None
    """The seat whose digest was not ours; None while all agree."""
    deadline: float = math.inf
    """When its position is waited for no longer."""

    def ask_for_position(self, fault: Differs, now: float) -> None:
        """Shows our position, which the others answer by theirs. Once is enough."""
        if self.disputed_seat is None:
            self.disputed_seat, self.deadline = fault.seat, now + POSITION_TIMEOUT_SECONDS
            numbers = tuple(value for _, value in self.ledger.game.position())
            self.gossip.broadcast(PositionShown(fault.height, numbers))

    def compare_position(self, source: Seat, shown: PositionShown) -> Diverged | None:
        """The first number that is not ours, with the name of its field; None if all are equal."""
        if shown.height != self.ledger.height or isinstance(self.ledger.step, Finished):
            return None
        ours = self.ledger.game.position()
        if self.disputed_seat is None:
            self.gossip.send(source, PositionShown(shown.height, tuple(v for _, v in ours)))
        # The ends are compared, too, so that a position with a field more or less differs.
        for (name, value), theirs in zip((*ours, ("end", -1)), (*shown.numbers, -1), strict=False):
            if value != theirs:
                return Diverged(source, name, str(value), str(theirs))
        return None

    def find_timeout(self, now: float) -> Diverged | None:
        """The difference without a field, once the time to show it is up."""
        if self.disputed_seat is None or now < self.deadline:
            return None
        return Diverged(self.disputed_seat, "", "", "")
