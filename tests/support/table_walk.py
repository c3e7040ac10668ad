"""Which transitions of the state tables the code takes."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TypeVar
from unittest.mock import patch

from kotp2p.seams.cores import Phase, StateTable

Taken = set[tuple[StrEnum, StrEnum]]


@contextmanager
def noted() -> Iterator[dict[str, Taken]]:
    """The transitions that the code takes meanwhile, by the name of their table."""
    taken: dict[str, Taken] = {}
    move = Phase.move

    def noting(phase: Phase[StrEnum, StrEnum], event: StrEnum) -> StrEnum:
        before = phase.state
        after = move(phase, event)
        taken.setdefault(phase.table.name, set()).add((before, event))
        return after

    with patch.object(Phase, "move", noting):
        yield taken


S = TypeVar("S", bound=StrEnum)
E = TypeVar("E", bound=StrEnum)


def transitions(table: StateTable[S, E]) -> Taken:
    return {(state, event) for state, events in table.transitions.items() for event in events}
