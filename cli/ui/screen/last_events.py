"""What the events that were shown last have changed: dice, hearts, and who has hit whom.

Scope: what the table shows beside its values, and only until the next events are shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from kotp2p.referee.model.answers import Face, Seat
from kotp2p.referee.model.events import (
    DiceRolled,
    DieChanged,
    Eliminated,
    Event,
    HeartsGained,
    HeartsLost,
    HeartsReachedZero,
    TurnStarted,
    YieldAnswered,
)

AFTER_A_BLOW = (YieldAnswered, HeartsReachedZero, Eliminated)
"""Events that a blow leads to: as long as nothing else comes, the table goes on to show it."""


@dataclass(frozen=True, slots=True)
class Blow:
    """One monster takes hearts from others."""

    dealer: Seat
    losses: tuple[tuple[Seat, int], ...]
    """Each monster that was hit, and the hearts that it lost."""


@dataclass
class LastEvents:
    rolled: frozenset[int] = frozenset()
    """The positions of the dice that the last roll of this turn has moved."""
    hearts: Counter[Seat] = field(default_factory=Counter)
    """Hearts that each monster has just gained, or lost if negative."""

    blow: Blow | None = None

    def note_events(self, events: Sequence[Event]) -> None:
        if not all(isinstance(event, AFTER_A_BLOW) for event in events):
            self.hearts, self.blow = Counter(), None
        for event in events:
            match event:
                case DiceRolled(positions=positions):
                    self.rolled = frozenset(positions)
                case DieChanged(position=position):
                    self.rolled = frozenset({position})
                case TurnStarted():
                    self.rolled = frozenset()
                case HeartsLost(seat=seat, amount=amount, dealer=dealer):
                    self.hearts[seat] -= amount
                    if dealer is not None and dealer != seat:
                        self._note_blow(dealer, seat, amount)
                case HeartsGained(seat=seat, amount=amount):
                    self.hearts[seat] += amount
                case _:  # what else happens is seen in the values and in the log
                    pass

    def forget_blow(self) -> None:
        """It is over, though no event says so."""
        self.hearts, self.blow = Counter(), None

    def _note_blow(self, dealer: Seat, seat: Seat, amount: int) -> None:
        """Of several attackers at once the last one stays."""
        before = self.blow.losses if self.blow and self.blow.dealer == dealer else ()
        losses = dict(before)
        losses[seat] = losses.get(seat, 0) + amount
        self.blow = Blow(dealer, tuple(losses.items()))

    def rolled_of(self, dice: Sequence[Face]) -> frozenset[int]:
        """The dice that were rolled last while others were kept; none if all were rolled."""
        is_part = 0 < len(self.rolled) < len(dice) and max(self.rolled) < len(dice)
        return self.rolled if is_part else frozenset()
