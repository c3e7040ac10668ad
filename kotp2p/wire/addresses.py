"""Where seats can be dialled: each says so itself, and signs it (PROTOCOL.md 9.1)."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from dataclasses import dataclass, field

from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes, array, integer, text, unpack
from kotp2p.wire.entries import MAX_SEAT, BodyKind, Signed
from kotp2p.wire.genesis import Player
from referee.model.answers import Seat

MAX_ADDRESSES = 16
MAX_ADDRESS = 64

Target = tuple[str, int]
"""Address and port."""


@dataclass(frozen=True, slots=True)
class SignedAddress:
    seat: Seat
    sequence: int
    """The greatest one of a seat counts."""
    targets: tuple[Target, ...]
    """Best first."""
    signed: Signed = field(repr=False)

    @staticmethod
    def sign(
        signer: Signer, game: bytes, seat: Seat, sequence: int, targets: tuple[Target, ...]
    ) -> SignedAddress:
        value = (game, seat, sequence, targets)
        return SignedAddress(seat, sequence, targets, Signed.sign(signer, BodyKind.ADDRESS, value))

    @staticmethod
    def parse(signed: Signed, game: bytes) -> SignedAddress:
        theirs, seat, sequence, targets = array(unpack(signed.body), 4)
        if theirs != game:
            raise BadBytes("an address in another game")
        pairs = [array(pair, 2) for pair in array(targets, most=MAX_ADDRESSES)]
        return SignedAddress(
            integer(seat, 0, MAX_SEAT),
            integer(sequence),
            tuple((_check_address(text(a, MAX_ADDRESS)), integer(p, 1, 65_535)) for a, p in pairs),
            signed,
        )

    @property
    def is_local(self) -> bool:
        """Whether only programs on this machine can dial it."""
        return any(is_loopback(address) for address, _ in self.targets)


def _check_address(given: str) -> str:
    """A number address of one machine: names are not looked up for strangers."""
    try:
        ip = ipaddress.ip_address(given)
    except ValueError as fault:
        raise BadBytes("no address") from fault
    if ip.is_unspecified or ip.is_multicast or "%" in given:
        raise BadBytes("an address that is nobody's")
    return given


@dataclass(slots=True)
class AddressBook:
    """The newest word of each seat about itself, and where its last link was seen."""

    game: bytes
    players: tuple[Player, ...]
    newest: dict[Seat, SignedAddress] = field(default_factory=dict)
    seen: dict[Seat, str] = field(default_factory=dict)
    """Empty: on this machine's loopback."""

    def accept(self, signed: Signed, *, near: bool = True) -> SignedAddress | None:
        """What it says, if that is news; `near`: it came over loopback. Raises BadBytes."""
        found = SignedAddress.parse(signed, self.game)
        known = self.newest.get(found.seat)
        if found.seat >= len(self.players) or (
            known is not None and known.sequence >= found.sequence
        ):
            return None
        if not signed.is_by(self.players[found.seat].key):
            raise BadBytes("an address that its seat has not signed")
        if found.is_local and not near:
            return None
        self.newest[found.seat] = found
        return found

    def targets(self, seat: Seat, port: int, here: Collection[str]) -> list[Target]:
        """Where its last link was seen comes first, with the port that it has told since, or
        `port`; the addresses of this machine (`here`) are left out for who was seen on it."""
        known, seen = self.newest.get(seat), self.seen.get(seat)
        told = () if known is None else known.targets
        found = []
        if seen is not None and (told or port):
            found.append((seen or "127.0.0.1", told[0][1] if told else port))
        return found + [t for t in told if seen != "" or t[0] not in here]


def is_loopback(address: str) -> bool:
    """Whether an address as a socket names it is this machine's loopback."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    return (mapped or ip).is_loopback
