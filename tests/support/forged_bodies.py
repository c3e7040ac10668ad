"""Bodies that no program signs."""

from kotp2p.referee.model.answers import Seat
from kotp2p.wire.crypto import Signer, Tag
from kotp2p.wire.encoding import Value, pack
from kotp2p.wire.entries import TAG_OF_KIND, BodyKind, Signed


def sign_anything(signer: Signer, kind: BodyKind, value: Value) -> Signed:
    """A body with this value, whether any reader takes it or not."""
    body = pack(value)
    return Signed(kind, body, signer.sign(TAG_OF_KIND[kind], body))


def seal_anything(signer: Signer, seat: Seat, value: Value) -> Signed:
    """As `sign_anything`, with the assent of one keeper to a line-up."""
    body = pack(value)
    return Signed(BodyKind.LINE_UP, body, bytes((seat,)) + signer.sign(Tag.LINE_UP, body))
