"""The bytes of a proof: what a seat has signed and must not have (PROTOCOL.md 9.6).

One body or two, as they were signed. What they show is the business of `kotp2p.game.conviction`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kotp2p.wire.crypto import SIGNATURE
from kotp2p.wire.encoding import BadBytes, array, integer, octets, pack, unpack
from kotp2p.wire.entries import Kind, Signed

MAX_PROOF = 8192
"""Bytes; an entry has a few hundred."""

_KINDS = (Kind.PLAY, Kind.VOTE, Kind.STAND_IN, Kind.SHARE)


@dataclass(frozen=True, slots=True)
class Proof:
    bodies: tuple[Signed, ...]

    def pack(self) -> bytes:
        return pack(tuple(part for s in self.bodies for part in (int(s.kind), s.body, s.signature)))

    @staticmethod
    def unpack(data: bytes) -> Proof:
        """Raises BadBytes."""
        if len(data) > MAX_PROOF:
            raise BadBytes("a proof that is too long")
        parts = array(unpack(data), most=6)
        if len(parts) not in (3, 6):
            raise BadBytes("a proof is one body or two")
        return Proof(tuple(_signed(*parts[i : i + 3]) for i in range(0, len(parts), 3)))


def _signed(kind: object, body: object, signature: object) -> Signed:
    found = integer(kind)
    if found not in _KINDS:
        raise BadBytes("a body that proves nothing")
    return Signed(Kind(found), octets(body), octets(signature, SIGNATURE))


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
