"""The time that a player has left, in words."""

from __future__ import annotations

import math

from cli.text.i18n import _, number, plural


def describe_time_left(seconds: float, limit: int, *, is_stopped: bool) -> str:
    """For the row of the question."""
    if seconds <= 0:
        return _("time is up")
    left = minutes_and_seconds(seconds)
    if is_stopped:
        return _("{left} left, clock stopped", left=left)
    return _("{left} left of {limit}", left=left, limit=minutes_and_seconds(limit))


def describe_warning(seconds: int) -> str:
    return plural(
        "You have {n} second left. After that the others may soon vote to go on without you.",
        "You have {n} seconds left. After that the others may soon vote to go on without you.",
        seconds,
    )


def describe_time_up() -> str:
    """In place of the warning, which is not true any more."""
    return _("Your time is up. Your answer still counts, until the others go on without you.")


def minutes_and_seconds(seconds: float) -> str:
    """`1:05`; a second that has begun counts."""
    whole = math.ceil(seconds)
    return number(f"{whole // 60}:{whole % 60:02}")
