"""The bytes of a proof: what a seat has signed and must not have (PROTOCOL.md 9.6).

One body or two, as they were signed. What they show is the business of `kotp2p.game.conviction`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kotp2p.wire.crypto import SIGNATURE_BYTES
from kotp2p.wire.encoding import BadBytes, array, integer, octets, pack, unpack
from kotp2p.wire.entries import BodyKind, Signed

MAX_PROOF_BYTES = 8192
"""Bytes; an entry has a few hundred."""

_PROVING_KINDS = (BodyKind.PLAY, BodyKind.VOTE, BodyKind.STAND_IN, BodyKind.SHARE)


@dataclass(frozen=True, slots=True)
class CheatProof:
    bodies: tuple[Signed, ...]

    def pack(self) -> bytes:
        return pack(tuple(part for s in self.bodies for part in (int(s.kind), s.body, s.signature)))

    @staticmethod
    def unpack(data: bytes) -> CheatProof:
        """Raises BadBytes."""
        if len(data) > MAX_PROOF_BYTES:
            raise BadBytes("a proof that is too long")
        parts = array(unpack(data), most=6)
        if len(parts) not in (3, 6):
            raise BadBytes("a proof is one body or two")
        return CheatProof(tuple(_parse_signed(*parts[i : i + 3]) for i in range(0, len(parts), 3)))


def _parse_signed(kind: object, body: object, signature: object) -> Signed:
    found = integer(kind)
    if found not in _PROVING_KINDS:
        raise BadBytes("a body that proves nothing")
    return Signed(BodyKind(found), octets(body), octets(signature, SIGNATURE_BYTES))


class CheatKind(StrEnum):
    ILLEGAL_MOVE = "illegal-move"
    WRONG_OPENING = "wrong-opening"
    """Opened something else than it had committed."""
    EQUIVOCATION = "equivocation"
    """Signed two different entries for one place in the game."""
    COPIED_COMMITMENT = "copied-commitment"
    WRONG_SHARE = "wrong-share"
    BAD_ENTRY = "bad-entry"
    """Signed an entry that no unmodified program writes."""
