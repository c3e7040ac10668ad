"""What is wrong with a file, as far as it matters for what is lost and what to do.

Not here: the exceptions that carry it (`kotp2p.world.FileTrouble`), and the sentences, which `cli`
has.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath


class FaultOfFile(StrEnum):
    SYSTEM = "system"
    """The system does not read or write it."""
    CONTENT = "content"
    """It does not hold what it should."""
    UNBEGUN = "unbegun"
    """It is the log of a game, and says nothing: the game was broken off as it began, or the log is
    lost."""
    EARLIER = "earlier"
    """An earlier version of the program has written it, in a form that this one does not read."""
    NEWER = "newer"


@dataclass(frozen=True, slots=True)
class FileFault:
    path: PurePath
    detail: str
    """Technical, in English."""
    kind: FaultOfFile = FaultOfFile.CONTENT
    error: int = 0
    """The `errno` of the system."""

    def __str__(self) -> str:
        return f"{self.path}: {self.detail}"
