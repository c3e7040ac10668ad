"""What the wing has registered: its commands, and what it adds to sentences of the core.

Scope: the one place that knows where the wing would be. Without the wing everything here is empty.
Not here: the wing's own table (`cli.extras.table`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cli.system.command_group import CommandEntry

PLACE = ("cli.extras", "table")


@dataclass(frozen=True, slots=True)
class Wing:
    """What a wing registers."""

    commands: Sequence[CommandEntry] = ()

    def has(self, command: str) -> bool:
        return any(entry.name == command for entry in self.commands)


@cache
def wing() -> Wing:
    """The wing that is installed, or an empty one."""
    package, table = PLACE
    if find_spec(package) is None:
        return Wing()
    found = import_module(f"{package}.{table}").WING
    assert isinstance(found, Wing)
    return found
