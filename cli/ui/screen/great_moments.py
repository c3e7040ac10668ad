"""Moments that fill the table for a second: into Tokyo, a heavy hit, a fall, a victory.

Scope: which events are such moments, and the sentence of the log that belongs to each.
Not here: their rows (`moment_rows`), how long a moment stands and which key ends it (`stage`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kotp2p.cli.pictures.portraits import Mood
from kotp2p.cli.text.story import LineKind, ToldLine
from kotp2p.cli.ui.steps import HEAVY_HIT
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.events import Eliminated, EnteredTokyo, Event, GameEnded, HeartsLost


@dataclass(frozen=True, slots=True)
class Moment:
    kind: LineKind
    who: tuple[tuple[Seat, Mood], ...]
    """Whose portraits are shown, and how they look."""
    words: str = ""
    """The sentence of the log; empty until it is told."""


@dataclass
class GreatMoments:
    is_on: bool = False
    shown: Moment | None = None
    """It fills the table, once its words are there."""

    def note_events(self, events: Sequence[Event]) -> None:
        """Begin the moment of these events. Any event ends the one before."""
        self.shown = find_moment(events) if self.is_on else None

    def note_lines(self, lines: Sequence[str]) -> None:
        """Take the sentence of the moment from what is told about its events."""
        if self.shown is None or self.shown.words:
            return
        told = [line for line in lines if isinstance(line, ToldLine)]
        fitting = [line for line in told if line.kind is self.shown.kind]
        self.shown = replace(self.shown, words=str(fitting[-1])) if fitting else None

    def end(self) -> None:
        self.shown = None


def find_moment(events: Sequence[Event]) -> Moment | None:
    """Return the greatest moment among these events; None if there is none."""
    fallen: list[Seat] = []
    entered: Seat | None = None
    for event in events:
        match event:
            case GameEnded(winners=winners) if winners:
                who = tuple((seat, Mood.WINNING) for seat in winners)
                return Moment(LineKind.POINTS, who)
            case Eliminated(seat=seat):
                fallen.append(seat)
            case EnteredTokyo(seat=seat):
                entered = seat
            case _:  # nothing to stand still for, or a hit, which is looked for below
                pass
    if fallen:
        return Moment(LineKind.DAMAGE, tuple((seat, Mood.HURT) for seat in fallen))
    hit = _find_heavy_hit(events)
    if hit is not None or entered is None:
        return hit
    return Moment(LineKind.TOKYO, ((entered, Mood.CALM),))


def _find_heavy_hit(events: Sequence[Event]) -> Moment | None:
    """The attacker stands before those that are hit."""
    for heavy in events:
        if isinstance(heavy, HeartsLost) and heavy.amount >= HEAVY_HIT and heavy.dealer is not None:
            hit = [
                event.seat
                for event in events
                if isinstance(event, HeartsLost) and event.dealer == heavy.dealer
            ]
            victims = dict.fromkeys(seat for seat in hit if seat != heavy.dealer)
            who = ((heavy.dealer, Mood.CALM), *((seat, Mood.HURT) for seat in victims))
            return Moment(LineKind.DAMAGE, who)
    return None
