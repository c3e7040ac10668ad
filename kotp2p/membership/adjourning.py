"""Stopping for today: those present sign where the game stands, and all end (PROTOCOL.md 9.5)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Forged
from kotp2p.membership.voting import Voting
from kotp2p.wire.crypto import Signer, Tag, verified
from kotp2p.wire.entries import Break, Kind, Signed, pack_seals, unpack_seals
from kotp2p.wire.votes import kept_by
from referee.model.answers import Seat

PATIENCE = 10.0
"""Seconds to wait for the signatures of all that have agreed."""
MOST = 64
"""Places of which signatures are kept, beside our own."""


@dataclass(slots=True)
class Adjourning:
    ledger: Ledger
    voting: Voting
    seat: Seat
    signer: Signer
    stops: Break | None = None
    """Where this seat has signed that it stops."""
    deadline: float = math.inf
    _seals: dict[Break, dict[Seat, bytes]] = field(default_factory=dict)

    def look(self, now: float) -> Signed | None:
        """What this seat signs because all agree, or because the game has moved since."""
        voting = self.voting
        if not voting.present() or voting.missing():
            return None
        ledger = self.ledger
        players, alive = ledger.genesis.players, ledger.game.state.seats_alive()
        absent = tuple(sorted(kept_by(players, voting.absent(), alive)))
        here = Break(ledger.view, ledger.height, ledger.head, absent)
        if here == self.stops or self.seat not in voting.present():
            return None
        self.stops = here
        self.deadline = min(self.deadline, now + PATIENCE)
        seal = self.signer.sign(Tag.CLOSE, here.body(ledger.genesis.id))
        self._seals.setdefault(here, {})[self.seat] = seal
        return self._signed(here, {self.seat: seal})

    def take(self, stop: Break, signed: Signed) -> list[Signed]:
        """Signatures of others; what is new, to be passed on. Raises BadBytes or Forged."""
        if stop not in self._seals and len(self._seals) < MOST:
            self._seals[stop] = {}
        known = self._seals.get(stop, {})
        players = self.ledger.genesis.players
        new = []
        for seat, seal in unpack_seals(signed.signature).items():
            if seat in known:
                continue
            if seat >= len(players) or not verified(
                players[seat].key, Tag.CLOSE, signed.body, seal
            ):
                raise Forged("a signature that is not its seat's")
            known[seat] = seal
            new.append(self._signed(stop, {seat: seal}))
        return new

    def done(self, now: float) -> Signed | None:
        """The record of the break, once all have signed it or time is up."""
        ledger = self.ledger
        if self.stops is None:
            return None
        if self.stops.place != (ledger.view, ledger.height, ledger.head):
            self.stops, self.deadline = None, math.inf  # somebody has taken it back and played on
            return None
        seals = self._seals[self.stops]
        if now < self.deadline and not self.voting.present() <= set(seals):
            return None
        return self._signed(self.stops, seals)

    def _signed(self, stop: Break, seals: dict[Seat, bytes]) -> Signed:
        return Signed(Kind.CLOSE, stop.body(self.ledger.genesis.id), pack_seals(seals))
