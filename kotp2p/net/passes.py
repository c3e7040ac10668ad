"""Passes: with one a newcomer shows, before anything expensive, that it knows this table.

A pass is a number that is used once, with a MAC over it. The key of the MAC is the secret of a
closed table, which its invitation carries, or what only the seats of a running game know: its id.
A dialler shows its pass as the server name of TLS, in its first bytes and for anybody to read. It
gives a place in a queue and nothing else: a newcomer without one, or with an old one, is a stranger
and may come in as strangers do. A version that knows no passes takes it for any name.

Scope: how a pass is made and read, and which passes were shown already.
Not here: what a pass is good for (`kotp2p.net.connections`). No I/O: entropy is an argument.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field

from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Tag, derive

NONCE_BYTES = 12
_MAC_BYTES = 16
MAX_PASSES_KEPT = 4096
"""Passes that were shown here and are no good any more. One more, and the oldest is forgotten."""


def _mac(secret: bytes, game: bytes, nonce: bytes) -> bytes:
    return derive(secret, Tag.PASS, game, nonce)[:_MAC_BYTES]


@dataclass(slots=True)
class Passes:
    secret: bytes = OPEN_TABLE_SECRET
    """The secret of the table."""
    game: bytes = b""
    """The id of the game, once it has begun."""
    _shown: dict[bytes, None] = field(default_factory=dict)
    """The passes that have come, the oldest first. Somebody who listens in can show one again."""

    def make(self, nonce: bytes) -> str:
        """A pass as a server name."""
        return (nonce + _mac(self.secret, self.game, nonce)).hex()

    @property
    def are_worth_making(self) -> bool:
        """Not in the lobby of an open table: anybody could make them."""
        return bool(self.game) or self.secret != OPEN_TABLE_SECRET

    def take(self, name: str) -> bool:
        """Whether this server name is a pass that has not been shown here yet. Now it has."""
        try:
            shown = bytes.fromhex(name)
        except ValueError:
            return False
        if shown.hex() != name or len(shown) != NONCE_BYTES + _MAC_BYTES or shown in self._shown:
            return False
        nonce, mac = shown[:NONCE_BYTES], shown[NONCE_BYTES:]
        games = {self.game} if self.secret == OPEN_TABLE_SECRET else {self.game, b""}
        if not self.are_worth_making or not any(
            hmac.compare_digest(mac, _mac(self.secret, game, nonce)) for game in games
        ):
            return False
        self._shown[shown] = None
        if len(self._shown) > MAX_PASSES_KEPT:
            del self._shown[next(iter(self._shown))]
        return True
