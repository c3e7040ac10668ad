"""Dice that roll: for a few frames they show other faces than those that they have.

Scope: which faces stand in the boxes, by the number of the frame and not by a clock (`stage` steps
on). What they show is told when they lie still (`Screen.are_dice_rolling`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kotp2p.referee.model.answers import Face
from kotp2p.referee.model.events import DiceRolled, Event

FRAMES = 3
FRAME_SECONDS = 0.13
"""How long a frame stands there."""


@dataclass
class RollMotion:
    is_on: bool = False
    frames_left: int = 0
    positions: frozenset[int] = frozenset()
    """The dice that roll."""

    @property
    def is_moving(self) -> bool:
        return self.frames_left > 0

    def note_events(self, events: Sequence[Event]) -> None:
        """A roll begins to move; whatever else happens ends it."""
        rolls = [event for event in events if isinstance(event, DiceRolled)]
        self.frames_left = FRAMES if self.is_on and rolls else 0
        self.positions = frozenset(rolls[-1].positions) if rolls else frozenset()

    def step(self) -> None:
        """The next frame."""
        self.frames_left = max(0, self.frames_left - 1)

    def is_rolling(self, position: int) -> bool:
        return self.is_moving and position in self.positions

    def face_shown(self, face: Face, position: int) -> Face:
        """Never its own face while it moves, and another one in each frame."""
        if not self.is_rolling(position):
            return face
        return Face((face + self.frames_left + position % 2) % len(Face))
