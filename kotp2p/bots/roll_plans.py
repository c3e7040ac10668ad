"""What the dice come to if they are kept as the bot would keep them.

Scope: arithmetic over counts of faces. A `RollPlan` takes from `Prospects` which dice are kept of
each roll to come. Along this policy it works out the exact mean of anything that a final roll
shows.
Not here: the game, and what final rolls are worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from kotp2p.bots.dice import MAX_FORESEEN_ROLLS, Counts, Lattice, Prospects
from kotp2p.referee.model.answers import Face

Valuation = Callable[[Counts], float]
"""What a final roll shows, as a number."""


class RollPlan:
    """Which dice are kept of each roll to come, with `rolls_left` of them after the next."""

    def __init__(self, size: int, rolls_left: int, worth: Valuation) -> None:
        self._lattice = lattice = Lattice(size)
        self._worth = worth
        self._rolls_left = min(rolls_left, MAX_FORESEEN_ROLLS)
        self._kept: list[list[int]] = []
        """By the rolls left after a roll, from 1 on: for each full roll the index of what is kept.
        """
        for left in range(1, self._rolls_left):
            prospects = Prospects(size, left, worth)
            self._kept.append(
                [
                    lattice.index[prospects.dice_to_keep(_spread(lattice.multisets[i]))]
                    for i in lattice.full
                ]
            )

    def mean_after_keeping(self, keep: Counts, value: Valuation) -> float:
        """The mean of `value` over the final rolls, if `keep` is kept now."""
        return self._means(value)[self._lattice.index[keep]]

    def best_of_less(self, counts: Counts) -> float:
        """The mean worth of the best way to roll one die of these or more."""
        means = self._means(self._worth)
        return max(means[self._lattice.index[keep]] for keep in _parts(counts))

    def _means(self, value: Valuation) -> list[float]:
        """The mean after keeping each multiset of the lattice."""
        lattice = self._lattice
        first = lattice.full.start
        final = [value(lattice.multisets[i]) for i in lattice.full]
        rolled = final
        means = [0.0] * first + final
        for left in range(self._rolls_left):
            if left:
                rolled = [means[kept] for kept in self._kept[left - 1]]
            means[first:] = rolled
            for i in range(first - 1, -1, -1):
                means[i] = sum([means[j] for j in lattice.more[i]]) / len(Face)
            means[first:] = final  # a seat that keeps everything stops rolling
        return means


def _spread(counts: Counts) -> list[Face]:
    return [face for face in Face for _ in range(counts[face])]


def _parts(counts: Counts) -> Iterator[Counts]:
    """All that can be kept of a roll, but not all of it."""
    for part in product(*[range(n + 1) for n in counts]):
        if part != counts:
            yield part
