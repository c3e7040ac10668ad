"""What all adapters do alike with a table in memory: timing its rerolls and its longest pause.

Scope: it is given the names of a version, and imports none.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

import trio
import trio.testing

DELAY = 0.05
"""Virtual seconds of a hop."""


class Pauses(trio.abc.Instrument):
    """The longest step of a task. The first table of a process has longer ones, as it imports."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._since = 0.0

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        self._since = process_time()

    def after_task_step(self, task: trio.lowlevel.Task) -> None:
        self.longest = max(self.longest, process_time() - self._since)


def run_table(main: Callable[[], Any]) -> float:
    """Run under a virtual clock and return the CPU seconds of the longest pause."""
    pauses = Pauses()
    trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0), instruments=[pauses])
    return pauses.longest


def timed_front(recorder: Any, reroll: Any, happened: Any, dice_rolled: Any) -> Any:
    """Return a subclass of `recorder`, the front of a bot, that times its rerolls in hops."""

    class Timed(recorder):  # type: ignore[misc]
        def __init__(self, name: str, level: str) -> None:
            super().__init__(name, level)
            self.asked_at: float | None = None
            self.delays: list[float] = []

        async def decide(self, view: Any, decision: Any) -> Any:
            answer = await super().decide(view, decision)
            if isinstance(answer, reroll):
                self.asked_at = trio.current_time()
            return answer

        def show(self, notice: Any) -> None:
            super().show(notice)
            if isinstance(notice, happened) and self.asked_at is not None:
                rolled = [event for event in notice.events if isinstance(event, dice_rolled)]
                if rolled and rolled[0].seat == notice.view.seat:
                    self.delays.append((trio.current_time() - self.asked_at) / DELAY)
                    self.asked_at = None

    return Timed
