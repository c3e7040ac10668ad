"""Chance for bots: a stream of numbers that follows from its key alone.

SHA-256 in counter mode. Not for dice: those come from all players (`kotp2p.wire.commitments`).
"""

from __future__ import annotations

from hashlib import sha256


class Noise:
    def __init__(self, *key: bytes) -> None:
        # Each part by its own hash, so that ("a", "bc") and ("ab", "c") are two streams.
        self._key = sha256(b"".join(sha256(part).digest() for part in key)).digest()
        self._count = 0

    def below(self, bound: int) -> int:
        """0 … bound-1; even enough for taste: the bias of 64 bits shows in no game."""
        block = sha256(self._key + self._count.to_bytes(8, "big")).digest()
        self._count += 1
        return int.from_bytes(block[:8], "big") % bound

    def percent(self, chance: int) -> bool:
        """True in `chance` of 100 cases."""
        return self.below(100) < chance
