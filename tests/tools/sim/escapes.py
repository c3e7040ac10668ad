"""What escapes from a simulated process (I10)."""

from __future__ import annotations

from types import TracebackType

import trio

from tests.tools.sim.invariants import Invariants
from tests.tools.sim.life import Gone, Life


class Escapes:
    """Around a process: what escapes from it is a violation, except that it was killed."""

    def __init__(self, invariants: Invariants, life: Life) -> None:
        self.invariants, self.life = invariants, life

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        if fault is None or isinstance(fault, trio.Cancelled):
            return False
        group = BaseExceptionGroup("", [fault])
        cancelled, rest = group.split(trio.Cancelled)
        rest = rest.split(Gone)[1] if rest is not None else None
        if rest is not None:
            self.invariants.i10_isolation(self.life, rest)
        if cancelled is not None:
            raise cancelled
        return True
