"""Where seats and tables can be dialled: signed addresses, and announcements on the LAN."""

from __future__ import annotations

import ipaddress
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.crypto import KEY_BYTES, Signer
from kotp2p.wire.encoding import BadBytes, array, integer, octets, text, unpack_body
from kotp2p.wire.entries import MAX_SEAT, BodyKind, Signed
from kotp2p.wire.genesis import MAX_SEATS, MIN_SEATS, PROTOCOL_VERSION, Player, signed_by_keeper
from kotp2p.wire.names import clean_name

# -- addresses of seats --------------------------------------------------------------------


DEFAULT_PORT = 4242
"""The port of a table for which no other one is given."""
MAX_ADDRESSES = 16
MAX_ADDRESS = 64
MAX_RELAY = 200

IP: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
_NO_NETWORK = ipaddress.IPv4Network("0.0.0.0/8")
_BROADCAST = ipaddress.IPv4Address("255.255.255.255")
Target = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Carrier:
    """A relay at which a seat can be met, and the key that its tokens need."""

    relay: str
    key: bytes

    @staticmethod
    def parse(relay: object, key: object) -> Carrier | None:
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
        """Return whether only programs on this machine can dial it."""
        return any(is_loopback(address) for address, _ in self.targets)


def parse_ip(address: str) -> IP:
    """Return the address; IPv4 within IPv6 as IPv4, as a system dials it. Raise ValueError."""
    ip = ipaddress.ip_address(address)
    return (ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None) or ip


def is_nobodys(ip: IP) -> bool:
    """Return whether it is not of one machine. Some systems dial themselves at 0.0.0.0."""
    is_here = isinstance(ip, ipaddress.IPv4Address) and ip in _NO_NETWORK
    return ip.is_unspecified or ip.is_multicast or is_here or ip == _BROADCAST


def _check_address(given: str) -> str:
    """Return a numeric address unchanged; raise BadBytes, also for a name to be looked up."""
    try:
        ip = parse_ip(given)
    except ValueError as fault:
        raise BadBytes("no address") from fault
    if is_nobodys(ip) or "%" in given:
        raise BadBytes("an address that is nobody's")
    return given


def is_one_machine(address: str) -> bool:
    """Return whether a seat may send this address: no name, and no zone of this machine."""
    try:
        _check_address(text(address, MAX_ADDRESS))
    except BadBytes:
        return False
    return True


def read_start_target(address: object, port: object) -> Target:
    """Return the target that the host names for a seat, "" for its own machine; raise BadBytes."""
    # A loopback address would lead to a program on the machine of the reader.
    given = text(address, MAX_ADDRESS)
    if given and is_loopback(_check_address(given)):
        raise BadBytes("an address of the reader's own machine")
    return given, integer(port, 0, 65_535)


def can_be_told(address: str) -> bool:
    """Return whether a host can name to guests this address, from which a link has come."""
    try:
        read_start_target(address, 0)
    except BadBytes:
        return False
    return True


def is_public(address: str) -> bool:
    try:
        return parse_ip(address).is_global
    except ValueError:
        return False


@dataclass(slots=True)
class AddressBook:
    """The newest addresses of each seat, and where its last link came from."""

    game: bytes
    players: tuple[Player, ...]
    newest_of_seat: dict[Seat, SignedAddress] = field(default_factory=dict)
    last_link_addresses: dict[Seat, str] = field(default_factory=dict)
    """The address of the last link of each seat; empty for this machine's loopback."""

    def accept(self, signed: Signed, *, near: bool = True) -> SignedAddress | None:
        """Take in the addresses of a seat; return them if they are new; raise BadBytes."""
        # `near` says that the body came over loopback; elsewhere loopback addresses are ignored.
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
        """Return where to dial `seat`, best target first.

        The address of its last link comes first, with the port that the seat has sent since, or
        else `port`. For a seat on this machine the machine's own addresses (`here`) are left out.
        """
        known, seen = self.newest_of_seat.get(seat), self.last_link_addresses.get(seat)
        told = () if known is None else known.targets
        found = []
        if seen is not None and (told or port):
            found.append((seen or "127.0.0.1", told[0][1] if told else port))
        return found + [t for t in told if seen != "" or t[0] not in here]


def is_loopback(address: str) -> bool:
    """Return whether an address as a socket names it is this machine's loopback."""
    try:
        return parse_ip(address.partition("%")[0]).is_loopback
    except ValueError:
        return False


def is_link_local_ipv6(address: str) -> bool:
    """Return whether an address means a machine only on one cable, so that it needs a zone."""
    try:
        return ipaddress.IPv6Address(address).is_link_local
    except ValueError:
        return False


def network_of(address: str) -> str:
    """Return the network: an IPv4 address, or the /64 that a machine on a LAN has whole."""
    try:
        own = ipaddress.IPv6Address(address.partition("%")[0])
    except ipaddress.AddressValueError:
        return address
    if own.ipv4_mapped is not None:
        return str(own.ipv4_mapped)
    return str(ipaddress.IPv6Network((own, 64), strict=False))


# -- announcements of open tables on the LAN (PROTOCOL.md 6.4) -----------------------------
#
# A `Poster`, its form as the properties of a DNS-SD record, and the reading of such records.
# Anybody on the network can send a record. So reading is bounded and skips unknown properties. It
# gives None for a record that no table of this program would send. A poster proves nothing: a
# guest learns the truth in the handshake of the link.


MAX_FOUND_TABLES = 50
"""How many tables one search of the network shows at most: those that were heard first."""
MAX_TABLES_OF_ADDRESS = 4
"""How many of them may be at one address, so that one machine cannot crowd out the others."""
MAX_NUMBERS_OF_TABLE = 4
"""How many numbers the records of one table may give it: those that were heard first."""
FIRST_CODE_NUMBER, LAST_CODE_NUMBER = 1000, 9999
MAX_HEARD_RECORDS = 500
"""How many records one search takes in before it chooses."""
MAX_RECORD_ADDRESSES = 8
_RULES_NAME = re.compile(r"[a-z][a-z0-9-]{0,15}")
_MAX_LABEL_BYTES = 50
"""The limit for a player's name in the label of a record. DNS allows 63 bytes, which must also
hold a mark that makes the label unique."""


@dataclass(frozen=True, slots=True)
class Poster:
    """An open table as its host announces it."""

    host: str
    rules: str
    seats: int
    free: int
    port: int
    open: bool = True
    protocol: int = PROTOCOL_VERSION
    rules_version: int = RULES_VERSION
    code_number: int = 0
    """That of its code; 0: it has none."""

    @property
    def takes_guests(self) -> bool:
        same = (self.protocol, self.rules_version) == (PROTOCOL_VERSION, RULES_VERSION)
        return self.open and self.free > 0 and same


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table that a search of the LAN has found."""

    poster: Poster
    addresses: tuple[str, ...]
    """Where to dial the host, best address first; at least one."""
    numbers: tuple[int, ...] = ()
    """Those of codes in its records. One is its own; the others, if any, are from strangers."""


def txt_properties(poster: Poster) -> dict[str, str]:
    numbered = {"code": str(poster.code_number)} if poster.code_number else {}
    return {
        "txtvers": "1",
        "protocol": str(poster.protocol),
        "rulesver": str(poster.rules_version),
        "rules": poster.rules,
        "host": poster.host,
        "seats": str(poster.seats),
        "free": str(poster.free),
        "state": "open" if poster.open else "closed",
        **numbered,
    }


def record_label(name: str, mark: str) -> str:
    """Return the first label of a record's name, from the host's name and a unique mark."""
    text = " ".join(name.replace(".", " ").split())  # a dot would end the label
    while len(text.encode()) > _MAX_LABEL_BYTES:
        text = text[:-1]
    return f"{text} {mark}".strip()


def parse_poster(found: Mapping[bytes, bytes | None], port: int | None) -> Poster | None:
    """Return the poster of a record, or None if no table of ours would send it."""

    def word(key: str) -> str:
        return (found.get(key.encode()) or b"").decode("utf-8")

    def number(key: str, low: int, high: int) -> int:
        text = word(key)
        if not (text.isascii() and text.isdigit() and len(text) <= 5 and low <= int(text) <= high):
            raise ValueError(key)
        return int(text)

    try:
        seats = number("seats", MIN_SEATS, MAX_SEATS)
        poster = Poster(
            host=clean_name(word("host"), ""),
            rules=word("rules"),
            seats=seats,
            free=number("free", 0, seats - 1),
            port=port or 0,
            open=word("state") == "open",
            protocol=number("protocol", 0, 65535),
            rules_version=number("rulesver", 0, 65535),
            code_number=(
                number("code", FIRST_CODE_NUMBER, LAST_CODE_NUMBER) if word("code") else 0
            ),
        )
    except ValueError:  # not a number, out of bounds, not UTF-8
        return None
    usable = _RULES_NAME.fullmatch(poster.rules) and poster.host and 0 < poster.port < 65536
    return poster if usable else None


def merge_records(
    records: Iterable[tuple[Poster, Iterable[str]]], networks: Iterable[str]
) -> tuple[FoundTable, ...]:
    """Return the found tables, sorted by host name, with addresses usable here.

    Two records with the same best address and port are one table. The first one counts that takes
    guests, else the first: a second record must not make a table look full. The numbers of all
    count, so that none can be hidden. Of more tables than are shown, those count that were heard
    first.
    """
    near = tuple(networks)
    tables: dict[tuple[str, int], FoundTable] = {}
    numbers: dict[tuple[str, int], list[int]] = {}
    at_address: Counter[str] = Counter()
    for poster, addresses in records:
        usable = dialable_here(addresses, near)
        if not usable:
            continue
        at = (usable[0], poster.port)
        if at in tables:
            if poster.takes_guests and not tables[at].poster.takes_guests:
                tables[at] = FoundTable(poster, usable)
        elif len(tables) < MAX_FOUND_TABLES and at_address[usable[0]] < MAX_TABLES_OF_ADDRESS:
            at_address[usable[0]] += 1
            tables[at] = FoundTable(poster, usable)
        if at in tables:
            known, number = numbers.setdefault(at, []), poster.code_number
            if number and number not in known and len(known) < MAX_NUMBERS_OF_TABLE:
                known.append(number)
    found = [replace(table, numbers=tuple(numbers[at])) for at, table in tables.items()]
    return tuple(sorted(found, key=_order))


def _order(table: FoundTable) -> tuple[str, str, int]:
    return table.poster.host.casefold(), table.addresses[0], table.poster.port


def dialable_here(addresses: Iterable[str], networks: Iterable[str]) -> tuple[str, ...]:
    """Return the usable addresses of a record: those on a network of this machine first.

    Private ones follow. A link-local one of IPv6 counts with the zone in which it was heard. A
    record must not lead a guest out of the LAN, or to a port of the guest's own machine unless the
    search was on that machine.
    """
    near = [ipaddress.ip_network(network, strict=False) for network in networks]
    ranked = []
    for address in list(addresses)[:MAX_RECORD_ADDRESSES]:
        try:
            ip = parse_ip(address)
        except ValueError:
            continue
        is_on_cable = is_link_local_ipv6(address) and "%" in address
        here = is_on_cable or any(ip.version == one.version and ip in one for one in near)
        strange = is_nobodys(ip) or ip.is_link_local or ip.is_loopback
        if here or (ip.is_private and not strange):
            ranked.append((not here, ip.version, str(ip)))
    return tuple(dict.fromkeys(address for _far, _version, address in sorted(ranked)))
