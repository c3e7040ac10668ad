"""Bodies that no program signs."""

from __future__ import annotations

from kotp2p.wire.closings import pack_seals
from kotp2p.wire.crypto import Signer, Tag
from kotp2p.wire.encoding import Value, pack
from kotp2p.wire.entries import TAG_OF_KIND, BodyKind, Signed
from referee.model.answers import Seat


def sign_anything(signer: Signer, kind: BodyKind, value: Value) -> Signed:
    """A body with this value, whether any reader takes it or not."""
    body = pack(value)
    return Signed(kind, body, signer.sign(TAG_OF_KIND[kind], body))


def seal_anything(signer: Signer, seat: Seat, value: Value) -> Signed:
    """An end or a break with this value, sealed by one seat."""
    body = pack(value)
    return Signed(BodyKind.CLOSE, body, pack_seals({seat: signer.sign(Tag.CLOSE, body)}))
