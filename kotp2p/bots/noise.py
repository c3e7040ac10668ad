"""Chance for bots: a stream of numbers that follows from its key alone.

Scope: SHA-256 in counter mode.
Not here: the dice of the game; they come from all players (`kotp2p.wire.crypto`).
"""

from __future__ import annotations

from hashlib import sha256


class Noise:
    """A stream of numbers that is a function of the parts of its key."""

    def __init__(self, *key: bytes) -> None:
        # Hashing each part by itself makes ("a", "bc") and ("ab", "c") two different streams.
        self._key = sha256(b"".join(sha256(part).digest() for part in key)).digest()
        self._count = 0

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1.

        Reducing 64 bits favours small numbers a little. For a matter of taste that does not count.
        """
        block = sha256(self._key + self._count.to_bytes(8, "big")).digest()
        self._count += 1
        return int.from_bytes(block[:8], "big") % bound

    def percent(self, chance: int) -> bool:
        """True in `chance` of 100 cases."""
        return self.below(100) < chance
