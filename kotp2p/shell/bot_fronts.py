"""The bots that answer in this process: those of its own table, and those for absent players.

Scope: which front answers for a seat that this process keeps beside its own.
Not here: which seat the game asks (`kotp2p.peer`), and how a bot chooses (`kotp2p.bots`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from kotp2p.bots import make_bot
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.front import Front
from kotp2p.wire.genesis import Player

LEVEL_OF_ABSENT = "normal"
"""How well a bot plays for a player who is away."""
LEVEL_UNKNOWN = "normal"
"""How well the bots of a resumed game play: their earlier level is in no file."""


class BotFactory(Protocol):
    """Makes a front that plays."""

    def __call__(self, level: str, entropy: bytes) -> Front: ...


@dataclass(slots=True)
class BotFronts:
    """One front for each kept seat, made when it is first asked."""

    entropy: Callable[[int], bytes]
    factory: BotFactory = make_bot
    level: str = LEVEL_UNKNOWN
    """Of the bots that this process has kept from the start."""
    _fronts: dict[Seat, Front] = field(default_factory=dict)

    def front_of(self, seat: Seat, player: Player) -> Front:
        """The front for a seat of another player, or of a bot of the genesis."""
        if seat not in self._fronts:
            is_own = player.keeper != seat
            level = self.level if is_own else LEVEL_OF_ABSENT
            self._fronts[seat] = self.factory(level, self.entropy(32))
        return self._fronts[seat]
