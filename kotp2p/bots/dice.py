"""The best dice to keep, by exact expectation over all rolls to come.

Law: pure arithmetic over counts of faces; what a roll is worth comes in as a function, and
nothing here knows the game. The dice are a multiset, written as six counts. From the worth of
every full roll follow, one rerolling at a time: the mean of what keeping a multiset leads to
(adding the missing dice one by one), then the best multiset to keep out of a full roll (the
better of keeping all of it and the best out of one die less). Both walk the same lattice of a
few hundred multisets, so no subset is ever enumerated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from referee.model.answers import Face

Counts: TypeAlias = tuple[int, ...]
"""How many dice show each face, by face."""

MOST_ROLLS = 3
"""Looking further ahead than this changes nothing worth the time."""


def counted(dice: Sequence[Face]) -> Counts:
    counts = [0] * len(Face)
    for face in dice:
        counts[face] += 1
    return tuple(counts)


@lru_cache(maxsize=16)
class Lattice:
    """All multisets of up to `size` dice, smaller ones first."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.multisets = [m for n in range(size + 1) for m in _multisets(n, len(Face))]
        self.index = {m: i for i, m in enumerate(self.multisets)}
        self.full = range(self._first_of(size), len(self.multisets))
        self.more = [
            [self.index[_with(m, face, +1)] for face in Face] if sum(m) < size else []
            for m in self.multisets
        ]
        self.less = [
            [self.index[_with(m, face, -1)] for face in Face if m[face]] for m in self.multisets
        ]

    def _first_of(self, dice: int) -> int:
        return next(i for i, m in enumerate(self.multisets) if sum(m) == dice)


def _multisets(dice: int, faces: int) -> Iterator[Counts]:
    if faces == 1:
        yield (dice,)
        return
    for first in range(dice + 1):
        for rest in _multisets(dice - first, faces - 1):
            yield (first, *rest)


def _with(counts: Counts, face: int, change: int) -> Counts:
    return (*counts[:face], counts[face] + change, *counts[face + 1 :])


class Prospects:
    """What keeping each multiset of one's dice is worth, with so many rolls left."""

    def __init__(self, size: int, rolls_left: int, worth: Callable[[Counts], float]) -> None:
        self._lattice = lattice = Lattice(size)
        self._final = [worth(lattice.multisets[i]) for i in lattice.full]
        self._kept = [0.0] * lattice.full.start + self._final
        self._best = list(self._kept)
        for _ in range(min(rolls_left, MOST_ROLLS)):
            self._look_back()

    def _look_back(self) -> None:
        """One more roll to go: keep something, roll the rest, then play on as worked out."""
        lattice, kept = self._lattice, self._kept
        first = lattice.full.start
        kept[first:] = self._best[first:]
        for i in range(first - 1, -1, -1):
            kept[i] = sum([kept[j] for j in lattice.more[i]]) / len(Face)
        kept[first:] = self._final  # keeping everything means to stop
        best = self._best = list(kept)
        for i, fewer in enumerate(lattice.less):
            for j in fewer:
                if best[j] > best[i]:
                    best[i] = best[j]

    def worth(self, dice: Sequence[Face]) -> float:
        """Of standing here with these dice and playing on well."""
        return self._best[self._lattice.index[counted(dice)]]

    def keep(self, dice: Sequence[Face]) -> Counts:
        """The most dice that the best plan keeps."""
        lattice = self._lattice
        here = lattice.index[counted(dice)]
        best = self._best[here]
        while self._kept[here] < best:
            here = next(j for j in lattice.less[here] if self._best[j] == best)
        return lattice.multisets[here]


def positions_to_roll(dice: Sequence[Face], keep: Counts) -> tuple[int, ...]:
    """The positions that hold the dice beyond `keep`."""
    left = list(keep)
    rolled = []
    for position, face in enumerate(dice):
        if left[face]:
            left[face] -= 1
        else:
            rolled.append(position)
    return tuple(rolled)
