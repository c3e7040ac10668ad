"""Where seats can be dialled: each seat tells its own addresses and signs them (PROTOCOL.md 9.1).

Scope: the signed body of kind ADDRESS, and the book of what all seats have told.
Not here: dialling (`kotp2p.net.dialer`).
"""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TypeAlias

from kotp2p.referee.model.answers import Seat
from kotp2p.wire.crypto import KEY_BYTES, Signer
from kotp2p.wire.encoding import BadBytes, array, integer, octets, text, unpack_body
from kotp2p.wire.entries import MAX_SEAT, BodyKind, Signed
from kotp2p.wire.genesis import Player, signed_by_keeper

DEFAULT_PORT = 4242
"""The port of a table for which no other one is given."""
MAX_ADDRESSES = 16
MAX_ADDRESS = 64
MAX_RELAY = 200

IP: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
_NO_NETWORK = ipaddress.IPv4Network("0.0.0.0/8")
_BROADCAST = ipaddress.IPv4Address("255.255.255.255")
Target = tuple[str, int]
"""Address and port."""


@dataclass(frozen=True, slots=True)
class Carrier:
    """A relay at which a seat can be met, and the key that its tokens need."""

    relay: str
    """`tcp:HOST:PORT`"""
    key: bytes
    """X25519, of this seat in this game."""

    @staticmethod
    def parse(relay: object, key: object) -> Carrier | None:
        """Raises BadBytes."""
        where = text(relay, MAX_RELAY)
        if not where:
            octets(key, 0)
            return None
        return Carrier(where, octets(key, KEY_BYTES))


@dataclass(frozen=True, slots=True)
class SignedAddress:
    """The addresses of one seat, in its own words."""

    seat: Seat
    sequence: int
    """Counts up: of several bodies of one seat the greatest sequence holds."""
    targets: tuple[Target, ...]
    """Where the seat listens, best address first."""
    signed: Signed = field(repr=False)
    carrier: Carrier | None = None
    """How others meet it at a relay, where no direct way is found."""

    @staticmethod
    def sign(
        signer: Signer,
        game: bytes,
        seat: Seat,
        sequence: int,
        targets: tuple[Target, ...],
        carrier: Carrier | None = None,
    ) -> SignedAddress:
        relay, key = ("", b"") if carrier is None else (carrier.relay, carrier.key)
        value = (game, seat, sequence, targets, relay, key)
        return Signed.sign(
            signer, BodyKind.ADDRESS, value, lambda signed: SignedAddress.parse(signed, game)
        )

    @staticmethod
    def parse(signed: Signed, game: bytes) -> SignedAddress:
        seat, sequence, targets, relay, key = unpack_body(signed.body, game, 5)
        pairs = [array(pair, 2) for pair in array(targets, most=MAX_ADDRESSES)]
        return SignedAddress(
            integer(seat, 0, MAX_SEAT),
            integer(sequence),
            tuple((_check_address(text(a, MAX_ADDRESS)), integer(p, 1, 65_535)) for a, p in pairs),
            signed,
            Carrier.parse(relay, key),
        )

    @property
    def is_local(self) -> bool:
        """Whether only programs on this machine can dial it."""
        return any(is_loopback(address) for address, _ in self.targets)


def parse_ip(address: str) -> IP:
    """An IPv4 address within an IPv6 one is judged as that IPv4 address, as a system dials it so.
    Raises ValueError."""
    ip = ipaddress.ip_address(address)
    return (ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None) or ip


def is_nobodys(ip: IP) -> bool:
    """Whether no machine has this address alone. Some systems dial themselves at 0.0.0.0."""
    is_here = isinstance(ip, ipaddress.IPv4Address) and ip in _NO_NETWORK
    return ip.is_unspecified or ip.is_multicast or is_here or ip == _BROADCAST


def _check_address(given: str) -> str:
    """A numeric address of one machine, as it came. Raises BadBytes.

    A host name is refused: a stranger must not make this peer look a name up.
    """
    try:
        ip = parse_ip(given)
    except ValueError as fault:
        raise BadBytes("no address") from fault
    if is_nobodys(ip) or "%" in given:
        raise BadBytes("an address that is nobody's")
    return given


def is_one_machine(address: str) -> bool:
    """Whether a seat may tell this address: not a name, nor one with a zone of this machine."""
    try:
        _check_address(text(address, MAX_ADDRESS))
    except BadBytes:
        return False
    return True


def read_start_target(address: object, port: object) -> Target:
    """Where the host says that a seat can be dialled; an empty address is the host's machine.

    A loopback address is refused, too: it would lead to a program on the machine of the reader.
    Raises BadBytes.
    """
    given = text(address, MAX_ADDRESS)
    if given and is_loopback(_check_address(given)):
        raise BadBytes("an address of the reader's own machine")
    return given, integer(port, 0, 65_535)


def can_be_told(address: str) -> bool:
    """Whether a host can tell guests this address, from which a link has come."""
    try:
        read_start_target(address, 0)
    except BadBytes:
        return False
    return True


def is_public(address: str) -> bool:
    """Whether an address may be that of a machine anywhere on the internet."""
    try:
        return parse_ip(address).is_global
    except ValueError:
        return False


@dataclass(slots=True)
class AddressBook:
    """The newest addresses that each seat has told, and where its last link came from."""

    game: bytes
    players: tuple[Player, ...]
    newest_of_seat: dict[Seat, SignedAddress] = field(default_factory=dict)
    last_link_addresses: dict[Seat, str] = field(default_factory=dict)
    """The address of the last link of each seat; empty for this machine's loopback."""

    def accept(self, signed: Signed, *, near: bool = True) -> SignedAddress | None:
        """Take in what a seat has told; the addresses if they are new, else None.

        `near` tells that the body came over loopback. Loopback addresses from elsewhere are
        ignored. Raises BadBytes if the body is malformed or not signed by its seat.
        """
        found = SignedAddress.parse(signed, self.game)
        known = self.newest_of_seat.get(found.seat)
        if known is not None and known.sequence >= found.sequence:
            return None
        if not signed_by_keeper(self.players, found.seat, signed):
            raise BadBytes("an address that its seat has not signed")
        if found.is_local and not near:
            return None
        self.newest_of_seat[found.seat] = found
        return found

    def targets_of(self, seat: Seat, port: int, here: Collection[str]) -> list[Target]:
        """Where to dial `seat`, best target first.

        The address of its last link comes first, with the port that the seat has told since, or
        else `port`. For a seat on this machine the machine's own addresses (`here`) are left out.
        """
        known, seen = self.newest_of_seat.get(seat), self.last_link_addresses.get(seat)
        told = () if known is None else known.targets
        found = []
        if seen is not None and (told or port):
            found.append((seen or "127.0.0.1", told[0][1] if told else port))
        return found + [t for t in told if seen != "" or t[0] not in here]


def is_loopback(address: str) -> bool:
    """Whether an address as a socket names it is this machine's loopback."""
    try:
        return parse_ip(address.partition("%")[0]).is_loopback
    except ValueError:
        return False


def network_of(address: str) -> str:
    """What counts as one: an IPv4 address, or the /64 of an IPv6 address. Anybody on a LAN has all
    addresses of its /64."""
    try:
        own = ipaddress.IPv6Address(address.partition("%")[0])
    except ipaddress.AddressValueError:
        return address
    if own.ipv4_mapped is not None:
        return str(own.ipv4_mapped)
    return str(ipaddress.IPv6Network((own, 64), strict=False))
