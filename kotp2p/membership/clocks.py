"""Who is late and who is gone: the clocks of one peer (PROTOCOL.md 9.2).

All of this is local: two peers may see a seat late at different moments, and nothing is played
for anybody. A clock runs while its seat owes something. The turn's clock holds for all decisions
of the active monster's turn together, the reaction clock for each decision of the others; what
programs do by themselves (openings, shares) has `AUTOMATIC`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from kotp2p.wire.genesis import Clocks
from referee.model.answers import Seat

PROGRAM_ANSWER_SECONDS = 30.0
VOTE_AFTER_SECONDS = 60.0
"""Seconds between being late, or gone, and the vote of the others."""
MAX_PAUSE_SECONDS = 600.0
"""The longest pause."""
MAX_TICK_SECONDS = 5.0
"""The longest time that counts at once: what passes between two ticks of a machine that was
stopped is nobody's."""

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Owing:
    """What is owed at a place, as far as clocks care."""

    place: Place
    seats: tuple[Seat, ...]
    turn: int
    active: Seat
    decides: bool
    """A decision of one seat; otherwise programs answer by themselves."""


@dataclass(slots=True)
class SeatClocks:
    clocks: Clocks
    gone_since: dict[Seat, float] = field(default_factory=dict)
    """Seats without a word, and since when."""
    paused_until: dict[Seat, float] = field(default_factory=dict)
    """Who has stopped the clocks, and until when."""
    _owing: Owing | None = None
    _spent: dict[Seat, float] = field(default_factory=dict)
    """Seconds that each seat has owed something, at this place."""
    _turn_spent: float = 0.0
    """Seconds of the active monster's decisions of this turn."""
    _last: float = 0.0

    def start(self, now: float) -> None:
        self._last = now

    def update(self, owing: Owing, now: float) -> None:
        """What is owed now; the time since the last look was spent on what was owed then."""
        passed, self._last = min(now - self._last, MAX_TICK_SECONDS), now
        before = self._owing
        if before is not None and not self.paused_until:
            for seat in before.seats:
                self._spent[seat] = self._spent.get(seat, 0.0) + passed
                if before.decides and seat == before.active:
                    self._turn_spent += passed
        if before is None or owing.turn != before.turn:
            self._turn_spent = 0.0
        if before is None or owing.place != before.place:
            self._spent.clear()
        self._owing = owing

    def seconds_over(self, seat: Seat) -> float:
        """Seconds since the clock of a seat that owes something has run out; negative before."""
        owing = self._owing
        assert owing is not None
        spent = self._spent.get(seat, 0.0)
        if not owing.decides:
            return spent - PROGRAM_ANSWER_SECONDS
        if seat != owing.active:
            return spent - (self.clocks.reaction or math.inf)
        # Who has used up a turn's time and is there again gets time for each further decision.
        here = spent - (self.clocks.reaction or PROGRAM_ANSWER_SECONDS)
        return min(here, self._turn_spent - (self.clocks.turn or math.inf))

    def late_seats(self) -> list[Seat]:
        owing = self._owing
        assert owing is not None
        return [seat for seat in owing.seats if self.seconds_over(seat) >= 0]

    def votable_seats(self, now: float) -> list[Seat]:
        """Whose absence may be voted on: late or gone for longer than the grace time."""
        owing = self._owing
        assert owing is not None
        return [
            seat
            for seat in owing.seats
            if self.seconds_over(seat) >= VOTE_AFTER_SECONDS
            or now >= self.gone_since.get(seat, math.inf) + VOTE_AFTER_SECONDS
        ]

    def note_gone(self, gone: Mapping[Seat, float], now: float) -> tuple[list[Seat], list[Seat]]:
        """Who has gone, and who has returned since the last time."""
        new = [seat for seat in gone if seat not in self.gone_since]
        back = [seat for seat in self.gone_since if seat not in gone]
        self.gone_since = {seat: self.gone_since.get(seat, now) for seat in gone}
        return new, back

    def end_expired_pauses(self, now: float) -> list[Seat]:
        """Those that have lasted as long as they may."""
        ended = [seat for seat, until in self.paused_until.items() if now >= until]
        for seat in ended:
            del self.paused_until[seat]
        return ended

    def next_change(self, now: float) -> float:
        """When something of the above changes, if nothing happens."""
        times = [since + VOTE_AFTER_SECONDS for since in self.gone_since.values()] + list(
            self.paused_until.values()
        )
        owing = self._owing
        if owing is not None and not self.paused_until:
            for seat in owing.seats:
                over = self.seconds_over(seat)
                times += [now - over, now - over + VOTE_AFTER_SECONDS]
        return min((t for t in times if t > now), default=math.inf)
