"""Bodies that no program signs, and the reader of each kind."""

from __future__ import annotations

from collections.abc import Callable

from kotp2p.wire.addresses import SignedAddress
from kotp2p.wire.chat_line import ChatLine
from kotp2p.wire.closings import pack_seals, parse_closing
from kotp2p.wire.crypto import Signer, Tag
from kotp2p.wire.encoding import Value, pack
from kotp2p.wire.entries import TAG_OF_KIND, BodyKind, Entry, Head, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.intents import Intent
from kotp2p.wire.votes import Vote
from referee.model.answers import Seat


def sign_anything(signer: Signer, kind: BodyKind, value: Value) -> Signed:
    """A body with this value, whether any reader takes it or not."""
    body = pack(value)
    return Signed(kind, body, signer.sign(TAG_OF_KIND[kind], body))


def seal_anything(signer: Signer, seat: Seat, value: Value) -> Signed:
    """An end or a break with this value, sealed by one seat."""
    body = pack(value)
    return Signed(BodyKind.CLOSE, body, pack_seals({seat: signer.sign(Tag.CLOSE, body)}))


_READERS: dict[BodyKind, Callable[[Signed, bytes], object]] = {
    BodyKind.PLAY: lambda signed, _: Entry.parse(signed),
    BodyKind.SHARE: lambda signed, _: Entry.parse(signed),
    BodyKind.VOTE: Vote.parse,
    BodyKind.STAND_IN: Farewell.parse,
    BodyKind.CLOSE: lambda signed, game: parse_closing(signed.body, game),
    BodyKind.HEAD: Head.parse,
    BodyKind.WORD: Intent.parse,
    BodyKind.CHAT: ChatLine.parse,
    BodyKind.ADDRESS: SignedAddress.parse,
}


def read_body(signed: Signed, game: bytes) -> object:
    """What a body of that game says. Raises BadBytes."""
    return _READERS[signed.kind](signed, game)
