"""Whether a seat that votes put out was on time, as far as this copy can tell (PROTOCOL.md 9.2).

Scope: what this process has seen of lateness and absence at each place.
Not here: the clocks themselves (`kotp2p.wishes.clocks`), and whether votes suffice.

No reader of a log can check a clock, so more than half of the players can put out anybody. This
process cannot prevent that, and it can say so. An honest voter has seen the accused late, or gone,
for `VOTE_AFTER_SECONDS`. A process that has heard such a voter all along has seen nearly the same.
So it takes the accused for punctual if they were neither late nor gone here, and if one of the
voters was heard all along. Against a convict, honest voters go back to an earlier height than the
one at which a seat kept them waiting, and vote about that seat, too (PROTOCOL.md 9.6 R6). So there
it counts who was late from that height on.

Known limitation: a seat between the others that passes nothing on looks like a false vote.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Collection
from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.mesh.heartbeat import MAX_TICK_GAP_SECONDS
from kotp2p.wire.votes import Certificate, keepers_of, seats_kept_by
from kotp2p.wishes.clocks import VOTE_AFTER_SECONDS, Place, SeatClocks
from referee.model.answers import Seat


@dataclass(slots=True)
class Punctuality:
    ledger: Ledger
    clocks: SeatClocks
    seat: Seat
    """The seat of this process."""
    _began: list[tuple[Place, float]] = field(default_factory=list)
    """When the game was first seen at each place, ascending. Places that it passed at once are not
    there."""
    _late: set[tuple[Place, Seat]] = field(default_factory=set)
    _gone: dict[Seat, float] = field(default_factory=dict)
    """When each seat was seen to be gone last."""
    _deaf: float = -math.inf
    """When this process last began to listen, after a restart or a stop of its machine."""
    _updated_at: float = math.inf

    def begin(self, now: float, *, resumed: bool) -> None:
        self._updated_at = now
        if resumed:
            self._deaf = now

    def update(self, late: Collection[Seat], now: float) -> None:
        """After the clocks were updated, which hold these seats for late."""
        if now - self._updated_at > MAX_TICK_GAP_SECONDS:
            self._deaf = now
        self._updated_at = now
        place = self.ledger.place
        if not self._began or self._began[-1][0] < place:
            self._began.append((place, now))
        self._late.update((place, seat) for seat in late)
        self._gone.update(dict.fromkeys(self.clocks.gone_since, now))

    def punctual_among(
        self, certificate: Certificate, convicts: Collection[Seat]
    ) -> tuple[Seat, ...]:
        """The accused keepers, ascending, that were neither late nor gone here when these votes put
        them out. `convicts`: keepers that have cheated. Empty if this seat has voted, too, or can
        have missed what the voters have seen."""
        place = (certificate.view, certificate.height)
        at = bisect_right(self._began, (place, math.inf)) - 1
        if at < 0 or self.seat in certificate.voters:
            return ()
        began = self._began[at][1]
        if not any(self._was_heard(voter, began) for voter in certificate.voters):
            return ()
        players = self.ledger.genesis.players
        accused = keepers_of(players, certificate.seats)
        late = self._late_at(place, goes_back=not accused.isdisjoint(convicts))
        return tuple(
            keeper
            for keeper in sorted(accused)
            if keeper not in convicts and keeper not in self.ledger.farewells
            if all(
                seat not in late and self._gone.get(seat, -math.inf) < began
                for seat in seats_kept_by(players, {keeper}, certificate.seats)
            )
        )

    def _late_at(self, place: Place, *, goes_back: bool) -> set[Seat]:
        """The seats that were late at a place, or with `goes_back` from there on in its view."""
        return {
            seat
            for at, seat in self._late
            if at == place or (goes_back and at[0] == place[0] and at > place)
        }

    def _was_heard(self, voter: Seat, began: float) -> bool:
        """Whether this voter was heard all along since this place began, and before. Otherwise the
        place may have begun there long before it began here."""
        silent = max(self._gone.get(voter, -math.inf), self._deaf)
        return silent < began - VOTE_AFTER_SECONDS
