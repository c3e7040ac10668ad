"""The bytes of a proof of cheating (PROTOCOL.md 9.6).

Scope: one or two signed bodies that together show a breach of the protocol, and the kinds of
breaches.
Not here: the judgement whether they show one (`kotp2p.game.conviction`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from kotp2p.wire.crypto import SIGNATURE_BYTES, Tag, digest
from kotp2p.wire.encoding import BadBytes, array, integer, octets, pack, unpack
from kotp2p.wire.entries import BodyKind, Signed

MAX_PROOF_BYTES = 4096
"""The limit of a whole proof. Two bodies of the greatest size that their forms allow fit in it."""

_PROVING_KINDS = (BodyKind.PLAY, BodyKind.LINE_UP, BodyKind.LEAVE, BodyKind.SHARE)


@dataclass(frozen=True, slots=True)
class CheatProof:
    """The evidence itself: signed bodies, unchanged, that anybody can verify."""

    bodies: tuple[Signed, ...]
    id: bytes = field(init=False, repr=False, compare=False)
    """What copies of the game know it by."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", digest(Tag.PROOF, self.pack()))

    def pack(self) -> bytes:
        return pack(tuple(part for s in self.bodies for part in (int(s.kind), s.body, s.signature)))

    @property
    def signed(self) -> Signed:
        """The body in which it travels and stands in a log. It carries no signature of its own."""
        return Signed(BodyKind.CHEAT_PROOF, self.pack(), b"")

    @staticmethod
    def parse(signed: Signed) -> CheatProof:
        """The proof of a CHEAT_PROOF body. Raises BadBytes."""
        if signed.signature:
            raise BadBytes("a proof with a signature")
        return CheatProof.unpack(signed.body)

    @staticmethod
    def unpack(data: bytes) -> CheatProof:
        """Raises BadBytes if `data` is no proof; says nothing about its truth."""
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
    """The ways to cheat that a log or a proof can show."""

    ILLEGAL_MOVE = "illegal-move"
    WRONG_OPENING = "wrong-opening"
    """The seat has opened another value than it had committed to."""
    EQUIVOCATION = "equivocation"
    """The keeper has signed two bodies that exclude each other."""
    COPIED_COMMITMENT = "copied-commitment"
    WRONG_SHARE = "wrong-share"
    BAD_ENTRY = "bad-entry"
    """The seat has signed an entry that no unmodified program writes."""
