"""A line of chat in a game: a signed body that stands in no log (PROTOCOL.md 9.7).

Scope: its form.
Not here: how often a speaker is heard (`kotp2p.wire.chat_limit`), and which lines are shown
(`kotp2p.mesh.chat`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.referee.model.answers import Seat
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import integer, text, unpack_body
from kotp2p.wire.entries import MAX_SEAT, BodyKind, Signed
from kotp2p.wire.frame_types import MAX_TEXT


@dataclass(frozen=True, slots=True)
class ChatLine:
    seat: Seat
    serial: int
    """Counts up: a line that arrives twice is shown once."""
    words: str
    signed: Signed = field(repr=False)

    @staticmethod
    def sign(signer: Signer, game: bytes, seat: Seat, serial: int, words: str) -> ChatLine:
        value = (game, seat, serial, words)
        return Signed.sign(
            signer, BodyKind.CHAT, value, lambda signed: ChatLine.parse(signed, game)
        )

    @staticmethod
    def parse(signed: Signed, game: bytes) -> ChatLine:
        seat, serial, words = unpack_body(signed.body, game, 3)
        return ChatLine(integer(seat, 0, MAX_SEAT), integer(serial), text(words, MAX_TEXT), signed)
