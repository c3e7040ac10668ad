"""Runs a trio program the same way every time.

Law: everything that could differ between two runs is fixed here: trio's batches, its order of
tasks, the clock. The names of trio are private; if they are gone this fails loudly.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any
from unittest.mock import patch

import trio
import trio._core._run as scheduler

from tests.tools.sim.clock import SimClock

IO_MANAGER: Any = vars(scheduler)["TheIOManager"]


def polling_when_idle(clock: SimClock) -> Callable[[object, float], object]:
    """Return what asks the system for events only if nothing else is to be done."""
    poll = IO_MANAGER.get_events

    def poll_when_idle(manager: object, timeout: float) -> object:
        clock.note_round()
        return poll(manager, timeout) if timeout else []

    return poll_when_idle


def run_deterministically(
    main: Callable[[], Awaitable[None]], seed: object, clock: SimClock
) -> None:
    """Trio's own `MockClock` would wait here for ever: it jumps on an event that is not asked
    for."""
    assert hasattr(scheduler, "_ALLOW_DETERMINISTIC_SCHEDULING"), "trio has changed"
    with (
        patch.object(scheduler, "_ALLOW_DETERMINISTIC_SCHEDULING", True),
        patch.object(scheduler, "_r", Random(f"scheduler {seed}")),
        patch.object(IO_MANAGER, "get_events", polling_when_idle(clock)),
    ):
        trio.run(main, clock=clock)
