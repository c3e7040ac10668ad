"""What the wing has registered: its commands, and what it adds to sentences of the core.

Scope: the one place that knows where the wing would be. Without the wing everything here is empty.
Not here: the wing's own table (`cli.extras.table`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

PLACE = ("kotp2p.cli.extras", "table")


class Hint(Enum):
    """Where a sentence of the core goes on with one of the wing."""

    CANNOT_JOIN = auto()
    """Somebody cannot join the table at `address`."""
    NO_TABLE = auto()
    """No table was found on this network."""
    NO_LOG = auto()
    """No log was found by the words of its phrase."""
    NOT_PERMITTED = auto()
    """The system does not let this program read or write a file."""
    KEY_LOST = auto()
    """The file with the key of a player cannot be read."""
    NAME_LOST = auto()
    DRAW = auto()
    """The dice or cards of a draw are told; `log` and `record` say which."""
    FILES = auto()
    """The files of the data folder are listed."""


@dataclass(frozen=True, slots=True)
class Wing:
    """What a wing registers."""

    commands: Sequence[Any] = ()
    """Each a `CommandEntry`, of which this room knows nothing."""
    hints: Mapping[Hint, Callable[..., str]] = field(default_factory=dict)

    def say(self, hint: Hint, **fields: str) -> str:
        """Return the wing's sentence; empty if it has none."""
        describe = self.hints.get(hint)
        return "" if describe is None else describe(**fields)


@cache
def wing() -> Wing:
    """Return the wing that is installed, or an empty one."""
    package, table = PLACE
    if find_spec(package) is None:
        return Wing()
    found = import_module(f"{package}.{table}").WING
    assert isinstance(found, Wing)
    return found
