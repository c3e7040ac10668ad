"""Stopping for today: the keepers that are present sign where the game stands (PROTOCOL.md 9.5).

Scope: breaks, and the signatures under them.
Not here: what players want (`intents`), and when the game closes (`closing`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from kotp2p.game.breaks import check_break_seats, is_break_here
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Forged
from kotp2p.wire.closings import Break, pack_seals, unpack_seals
from kotp2p.wire.crypto import Signer, Tag
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.genesis import sealed_by_seat
from kotp2p.wire.votes import seats_kept_by
from kotp2p.wishes.intents import Intents
from referee.model.answers import Seat

BREAK_SEALS_SECONDS = 10.0
"""Seconds to wait for the signatures of all that have agreed."""
MAX_BREAKS = 64
"""Breaks whose signatures are kept, beside our own: copies may stand at different places, but a
peer may also sign without end."""


@dataclass(slots=True)
class Adjournment:
    ledger: Ledger
    intents: Intents
    seat: Seat
    signer: Signer
    signed_break: Break | None = None
    """The break that this seat has signed; None if no adjourning is under way."""
    deadline: float = math.inf
    _seals: dict[Break, dict[Seat, bytes]] = field(default_factory=dict)

    def sign_break(self, now: float) -> Signed | None:
        """Signs a break because all present agree, or anew because the game has moved since."""
        intents = self.intents
        if not intents.is_adjourn_agreed():
            return None
        ledger = self.ledger
        players, alive = ledger.genesis.players, ledger.game.state.seats_alive()
        missed = seats_kept_by(players, intents.absent_keepers(), alive) - set(ledger.farewells)
        absent = tuple(sorted(missed))
        here = Break(ledger.view, ledger.height, ledger.head, absent)
        if here == self.signed_break or self.seat not in intents.present_keepers():
            return None
        self.signed_break = here
        self.deadline = min(self.deadline, now + BREAK_SEALS_SECONDS)
        seal = self.signer.sign(Tag.CLOSE, here.body(ledger.genesis.id))
        self._seals.setdefault(here, {})[self.seat] = seal
        return self._signed(here, {self.seat: seal})

    def receive_seals(self, stop: Break, signed: Signed) -> list[Signed]:
        """Signatures of others. Returns the new ones, to be passed on. Raises BadBytes or
        Forged."""
        given = unpack_seals(signed.signature)
        check_break_seats(self.ledger, stop, given)
        if stop not in self._seals and len(self._seals) < MAX_BREAKS:
            self._seals[stop] = {}
        known = self._seals.get(stop, {})
        players = self.ledger.genesis.players
        new = []
        for seat, seal in given.items():
            if seat in known:
                continue
            if not sealed_by_seat(players, seat, signed.body, seal):
                raise Forged("a signature that is not its seat's")
            known[seat] = seal
            new.append(self._signed(stop, {seat: seal}))
        return new

    def build_record(self, now: float) -> Signed | None:
        """The record of the break, once all have signed it or time is up."""
        if self.signed_break is None:
            return None
        if not is_break_here(self.ledger, self.signed_break):
            # A player has taken the wish back and has played on, or an absent one has left.
            self.signed_break, self.deadline = None, math.inf
            return None
        seals = self._seals[self.signed_break]
        if now < self.deadline and not self.intents.present_keepers() <= set(seals):
            return None
        return self._signed(self.signed_break, seals)

    def _signed(self, stop: Break, seals: dict[Seat, bytes]) -> Signed:
        return Signed(BodyKind.CLOSE, stop.body(self.ledger.genesis.id), pack_seals(seals))
