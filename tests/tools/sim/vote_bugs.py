"""What a bug is that is planted in the votes, and a table of such."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

Plant = Callable[[], AbstractContextManager[object]]


@dataclass(frozen=True, slots=True)
class VoteBug:
    rule: str
    words: str
    plant: Plant


def adding_to(bugs: dict[str, VoteBug]) -> Callable[[str, str], Callable[[Plant], Plant]]:
    """A decorator that adds a bug to a table by the name of its function."""

    def bug(rule: str, words: str) -> Callable[[Plant], Plant]:
        def add(plant: Plant) -> Plant:
            bugs[plant.__name__] = VoteBug(rule, words, plant)
            return plant

        return add

    return bug
