"""State machines as data: what has phases says its states and transitions in one table.

Scope: the type of such a table, and the place in one.
Not here: any table. Each stands beside the code that it is about, and docs/DESIGN.md shows the
drawings that `python -m tests.tools.design` makes of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

S = TypeVar("S", bound=StrEnum)
E = TypeVar("E", bound=StrEnum)


class NoTransition(Exception):
    """The table has no transition for this event in this state: a program error."""


@dataclass(frozen=True)
class StateTable(Generic[S, E]):
    """`transitions[state][event]` is the next state. A state without transitions is an end."""

    name: str
    start: S
    transitions: Mapping[S, Mapping[E, S]]


@dataclass(slots=True)
class Phase(Generic[S, E]):
    """A place in a table."""

    table: StateTable[S, E]
    state: S

    @classmethod
    def at_start(cls, table: StateTable[S, E]) -> Phase[S, E]:
        return cls(table, table.start)

    def allows(self, event: E) -> bool:
        return event in self.table.transitions[self.state]

    def move(self, event: E) -> S:
        """Follow `event` and return the new state; raise NoTransition if there is none."""
        try:
            self.state = self.table.transitions[self.state][event]
        except KeyError:
            raise NoTransition(f"{self.table.name}: {event} in {self.state}") from None
        return self.state
