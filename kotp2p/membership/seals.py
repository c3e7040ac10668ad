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


@dataclass(frozen=True, slots=True)
class EarlySeal:
    """The signature of one seat under an end. It has been checked."""

    source: Seat
    """The link that has brought it."""
    signed: Signed
    """A frame with this signature alone."""


@dataclass(slots=True)
class EndSeals:
    game: bytes
    players: tuple[Player, ...]
    end: End | None = None
    """None until the game is over here."""
    seals: dict[Seat, bytes] = field(default_factory=dict)
    deadline: float = math.inf
    _early: dict[Seat, EarlySeal] = field(default_factory=dict)
    """Of each seat the newest signature under an end that is not ours, or not ours yet."""

    def sign_end(self, end: End, seat: Seat, signer: Signer, now: float) -> list[EarlySeal]:
        """Signs the end. Returns the signatures under it that came too early, to be taken now."""
        self.end = end
        self.deadline = now + END_SEALS_SECONDS
        body = end.body(self.game)
        self.seals[seat] = signer.sign(Tag.CLOSE, body)
        return [early for early in self._early.values() if early.signed.body == body]

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

        A signature under an end that is not ours confirms nothing yet: the game may not be over
        here, or votes may undo the end that we have signed. The newest one of each seat is kept, so
        a seat that signs without end hides no signature but its own.
        """
        seals = unpack_seals(signed.signature)
        is_ours = self.end is not None and signed.body == self.end.body(self.game)
        known = self.seals if is_ours else self._early_seals_under(signed.body)
        new = {seat: seal for seat, seal in seals.items() if seat not in known}
        for seat, seal in new.items():
            if not sealed_by_seat(self.players, seat, signed.body, seal):
                raise Forged("a confirmation that is not its seat's")
        if is_ours:
            self.seals |= new
            return list(new)
        for seat, seal in new.items():
            alone = Signed(BodyKind.CLOSE, signed.body, pack_seals({seat: seal}))
            self._early[seat] = EarlySeal(source, alone)
        return []

    def _early_seals_under(self, body: bytes) -> set[Seat]:
        return {seat for seat, early in self._early.items() if early.signed.body == body}
