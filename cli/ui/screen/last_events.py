"""What the events that were shown last have changed: the dice that were rolled, hearts lost.

Scope: what the table shows beside its values, and only until the next events are shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.model.answers import Face, Seat
from referee.model.events import (
    DiceRolled,
    DieChanged,
    Event,
    HeartsGained,
    HeartsLost,
    TurnStarted,
)


@dataclass
class LastEvents:
    rolled: frozenset[int] = frozenset()
    """The positions of the dice that the last roll of this turn has moved."""
    hearts: Counter[Seat] = field(default_factory=Counter)
    """Hearts that each monster has just gained, or lost if negative."""

    def note_events(self, events: Sequence[Event]) -> None:
        self.hearts = Counter()
        for event in events:
            match event:
                case DiceRolled(positions=positions):
                    self.rolled = frozenset(positions)
                case DieChanged(position=position):
                    self.rolled = frozenset({position})
                case TurnStarted():
                    self.rolled = frozenset()
                case HeartsLost(seat=seat, amount=amount):
                    self.hearts[seat] -= amount
                case HeartsGained(seat=seat, amount=amount):
                    self.hearts[seat] += amount
                case _:  # what else happens is seen in the values and in the log
                    pass

    def rolled_of(self, dice: Sequence[Face]) -> frozenset[int]:
        """The dice that were rolled last while others were kept; none if all were rolled."""
        is_part = 0 < len(self.rolled) < len(dice) and max(self.rolled) < len(dice)
        return self.rolled if is_part else frozenset()
