"""A row of the benchmark: what is measured, against what, and what it should come to.

Scope: the types that rows, workers and reports share.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field

from bench.program import Program


@dataclass(frozen=True, slots=True)
class Sample:
    """One repetition."""

    figure: float
    """In the unit of its row."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """What the figure was worked out from, by name with the unit at its end. Parts belong to one
    machine at one moment; only the figure travels."""


class Missing(Exception):
    """The program that is measured cannot do what the row measures, or this machine cannot."""


Samples = Generator[Sample, None, None]
Measure = Callable[[Program, bool], Samples]
"""Prepares what it needs, then yields a sample whenever it is asked. The second argument: in a tiny
size, which shows only that it works. Raises Missing."""


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    """`group.what`; a group alone names all its rows."""
    what: str
    unit: str
    measure: Measure
    target: float | None = None
    is_floor: bool = False
    """The figure should be at least the target; otherwise at most."""
    aim: float | None = None
    repetitions: int = 7
    is_usual: bool = True
    """Otherwise it is measured only if it is named, as it takes many minutes."""

    def is_met_by(self, figure: float) -> bool:
        if self.target is None:
            return True
        return figure >= self.target if self.is_floor else figure <= self.target


@dataclass(frozen=True, slots=True)
class Spread:
    median: float
    lower: float
    """Quartiles."""
    upper: float


def spread(figures: list[float]) -> Spread:
    if len(figures) < 2:
        return Spread(figures[0], figures[0], figures[0])
    lower, median, upper = statistics.quantiles(figures, n=4, method="inclusive")
    return Spread(median, lower, upper)
