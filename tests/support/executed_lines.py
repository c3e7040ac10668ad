"""How much work something is, as a count that is the same on every machine."""

import sys
from collections.abc import Callable
from types import FrameType


def executed_lines(work: Callable[[], object]) -> int:
    """How many lines of Python `work` executes. Each turn of a loop counts."""
    count, before = 0, sys.gettrace()

    def note(_frame: FrameType, event: str, _given: object) -> object:
        nonlocal count
        count += event == "line"
        return note

    sys.settrace(note)  # type: ignore[arg-type]
    try:
        work()
    finally:
        sys.settrace(before)
    return count
