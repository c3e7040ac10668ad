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

AUTOMATIC = 30.0
GRACE = 60.0
"""Seconds between being late, or gone, and the vote of the others."""
PAUSE = 600.0
"""The longest pause."""
STEP = 5.0
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
class Attendance:
    clocks: Clocks
    gone: dict[Seat, float] = field(default_factory=dict)
    """Seats without a word, and since when."""
    pauses: dict[Seat, float] = field(default_factory=dict)
    """Who has stopped the clocks, and until when."""
    _owing: Owing | None = None
    _spent: dict[Seat, float] = field(default_factory=dict)
    """Seconds that each seat has owed something, at this place."""
    _turn_spent: float = 0.0
    """Seconds of the active monster's decisions of this turn."""
    _last: float = 0.0

    def begin(self, now: float) -> None:
        self._last = now

    def look(self, owing: Owing, now: float) -> None:
        """What is owed now; the time since the last look was spent on what was owed then."""
        passed, self._last = min(now - self._last, STEP), now
        before = self._owing
        if before is not None and not self.pauses:
            for seat in before.seats:
                self._spent[seat] = self._spent.get(seat, 0.0) + passed
                if before.decides and seat == before.active:
                    self._turn_spent += passed
        if before is None or owing.turn != before.turn:
            self._turn_spent = 0.0
        if before is None or owing.place != before.place:
            self._spent.clear()
        self._owing = owing

    def over(self, seat: Seat) -> float:
        """Seconds since the clock of a seat that owes something has run out; negative before."""
        owing = self._owing
        assert owing is not None
        spent = self._spent.get(seat, 0.0)
        if not owing.decides:
            return spent - AUTOMATIC
        if seat != owing.active:
            return spent - (self.clocks.reaction or math.inf)
        # Who has used up a turn's time and is there again gets time for each further decision.
        here = spent - (self.clocks.reaction or AUTOMATIC)
        return min(here, self._turn_spent - (self.clocks.turn or math.inf))

    def late(self) -> list[Seat]:
        owing = self._owing
        assert owing is not None
        return [seat for seat in owing.seats if self.over(seat) >= 0]

    def votable(self, now: float) -> list[Seat]:
        """Whose absence may be voted on: late or gone for longer than the grace time."""
        owing = self._owing
        assert owing is not None
        return [
            seat
            for seat in owing.seats
            if self.over(seat) >= GRACE or now >= self.gone.get(seat, math.inf) + GRACE
        ]

    def note_gone(self, gone: Mapping[Seat, float], now: float) -> tuple[list[Seat], list[Seat]]:
        """Who has gone, and who has returned since the last time."""
        new = [seat for seat in gone if seat not in self.gone]
        back = [seat for seat in self.gone if seat not in gone]
        self.gone = {seat: self.gone.get(seat, now) for seat in gone}
        return new, back

    def end_pauses(self, now: float) -> list[Seat]:
        """Those that have lasted as long as they may."""
        ended = [seat for seat, until in self.pauses.items() if now >= until]
        for seat in ended:
            del self.pauses[seat]
        return ended

    def due(self, now: float) -> float:
        """When something of the above changes, if nothing happens."""
        times = [since + GRACE for since in self.gone.values()] + list(self.pauses.values())
        owing = self._owing
        if owing is not None and not self.pauses:
            for seat in owing.seats:
                over = self.over(seat)
                times += [now - over, now - over + GRACE]
        return min((t for t in times if t > now), default=math.inf)
