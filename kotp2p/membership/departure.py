"""How a player leaves for good: when the farewell may be signed, and from which place.

Scope: the place from which a keeper and its bots owe nothing (PROTOCOL.md 9.3).
Not here: what the farewell does to a game (`kotp2p.game.farewells`).

One farewell is about all seats of a keeper. All that these have signed must stand before its place,
or the farewell and such an entry convict the keeper. And they must owe nothing before it, or the
others wait for them in vain. Each bot signs in a loop of its own. A bot knows only what its keeper
has passed on, and what the bot itself has signed. So where the game waits for anybody else, no bot
has signed more than the keeper has seen. Where the game waits for a bot, this seat waits too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import assert_never

from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Finished, Gather, Renewal, Sharing, Solo
from kotp2p.votes.locks import VoteLocks
from kotp2p.wire.votes import seats_kept_by
from referee.model.answers import Seat

WAIT_FOR_BOTS_SECONDS = 5.0
"""How long a player that leaves waits for bots that owe something. Then their seats are kept."""


@dataclass(slots=True)
class Departure:
    ledger: Ledger
    seat: Seat
    is_wanted: bool = False
    """The player wants to leave. Nothing more is decided for this seat."""
    deadline: float = math.inf

    def begin(self, now: float) -> None:
        if not self.is_wanted:
            self.is_wanted, self.deadline = True, now + WAIT_FOR_BOTS_SECONDS

    def leaving_seats(self) -> set[Seat]:
        """The living seats of this keeper. None of a bot: its keeper leaves for it."""
        if isinstance(self.ledger.step, Finished):
            return set()
        alive = self.ledger.game.state.seats_alive()
        return seats_kept_by(self.ledger.genesis.players, {self.seat}, alive)

    def find_place(self, now: float) -> tuple[int, int] | None:
        """The view and height from which the leaving seats owe nothing; None while a bot may be
        signing something there."""
        ledger, leaving = self.ledger, self.leaving_seats()
        owing = leaving & set(ledger.owing_seats())
        view, height = ledger.place
        if owing - {self.seat}:
            return None
        match ledger.step:
            case Gather() | Renewal():
                # What a seat has signed at this height stands: all leave behind it. If this seat
                # may not sign there because of a vote, it waits for that as it waits for bots.
                if not leaving & set(ledger.chain.gathered):
                    return view, height
                is_late = now >= self.deadline
                return None if owing and not is_late else (view, height + 1)
            case Solo() | Sharing() | Finished():
                return view, height
            case step:
                assert_never(step)

    def named_rounds(self, locks: VoteLocks) -> tuple[int, ...]:
        """The rounds of the drop votes of this seat in the present view, ascending. A round that is
        left out would convict this seat, also one that its files have lost."""
        votes = (*self.ledger.tally.votes_of(self.seat), *locks.shown.find_own_votes())
        return tuple(sorted({vote.round for vote in votes}))
