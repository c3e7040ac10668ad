"""Copies that differ though both are legal: an error of a program, never of a player.

Both sides show their position and the first difference is named (PROTOCOL.md 5.6).
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
"""Seconds to wait for the position of a peer whose digest is not ours."""


@dataclass(slots=True)
class Divergence:
    ledger: Ledger
    gossip: Gossip
    seat: Seat | None = None
    """Whose digest was not ours; None while nobody's is."""
    deadline: float = math.inf

    def ask_for_position(self, fault: Differs, now: float) -> None:
        if self.seat is None:
            self.seat, self.deadline = fault.seat, now + POSITION_TIMEOUT_SECONDS
            numbers = tuple(value for _, value in self.ledger.game.position())
            self.gossip.broadcast(PositionShown(fault.height, numbers))

    def compare_position(self, source: Seat, shown: PositionShown) -> Diverged | None:
        """The first number that is not ours, with the name of its field."""
        if shown.height != self.ledger.height or isinstance(self.ledger.step, Finished):
            return None
        ours = self.ledger.game.position()
        if self.seat is None:
            self.gossip.send(source, PositionShown(shown.height, tuple(v for _, v in ours)))
        for (name, value), theirs in zip((*ours, ("end", -1)), (*shown.numbers, -1), strict=False):
            if value != theirs:
                return Diverged(source, name, str(value), str(theirs))
        return None

    def find_timeout(self, now: float) -> Diverged | None:
        """Nobody has shown a position in time."""
        if self.seat is None or now < self.deadline:
            return None
        return Diverged(self.seat, "", "", "")
