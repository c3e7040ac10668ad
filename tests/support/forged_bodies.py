"""Bodies that no program signs, and the reader of each kind."""

from collections.abc import Callable

from kotp2p.referee.model.answers import Seat
from kotp2p.wire.addresses import SignedAddress
from kotp2p.wire.crypto import Signer, Tag
from kotp2p.wire.encoding import Value, pack
from kotp2p.wire.entries import TAG_OF_KIND, BodyKind, ChatLine, Entry, Head, Signed
from kotp2p.wire.lineups import Here, Leave, LineUp, Ready, Wish


def sign_anything(signer: Signer, kind: BodyKind, value: Value) -> Signed:
    """A body with this value, whether any reader takes it or not."""
    body = pack(value)
    return Signed(kind, body, signer.sign(TAG_OF_KIND[kind], body))


def seal_anything(signer: Signer, seat: Seat, value: Value) -> Signed:
    """As `sign_anything`, with the assent of one keeper to a line-up."""
    body = pack(value)
    return Signed(BodyKind.LINE_UP, body, bytes((seat,)) + signer.sign(Tag.LINE_UP, body))


_READERS: dict[BodyKind, Callable[[Signed, bytes], object]] = {
    BodyKind.PLAY: lambda signed, _: Entry.parse(signed),
    BodyKind.SHARE: lambda signed, _: Entry.parse(signed),
    BodyKind.LINE_UP: lambda signed, game: LineUp.parse(signed.body, game),
    BodyKind.LEAVE: Leave.parse,
    BodyKind.READY: Ready.parse,
    BodyKind.HEAD: Head.parse,
    BodyKind.WISH: Wish.parse,
    BodyKind.HERE: Here.parse,
    BodyKind.CHAT: ChatLine.parse,
    BodyKind.ADDRESS: SignedAddress.parse,
}


def read_body(signed: Signed, game: bytes) -> object:
    """What a body of that game says. Raises BadBytes."""
    return _READERS[signed.kind](signed, game)
