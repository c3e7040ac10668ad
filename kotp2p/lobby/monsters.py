"""The monsters of the box, and which of them a player gets."""

from __future__ import annotations

from collections.abc import Collection

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


def free_monster(wanted: str, taken: Collection[str]) -> str:
    """Return `wanted` if it is a free monster (in any case), else the first free one."""
    free = [monster for monster in MONSTERS if monster not in taken]
    for monster in free:
        if are_alike(monster, wanted):
            return monster
    return free[0]
