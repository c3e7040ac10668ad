"""The clocks of one peer: which seats are late, and when the others may vote (PROTOCOL.md 9.8).

Scope: seconds that seats have owed something, pauses, and the figures of both.
Not here: the links that a seat is heard over (`kotp2p.mesh.reachability`), and what is told of a
late seat (`presence`).

All of this is local. Two peers may see a seat late at different moments, and nothing is played
for anybody. A clock runs while its seat owes something. The turn's clock holds for all decisions
of the active monster's turn together, the reaction clock for each decision of the other seats.
What programs do by themselves (openings, shares, commitments) has `PROGRAM_ANSWER_SECONDS`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from kotp2p.wire.genesis import Clocks
from referee.model.answers import Seat

PROGRAM_ANSWER_SECONDS = 30.0
"""How long a program may take for what it signs without asking its player."""
VOTE_AFTER_SECONDS = 60.0
"""Seconds between being late, or gone, and the vote of the others."""
MAX_PAUSE_SECONDS = 600.0
MAX_TICK_SECONDS = 5.0
"""The longest time that counts between two updates. A machine that was suspended for an hour must
not find that all others were late for an hour."""

Place = tuple[int, int]
"""View and height."""


@dataclass(frozen=True, slots=True)
class Owing:
    """What is owed at a place, as far as clocks care."""

    place: Place
    seats: tuple[Seat, ...]
    turn: int
    active: Seat
    decides: bool
    """A decision of one seat is owed; otherwise programs answer by themselves."""


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """What a seat has left for a decision, in seconds."""

    seconds: float
    """Negative if the time is up."""
    limit: int
    """Of how many: those of a turn, or those of a single decision."""


@dataclass(slots=True)
class SeatClocks:
    clocks: Clocks
    gone_since: dict[Seat, float] = field(default_factory=dict)
    """When each seat that is gone was noticed to be."""
    paused_until: dict[Seat, float] = field(default_factory=dict)
    """The seats that have stopped the clocks."""
    _owing: Owing | None = None
    """What was owed at the last update; None before the first."""
    _spent: dict[Seat, float] = field(default_factory=dict)
    """Seconds that each seat has owed something, at this place."""
    _turn_spent: float = 0.0
    """Seconds of the active monster's decisions of this turn."""
    _updated_at: float = 0.0

    def start(self, now: float) -> None:
        self._updated_at = now

    def update(self, owing: Owing, now: float) -> None:
        """Says what is owed now. The time since the last update was spent on what was owed then."""
        passed, self._updated_at = min(now - self._updated_at, MAX_TICK_SECONDS), now
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
        # A player that has used up a turn's time and is there again gets time for each further
        # decision, or the others could vote at once for the rest of the turn.
        here = spent - (self.clocks.reaction or PROGRAM_ANSWER_SECONDS)
        return min(here, self._turn_spent - (self.clocks.turn or math.inf))

    def time_left(self, seat: Seat) -> TimeLeft | None:
        """None if the seat owes no decision, or one that has no limit."""
        owing = self._owing
        if owing is None or not owing.decides or seat not in owing.seats:
            return None
        over = self.seconds_over(seat)
        if math.isinf(over):
            return None
        in_turn = seat == owing.active and over == self._turn_spent - self.clocks.turn
        return TimeLeft(-over, self.clocks.turn if in_turn else self.clocks.reaction)

    def late_seats(self) -> list[Seat]:
        owing = self._owing
        assert owing is not None
        return [seat for seat in owing.seats if self.seconds_over(seat) >= 0]

    def votable_seats(self, now: float) -> list[Seat]:
        """The seats whose absence may be voted on: they owe something, and have been late or gone
        for `VOTE_AFTER_SECONDS`."""
        owing = self._owing
        assert owing is not None
        return [seat for seat in owing.seats if self.votable_in(seat, now) <= 0]

    def votable_in(self, seat: Seat, now: float) -> float:
        """Seconds until the absence of a seat that owes something may be voted on, if it does
        nothing; infinite for one that is there and has no limit."""
        return VOTE_AFTER_SECONDS - max(self.seconds_over(seat), self._seconds_gone(seat, now))

    def is_long_gone(self, seat: Seat, now: float) -> bool:
        """Whether the absence of a seat that is gone may be voted on, if there is a reason."""
        return self._seconds_gone(seat, now) >= VOTE_AFTER_SECONDS

    def _seconds_gone(self, seat: Seat, now: float) -> float:
        """Negative and infinite for a seat that is not gone."""
        return now - self.gone_since.get(seat, math.inf)

    def end_expired_pauses(self, now: float) -> list[Seat]:
        """Ends the pauses that have lasted as long as they may; the seats that had made them."""
        ended = [seat for seat, until in self.paused_until.items() if now >= until]
        for seat in ended:
            del self.paused_until[seat]
        return ended

    def next_change(self, now: float) -> float:
        """When something of the above changes, if nothing happens."""
        times = [since + VOTE_AFTER_SECONDS for since in self.gone_since.values()]
        times += self.paused_until.values()
        owing = self._owing
        if owing is not None and not self.paused_until:
            for seat in owing.seats:
                over = self.seconds_over(seat)
                times += [now - over, now - over + VOTE_AFTER_SECONDS]
        return min((t for t in times if t > now), default=math.inf)
