"""The time that a player has left, in words."""

from __future__ import annotations

import math

from kotp2p.cli.text.i18n import _, number, plural


def describe_time_left(seconds: float, limit: int) -> str:
    """For the row of the question."""
    if seconds <= 0:
        return _("time is up")
    left = minutes_and_seconds(seconds)
    return _("{left} left of {limit}", left=left, limit=minutes_and_seconds(limit))


def describe_warning(seconds: int) -> str:
    return plural(
        "You have {n} second left. After that the others may soon let a bot play for you.",
        "You have {n} seconds left. After that the others may soon let a bot play for you.",
        seconds,
    )


def describe_time_up() -> str:
    """In place of the warning, which is not true any more."""
    return _("Your time is up. Your answer still counts, until a bot plays for you.")


def minutes_and_seconds(seconds: float) -> str:
    """`1:05`; a second that has begun counts."""
    whole = math.ceil(seconds)
    return number(f"{whole // 60}:{whole % 60:02}")
