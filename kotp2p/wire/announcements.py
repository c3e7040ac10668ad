"""What a table says of itself on the LAN, and what is believed of what others say there.

Scope: a `Poster`, its form as the properties of a DNS-SD record (PROTOCOL.md, Finding
tables), and the reading of such records. They come from anybody on the network, so reading is
bounded, keeps nothing that it does not know, and gives None for what no table of ours would say.
A poster proves nothing: the handshake of the link shows what is there.

No I/O; `kotp2p.net.lan` sends and receives.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kotp2p.wire.genesis import MAX_SEATS, MIN_SEATS, PROTOCOL_VERSION
from kotp2p.wire.names import clean_name
from referee.box.rulesets import RULES_VERSION

MAX_FOUND_TABLES = 50
"""What a look around the network brings at most."""
MAX_RECORD_ADDRESSES = 8
_RULES_NAME = re.compile(r"[a-z][a-z0-9-]{0,15}")
_MAX_LABEL_BYTES = 50
"""Bytes of a name in the name of its record; 63 may be there, with a mark that makes it unique."""


@dataclass(frozen=True, slots=True)
class Poster:
    """A table in its lobby."""

    host: str
    """Name of the player who opened it."""
    rules: str
    seats: int
    free: int
    port: int
    open: bool = True
    """False: the start is under way."""
    protocol: int = PROTOCOL_VERSION
    rules_version: int = RULES_VERSION

    @property
    def takes_guests(self) -> bool:
        """Whether somebody with this program may sit down now."""
        same = (self.protocol, self.rules_version) == (PROTOCOL_VERSION, RULES_VERSION)
        return self.open and self.free > 0 and same


@dataclass(frozen=True, slots=True)
class FoundTable:
    poster: Poster
    addresses: tuple[str, ...]
    """Where it may be dialled, best first; at least one."""


def txt_properties(poster: Poster) -> dict[str, str]:
    """The pairs of its TXT record."""
    return {
        "txtvers": "1",
        "protocol": str(poster.protocol),
        "rulesver": str(poster.rules_version),
        "rules": poster.rules,
        "host": poster.host,
        "seats": str(poster.seats),
        "free": str(poster.free),
        "state": "open" if poster.open else "closed",
    }


def record_label(name: str, mark: str) -> str:
    """The first label of a record's name. Dots would look like the end of a label."""
    text = " ".join(name.replace(".", " ").split())
    while len(text.encode()) > _MAX_LABEL_BYTES:
        text = text[:-1]
    return f"{text} {mark}".strip()


def parse_poster(found: Mapping[bytes, bytes | None], port: int | None) -> Poster | None:
    """A poster from the properties and the port of a record, or None."""

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
        )
    except ValueError:  # not a number, out of bounds, not UTF-8
        return None
    usable = _RULES_NAME.fullmatch(poster.rules) and poster.host and 0 < poster.port < 65536
    return poster if usable else None


def merge_records(
    records: Iterable[tuple[Poster, Iterable[str]]], networks: Iterable[str]
) -> tuple[FoundTable, ...]:
    """One table for each place, by name, with the addresses that this machine can use. What is
    announced twice under two names is the same table: the first counts."""
    near = tuple(networks)
    tables: dict[tuple[str, int], FoundTable] = {}
    for poster, addresses in records:
        usable = dialable_here(addresses, near)
        if usable and len(tables) < MAX_FOUND_TABLES:
            tables.setdefault((usable[0], poster.port), FoundTable(poster, usable))
    return tuple(sorted(tables.values(), key=_order))


def _order(table: FoundTable) -> tuple[str, str, int]:
    return table.poster.host.casefold(), table.addresses[0], table.poster.port


def dialable_here(addresses: Iterable[str], networks: Iterable[str]) -> tuple[str, ...]:
    """Of the addresses that a record claims: those on a network of this machine first, then other
    private ones. A record cannot send anybody out of the LAN, nor to a port of the reader's
    own machine unless that is where was looked."""
    near = [ipaddress.ip_network(network, strict=False) for network in networks]
    ranked = []
    for address in list(addresses)[:MAX_RECORD_ADDRESSES]:
        try:
            ip = ipaddress.ip_address(address)
        except ValueError:
            continue
        here = any(ip.version == network.version and ip in network for network in near)
        strange = ip.is_unspecified or ip.is_multicast or ip.is_link_local or ip.is_loopback
        if here or (ip.is_private and not strange):
            ranked.append((not here, ip.version, str(ip)))
    return tuple(dict.fromkeys(address for _far, _version, address in sorted(ranked)))
