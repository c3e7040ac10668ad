"""Where seats can be dialled: each says so itself, and signs it (PROTOCOL.md 9.1)."""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.crypto import Signer
from kotp2p.encoding import BadBytes, array, integer, text, unpack
from kotp2p.entries import MAX_SEAT, Kind, Signed
from kotp2p.front import Player
from referee.answers import Seat

MAX_ADDRESSES = 16
MAX_ADDRESS = 64

Target = tuple[str, int]
"""Address and port."""


@dataclass(frozen=True, slots=True)
class Whereabout:
    seat: Seat
    sequence: int
    """The greatest one of a seat counts."""
    targets: tuple[Target, ...]
    """Best first; no loopback address."""
    signed: Signed = field(repr=False)

    @staticmethod
    def sign(
        signer: Signer, game: bytes, seat: Seat, sequence: int, targets: tuple[Target, ...]
    ) -> Whereabout:
        value = (game, seat, sequence, targets)
        return Whereabout(seat, sequence, targets, Signed.make(signer, Kind.ADDRESS, value))

    @staticmethod
    def parse(signed: Signed, game: bytes) -> Whereabout:
        theirs, seat, sequence, targets = array(unpack(signed.body), 4)
        if theirs != game:
            raise BadBytes("an address in another game")
        pairs = [array(pair, 2) for pair in array(targets, most=MAX_ADDRESSES)]
        return Whereabout(
            integer(seat, 0, MAX_SEAT),
            integer(sequence),
            tuple((text(a, MAX_ADDRESS), integer(p, 1, 65_535)) for a, p in pairs),
            signed,
        )


@dataclass(slots=True)
class Whereabouts:
    """The newest word of each seat about itself."""

    game: bytes
    players: tuple[Player, ...]
    newest: dict[Seat, Whereabout] = field(default_factory=dict)

    def take(self, signed: Signed) -> Whereabout | None:
        """What it says, if that is news. Raises BadBytes."""
        found = Whereabout.parse(signed, self.game)
        known = self.newest.get(found.seat)
        if found.seat >= len(self.players) or (
            known is not None and known.sequence >= found.sequence
        ):
            return None
        if not signed.by(self.players[found.seat].key):
            raise BadBytes("an address that its seat has not signed")
        self.newest[found.seat] = found
        return found

    def targets(self, seat: Seat) -> tuple[Target, ...]:
        known = self.newest.get(seat)
        return () if known is None else known.targets
