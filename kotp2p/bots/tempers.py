"""How bots differ: their names, the tempers of `easy` that go with them, and their chance.

Scope: values, and a stream of numbers that follows from its key alone. An `easy` bot has the temper
of its name, so every player can recognize it, also in a game that is resumed. Not here: the dice of
the game, which come from all players (`kotp2p.wire.crypto`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from kotp2p.referee.model.answers import Face
from kotp2p.wire.names import is_free_name_of

# -- tempers -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Temper:
    """What `easy` likes and fears. The other levels judge alike."""

    favourite: Face | None = None
    heals_below: int = 7
    """With fewer hearts it keeps the hearts that it rolls."""
    leaves_at: int = 5
    """It leaves Tokyo with this many hearts or fewer after a blow."""


EVEN = Temper()
BUILDER = Temper(Face.BOLT)
BRAWLER = Temper(Face.CLAW, heals_below=5, leaves_at=3)
CAREFUL = Temper(Face.THREE, heals_below=9, leaves_at=7)

BOTS: Mapping[str, Temper] = {
    "Otto": BUILDER,
    "Nina": BRAWLER,
    "Pip": CAREFUL,
    "Momo": BUILDER,
    "Kira": BRAWLER,
    "Bela": CAREFUL,
}
"""The names of bots, in the order in which they come to a table, and the temper of each."""


@lru_cache
def temper_of(name: str) -> Temper:
    """Return the temper of the bot of this name, also with a number after the name."""
    return next((BOTS[bot] for bot in BOTS if is_free_name_of(bot, name)), EVEN)


# -- chance for bots: SHA-256 in counter mode ----------------------------------------------


class Noise:
    """A stream of numbers that is a function of the parts of its key."""

    def __init__(self, *key: bytes) -> None:
        # Hashing each part by itself makes ("a", "bc") and ("ab", "c") two different streams.
        self._key = sha256(b"".join(sha256(part).digest() for part in key)).digest()
        self._count = 0

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound` - 1.

        Reducing 64 bits favours small numbers a little. For a matter of taste that does not count.
        """
        block = sha256(self._key + self._count.to_bytes(8, "big")).digest()
        self._count += 1
        return int.from_bytes(block[:8], "big") % bound

    def percent(self, chance: int) -> bool:
        """Return True in `chance` of 100 cases."""
        return self.below(100) < chance
