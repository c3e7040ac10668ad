"""The roster: the monsters of the box, the names of bots, and the chance that picks among them.

A module of its own, as settings, sentences and bots read it without a lobby. Not here: the dice of
the game, which come from all players (`kotp2p.wire.crypto`).
"""

from collections.abc import Collection
from hashlib import sha256

from kotp2p.wire.names import are_alike

MONSTERS = (
    "Gigazaur",
    "The King",
    "Alienoid",
    "Meka Dragon",
    "Kraken",
    "Cyber Bunny",
    "Cyber Kitty",
    "Space Penguin",
)
"""The monsters that can be chosen, the same in every rule set (A-113)."""
BOT_NAMES = ("Otto", "Nina", "Pip", "Momo", "Kira", "Bela")
"""In the order in which bots come to a table."""


def free_monster(wanted: str, taken: Collection[str]) -> str:
    """Return `wanted` if it is a free monster (in any case), else the first free one."""
    free = [monster for monster in MONSTERS if monster not in taken]
    for monster in free:
        if are_alike(monster, wanted):
            return monster
    return free[0]


class Noise:
    """A stream of numbers that is a function of the parts of its key."""

    def __init__(self, *key: bytes) -> None:
        # Hashing each part by itself makes ("a", "bc") and ("ab", "c") two different streams.
        self._key = sha256(b"".join(sha256(part).digest() for part in key)).digest()
        self._count = 0

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound` - 1; small ones are favoured a little."""
        block = sha256(self._key + self._count.to_bytes(8, "big")).digest()
        self._count += 1
        return int.from_bytes(block[:8], "big") % bound

    def percent(self, chance: int) -> bool:
        """Return True in `chance` of 100 cases."""
        return self.below(100) < chance
