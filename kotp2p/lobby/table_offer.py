"""What a host offers: the game of its table, and for how many."""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.wire.genesis import Clocks
from referee.box.setup import Options


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
