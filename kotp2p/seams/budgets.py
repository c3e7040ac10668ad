"""What one remote seat, or one stranger, may cost this process (PROTOCOL.md 9.9).

Scope: work in units, relays and notices. The time comes in as an argument.
Not here: what is done once a budget is spent. A link is then not read (`kotp2p.net.links`), proofs
wait (`kotp2p.peer.intake`), news is not passed on (`kotp2p.mesh.gossip`), and notices are
told later, as one (`kotp2p.mesh.pace`).

How it works: work is done first and charged then, so a budget may go into debt. A seat has one
budget for the whole game, which no new link renews. A stranger has one for each link.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

BYTES_OF_UNIT = 4096
"""A frame costs one unit of work, and one more for each of this many bytes."""
PART_UNITS = 1 / 16
"""What a record of TLS costs that completes no frame. A frame could come byte by byte, and each
costs a decryption and a turn of the loop."""
JUDGING_UNITS = 16
"""What it costs to judge a proof for the first time: signatures, and some steps of the game."""
SEAT_UNITS = 2048
"""Work that a seat may cost at once."""
SEAT_UNITS_PER_SECOND = 512
"""A seat that answers a request for missing bodies sends 512 of them a second."""
STRANGER_UNITS = 128
"""Work that a stranger may cost at once: a lobby, and the start of a game."""
STRANGER_UNITS_PER_SECOND = 16
RELAYS_AT_ONCE = 16
"""Heads, wishes and addresses of a seat that are passed on to others at once."""
RELAYS_PER_SECOND = 1.0
NOTICES_AT_ONCE = 6
"""Notices that a seat may cause at once, of those that it can cause as often as it likes."""
NOTICES_PER_SECOND = 0.1
SEATS_AT_ONCE = 8
"""Seats of a lobby that the guests of one network may take at once: a whole table, and some of
them again."""
SEATS_PER_SECOND = 0.1
STARTS_AT_ONCE = 8
"""Starts that a program follows, or makes without its player, at once: one more for each seat that
does not follow."""
STARTS_PER_SECOND = 0.1
WISHES_AT_ONCE = 8
"""Changes of name, monster and mark that a player of a lobby may make at once."""
WISHES_PER_SECOND = 0.2
LOBBIES_READ_AT_ONCE = 48
LOBBIES_READ_PER_SECOND = 1.0


ROUNDING_UNITS = 1e-6
"""What may be missing because times are rounded. Without it, units might be missing at the very
time that `next_time` has returned."""


@dataclass(slots=True)
class Allowance:
    """Units that come back with time."""

    capacity: float
    per_second: float
    _left: float = field(init=False)
    _at: float = -math.inf
    """When `_left` was right."""

    def __post_init__(self) -> None:
        self._left = self.capacity

    def charge(self, units: float, now: float) -> None:
        """Take units away, also more than are left."""
        self._left, self._at = self._left_at(now) - units, max(now, self._at)

    def has(self, units: float, now: float) -> bool:
        return self._left_at(now) >= units - ROUNDING_UNITS

    def take(self, units: float, now: float) -> bool:
        """Take units away if that many are left; return whether they were."""
        has_units = self.has(units, now)
        if has_units:
            self.charge(units, now)
        return has_units

    def next_time(self, units: float, now: float) -> float:
        """Return when `units` units will be there: `now` if they are."""
        missing = units - self._left_at(now)
        return now if missing <= ROUNDING_UNITS else now + missing / self.per_second

    def _left_at(self, now: float) -> float:
        if now <= self._at:
            return self._left
        return min(self.capacity, self._left + (now - self._at) * self.per_second)


@dataclass(frozen=True, slots=True)
class Budget:
    """What one seat or stranger may cost."""

    work: Allowance
    relays: Allowance = field(default_factory=lambda: Allowance(RELAYS_AT_ONCE, RELAYS_PER_SECOND))
    notices: Allowance = field(
        default_factory=lambda: Allowance(NOTICES_AT_ONCE, NOTICES_PER_SECOND)
    )

    @staticmethod
    def for_seat() -> Budget:
        return Budget(Allowance(SEAT_UNITS, SEAT_UNITS_PER_SECOND))

    @staticmethod
    def for_stranger() -> Budget:
        return Budget(Allowance(STRANGER_UNITS, STRANGER_UNITS_PER_SECOND))


def units_of_frame(size: int) -> int:
    """Return the units that a frame of `size` bytes costs by itself."""
    return 1 + size // BYTES_OF_UNIT


def pace_of_lobbies() -> Allowance:
    """Make the allowance of lobby changes that a guest reads.

    A host sends fewer, also right after a stall.
    """
    return Allowance(LOBBIES_READ_AT_ONCE, LOBBIES_READ_PER_SECOND)


def pace_of_wishes() -> Allowance:
    """Make the allowance of wishes; each change is sent to everybody in the lobby."""
    return Allowance(WISHES_AT_ONCE, WISHES_PER_SECOND)


def pace_of_starts() -> Allowance:
    """Make the allowance of starts; each costs a seed on the disk, and a signature."""
    return Allowance(STARTS_AT_ONCE, STARTS_PER_SECOND)


def pace_of_declined_starts() -> Allowance:
    """Make the allowance of notices about starts that are not the lobby."""
    return Allowance(NOTICES_AT_ONCE, NOTICES_PER_SECOND)
