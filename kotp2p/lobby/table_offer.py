"""What a host offers: the game of its table, and for how many."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from kotp2p.referee.box.rulesets import Options
from kotp2p.wire.genesis import Clocks


@dataclass(frozen=True, slots=True)
class TableOffer:
    """What is played at a table, and by how many: fixed as long as its lobby is open."""

    rules: str
    seats: int
    options: Options = field(default_factory=Options)
    clocks: Clocks = field(default_factory=Clocks)
    start_when_full: bool = False
    kept_for: tuple[bytes, ...] = ()
    """A rematch: the key that each seat is kept for; empty for a bot's. One for each seat, or
    nothing."""
    energy_for_two: bool = False
    """Whether two players have the two-player option, though more could have sat down (A-114)."""

    def options_of(self, players: int) -> Options:
        """The options of a game of that many players."""
        if self.energy_for_two and players == 2:
            return replace(self.options, two_player=True)
        return self.options
