"""Which transitions of a state table the code has really followed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TypeVar
from unittest.mock import patch

from kotp2p.state_table import Phase, StateTable

S = TypeVar("S", bound=StrEnum)
E = TypeVar("E", bound=StrEnum)


@contextmanager
def followed(table: StateTable[S, E]) -> Iterator[set[tuple[str, str]]]:
    """Collects (state, event) of each transition of `table` that happens within."""
    seen: set[tuple[str, str]] = set()
    move = Phase[StrEnum, StrEnum].move

    def noted(phase: Phase[StrEnum, StrEnum], event: StrEnum) -> StrEnum:
        if phase.table.name == table.name:
            seen.add((phase.state, event))
        return move(phase, event)

    with patch.object(Phase, "move", noted):
        yield seen


def transitions(table: StateTable[S, E]) -> set[tuple[str, str]]:
    return {(state, event) for state, events in table.transitions.items() for event in events}
