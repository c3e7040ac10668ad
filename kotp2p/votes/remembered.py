"""A value that is worked out from others, and kept while these stay the same.

Scope: one value each.
Not here: what it is worked out from. The caller names that, and MUST name all of it.

A seat asks what its votes forbid it after each frame. Most frames change nothing about votes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Remembered(Generic[T]):
    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: tuple[Hashable, T] | None = None

    def get(self, sources: Hashable, work_out: Callable[[], T]) -> T:
        """The value that belongs to `sources`; `work_out` is called if they have changed."""
        if self._known is None or self._known[0] != sources:
            self._known = (sources, work_out())
        return self._known[1]
