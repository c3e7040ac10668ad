"""The best dice to keep, by exact expectation over all rolls to come.

Scope: arithmetic over counts of faces. The worth of a final roll comes in as a function.
Not here: the game.

The dice are a multiset, written as six counts. The worth of all final rolls is known. From it two
figures follow, for one more reroll at a time. The first is the worth of keeping a multiset: the
mean over all ways to add the missing dice, one die after the other. The second is the best
multiset to keep out of a full roll: either all of it, or the best with one die less. Both walk the
same lattice of a few hundred multisets, so no subset is ever enumerated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from kotp2p.referee.model.answers import Face

Counts: TypeAlias = tuple[int, ...]
"""How many dice show each face, by face."""

MAX_FORESEEN_ROLLS = 3
"""Foreseeing more rerolls than this costs time and changes hardly an answer."""


def count_faces(dice: Sequence[Face]) -> Counts:
    """The multiset of `dice`."""
    counts = [0] * len(Face)
    for face in dice:
        counts[face] += 1
    return tuple(counts)


@lru_cache(maxsize=16)
class Lattice:
    """All multisets of up to `size` dice, smaller ones first.

    `more[i]` are the multisets with one die more than multiset i, one for each face; `less[i]` the
    multisets with one die less.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.multisets = [m for n in range(size + 1) for m in _all_multisets(n, len(Face))]
        self.index = {m: i for i, m in enumerate(self.multisets)}
        self.full = range(self._first_of(size), len(self.multisets))
        self.more = [
            [self.index[_with_one_changed(m, face, +1)] for face in Face] if sum(m) < size else []
            for m in self.multisets
        ]
        self.less = [
            [self.index[_with_one_changed(m, face, -1)] for face in Face if m[face]]
            for m in self.multisets
        ]

    def _first_of(self, dice: int) -> int:
        return next(i for i, m in enumerate(self.multisets) if sum(m) == dice)


def _all_multisets(dice: int, faces: int) -> Iterator[Counts]:
    if faces == 1:
        yield (dice,)
        return
    for first in range(dice + 1):
        for rest in _all_multisets(dice - first, faces - 1):
            yield (first, *rest)


def _with_one_changed(counts: Counts, face: int, change: int) -> Counts:
    return (*counts[:face], counts[face] + change, *counts[face + 1 :])


class Prospects:
    """The worth of keeping each multiset of dice, with `rolls_left` rerolls to come."""

    def __init__(self, size: int, rolls_left: int, worth: Callable[[Counts], float]) -> None:
        self._lattice = lattice = Lattice(size)
        self._final = [worth(lattice.multisets[i]) for i in lattice.full]
        self._kept = [0.0] * lattice.full.start + self._final
        self._best = list(self._kept)
        for _ in range(min(rolls_left, MAX_FORESEEN_ROLLS)):
            self._add_a_roll()

    def _add_a_roll(self) -> None:
        """Work out one more reroll: keep a multiset, roll the other dice, then play on well."""
        lattice, kept = self._lattice, self._kept
        first = lattice.full.start
        kept[first:] = self._best[first:]
        for i in range(first - 1, -1, -1):
            kept[i] = sum([kept[j] for j in lattice.more[i]]) / len(Face)
        kept[first:] = self._final  # a seat that keeps everything stops rolling
        best = self._best = list(kept)
        for i, fewer in enumerate(lattice.less):
            for j in fewer:
                if best[j] > best[i]:
                    best[i] = best[j]

    def worth(self, dice: Sequence[Face]) -> float:
        """The expected worth of having rolled `dice` and playing on well."""
        return self._best[self._lattice.index[count_faces(dice)]]

    def dice_to_keep(self, dice: Sequence[Face]) -> Counts:
        """The largest multiset out of `dice` that leads to the best expected worth."""
        lattice = self._lattice
        here = lattice.index[count_faces(dice)]
        best = self._best[here]
        while self._kept[here] < best:
            here = next(j for j in lattice.less[here] if self._best[j] == best)
        return lattice.multisets[here]


def positions_to_roll(dice: Sequence[Face], keep: Counts) -> tuple[int, ...]:
    """The positions of the dice that are not among those to keep."""
    left = list(keep)
    rolled = []
    for position, face in enumerate(dice):
        if left[face]:
            left[face] -= 1
        else:
            rolled.append(position)
    return tuple(rolled)
