"""The end of a game: everybody still there signs the same few numbers (PROTOCOL.md 9.4)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from kotp2p.game.refusals import Forged
from kotp2p.wire.closings import End, pack_seals, unpack_seals
from kotp2p.wire.crypto import Signer, Tag, is_valid_signature
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.genesis import Player
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
    """Confirmations from peers that were there before us, with their sender."""

    def sign_end(
        self, end: End, seat: Seat, signer: Signer, now: float
    ) -> list[tuple[Seat, Signed]]:
        """Signs the end; gives the confirmations that came too early, to be taken now."""
        self.end = end
        self.deadline = now + END_SEALS_SECONDS
        self.seals[seat] = signer.sign(Tag.CLOSE, end.body(self.game))
        early, self._early = self._early, []
        return early

    def withdraw(self) -> None:
        """The game goes on."""
        self.end, self.deadline = None, math.inf
        self.seals.clear()

    def build_frame(self, seats: list[Seat] | None = None) -> Signed:
        """The end with the signatures of `seats`, or with all that have come."""
        assert self.end is not None
        seals = self.seals if seats is None else {s: self.seals[s] for s in seats}
        return Signed(BodyKind.CLOSE, self.end.body(self.game), pack_seals(seals))

    def receive_seals(self, source: Seat, signed: Signed) -> list[Seat]:
        """The seats whose confirmation is new. Raises BadBytes or Forged.

        An end that is not ours confirms nothing: the copies differ, which the digests of the
        position have shown before or nothing will.
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
            if not is_valid_signature(self.players[seat].key, Tag.CLOSE, signed.body, seals[seat]):
                raise Forged("a confirmation that is not its seat's")
        self.seals |= {seat: seals[seat] for seat in new}
        return new
