"""Wickedness: the track of the dark rule set (RULES.md 2.1, 2.2)."""

from __future__ import annotations

from referee.answers import Face, Seat
from referee.events import WickednessChanged
from referee.hooks import Rules
from referee.table import Table

TRACK_END = 10
WICKED = {Face.ONE: 2, Face.TWO: 1}
"""For each triple; threes give none."""


def grow_wicked(t: Table, face: Face, count: int) -> Rules[None]:
    """The marker moves with each triple and stops at the end of the track."""
    seat: Seat = t.state.active
    monster = t.active
    goal = min(TRACK_END, monster.wickedness + WICKED.get(face, 0) * (count // 3))
    if goal != monster.wickedness:
        t.record(WickednessChanged(seat, goal))
    yield from ()
