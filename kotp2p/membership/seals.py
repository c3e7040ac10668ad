"""The end of a game: all seats that are still there sign the same few numbers (PROTOCOL.md 9.4).

Scope: the signatures under one end, our own and those of others.
Not here: when they suffice (`closing`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from kotp2p.game.refusals import Forged
from kotp2p.wire.closings import End, pack_seals, unpack_seals
from kotp2p.wire.crypto import Signer, Tag
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.genesis import Player, sealed_by_seat
from referee.model.answers import Seat

END_SEALS_SECONDS = 10.0
"""Seconds to wait for the confirmations of all that are connected."""


@dataclass(slots=True)
class EndSeals:
    game: bytes
    players: tuple[Player, ...]
    end: End | None = None
    """None until the game is over here."""
    seals: dict[Seat, bytes] = field(default_factory=dict)
    deadline: float = math.inf
    _early: list[tuple[Seat, Signed]] = field(default_factory=list)
    """Confirmations that came before the game was over here, each with the seat that sent it."""

    def sign_end(
        self, end: End, seat: Seat, signer: Signer, now: float
    ) -> list[tuple[Seat, Signed]]:
        """Signs the end. Returns the confirmations that came too early, to be taken now."""
        self.end = end
        self.deadline = now + END_SEALS_SECONDS
        self.seals[seat] = signer.sign(Tag.CLOSE, end.body(self.game))
        early, self._early = self._early, []
        return early

    def withdraw_end(self) -> None:
        """Votes have undone the end. Its signatures are worth nothing: another end has another
        head."""
        self.end, self.deadline = None, math.inf
        self.seals.clear()

    def build_frame(self, seats: list[Seat] | None = None) -> Signed:
        """The end with the signatures of `seats`, or with all that have come."""
        assert self.end is not None
        seals = self.seals if seats is None else {s: self.seals[s] for s in seats}
        return Signed(BodyKind.CLOSE, self.end.body(self.game), pack_seals(seals))

    def receive_seals(self, source: Seat, signed: Signed) -> list[Seat]:
        """The seats whose confirmation is new. Raises BadBytes or Forged.

        An end that is not ours confirms nothing. The copies differ then; the digests of the
        position have shown that before, or nothing will.
        """
        seals = unpack_seals(signed.signature)
        if self.end is None:
            if len(self._early) < 2 * len(self.players):
                self._early.append((source, signed))
            return []
        if signed.body != self.end.body(self.game):
            return []
        new = [s for s in seals if s < len(self.players) and s not in self.seals]
        for seat in new:
            if not sealed_by_seat(self.players, seat, signed.body, seals[seat]):
                raise Forged("a confirmation that is not its seat's")
        self.seals |= {seat: seals[seat] for seat in new}
        return new
