"""What a transit relay is told and answers, and the tokens by which two sides find each other.

    please relay TOKEN for side SIDE      ->
                                          <-  ok

Scope: the two lines of magic-wormhole's transit relay, the token of each pair of players, and how a
way through a relay is written as a place to dial.
Not here: the connection (`kotp2p.net.relay_link`). What goes through it is TLS of this program.
"""

from __future__ import annotations

from dataclasses import dataclass

from kotp2p.rendezvous.exchange import TOKEN_BYTES
from kotp2p.rendezvous.servers import relay_target
from kotp2p.wire.crypto import Tag, digest, exchange_secret

SIDE_BYTES = 8
MAX_ANSWER_BYTES = 64
OK = b"ok"
_SCHEME = "relay:"
PLACE_OF_RELAYED = "relayed"
"""In place of an address of the other side, which a relay does not tell."""


class RelayFault(Exception):
    """The relay does not carry this connection; the message is its answer, or technical."""


def request_line(token: bytes, side: bytes) -> bytes:
    return b"please relay %s for side %s\n" % (token.hex().encode(), side.hex().encode())


def read_answer(data: bytes) -> bool:
    """Whether the other side is there now; False: the line is not complete yet. Raises
    RelayFault."""
    if not data.endswith(b"\n"):
        if len(data) >= MAX_ANSWER_BYTES:
            raise RelayFault("a first line that is too long")
        return False
    if data[:-1] != OK:
        raise RelayFault(data[:-1].decode("ascii", "replace"))
    return True


@dataclass(frozen=True, slots=True)
class RelayPlace:
    """A way through a relay, as a place to dial."""

    relay: str
    """`tcp:HOST:PORT`"""
    token: bytes

    def __str__(self) -> str:
        return f"{_SCHEME}{self.relay}/{self.token.hex()}"

    @staticmethod
    def parse(place: str) -> RelayPlace | None:
        """None if it is a place of another kind. Raises ValueError if it is none at all."""
        if not place.startswith(_SCHEME):
            return None
        relay, _slash, token = place[len(_SCHEME) :].rpartition("/")
        relay_target(relay)
        found = RelayPlace(relay, bytes.fromhex(token))
        if len(found.token) != TOKEN_BYTES:
            raise ValueError("no token")
        return found


def is_relay_place(place: str) -> bool:
    return place.startswith(_SCHEME)


def pair_token(own_secret: bytes, their_key: bytes, game: bytes, seats: tuple[int, int]) -> bytes:
    """The token of two seats of a game: only they can compute it. Raises BadBytes for a key with
    which anybody could."""
    low, high = sorted(seats)
    return digest(Tag.RELAY, exchange_secret(own_secret, their_key), game, low, high)
