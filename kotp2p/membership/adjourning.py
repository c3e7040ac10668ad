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
MAX_BREAKS_OF_SEAT = 16
"""Signatures of one seat that are kept at a time. Copies may stand at different places, but a seat
may also sign without end. It takes up its own room only."""


@dataclass(slots=True)
class Adjournment:
    ledger: Ledger
    intents: Intents
    seat: Seat
    signer: Signer
    signed_break: Break | None = None
    """The break that this seat has signed; None if no adjourning is under way."""
    deadline: float = math.inf
    _seals: dict[Seat, dict[Break, bytes]] = field(default_factory=dict)
    """The signatures of each seat under breaks that the game has not passed."""

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
        self._seals[self.seat] = {here: seal}
        return self._signed(here, {self.seat: seal})

    def receive_seals(self, stop: Break, signed: Signed) -> list[Signed]:
        """Signatures of others. Returns the new ones, to be passed on. Raises BadBytes or
        Forged."""
        given = unpack_seals(signed.signature)
        check_break_seats(self.ledger, stop, given)
        new = []
        for seat, seal in given.items():
            if not self._has_room(seat, stop):
                continue
            if not sealed_by_seat(self.ledger.genesis.players, seat, signed.body, seal):
                raise Forged("a signature that is not its seat's")
            self._seals[seat][stop] = seal
            new.append(self._signed(stop, {seat: seal}))
        return new

    def _has_room(self, seat: Seat, stop: Break) -> bool:
        """Whether a signature of `seat` is new, and may be kept if it is right. Those under breaks
        that the game has passed make room, and one under a break of this very place is kept."""
        ledger = self.ledger
        kept = {b: s for b, s in self._seals.get(seat, {}).items() if b.place[:2] >= ledger.place}
        self._seals[seat] = kept
        if stop.place[:2] < ledger.place or stop in kept:
            return False
        is_here = stop.place == (*ledger.place, ledger.head)
        return is_here or len(kept) < MAX_BREAKS_OF_SEAT

    def build_record(self, now: float) -> Signed | None:
        """The record of the break, once all have signed it or time is up."""
        if self.signed_break is None:
            return None
        if not is_break_here(self.ledger, self.signed_break):
            # A player has taken the wish back and has played on, or an absent one has left.
            self.signed_break, self.deadline = None, math.inf
            return None
        stop = self.signed_break
        seals = {seat: kept[stop] for seat, kept in self._seals.items() if stop in kept}
        if now < self.deadline and not self.intents.present_keepers() <= set(seals):
            return None
        return self._signed(stop, seals)

    def _signed(self, stop: Break, seals: dict[Seat, bytes]) -> Signed:
        return Signed(BodyKind.CLOSE, stop.body(self.ledger.genesis.id), pack_seals(seals))
