"""Announcements of open tables on the LAN (PROTOCOL.md 6.4).

Scope: a `Poster`, its form as the properties of a DNS-SD record, and the reading of such records.
Anybody on the network can send a record. So reading is bounded and skips unknown properties. It
gives None for a record that no table of this program would send. A poster proves nothing: a guest
learns the truth in the handshake of the link.
Not here: sending and receiving (`kotp2p.net.lan`).
"""

from __future__ import annotations

import ipaddress
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.wire.addresses import is_nobodys, parse_ip
from kotp2p.wire.genesis import MAX_SEATS, MIN_SEATS, PROTOCOL_VERSION
from kotp2p.wire.names import clean_name
from kotp2p.wire.table_names import read_table_name

MAX_FOUND_TABLES = 50
"""How many tables one search of the network shows at most: those that were heard first."""
MAX_TABLES_OF_ADDRESS = 4
"""How many of them may be at one address, so that one machine cannot crowd out the others."""
MAX_NAMES_OF_TABLE = 4
"""How many names the records of one table may give it: those that were heard first."""
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
    """The name of the host."""
    rules: str
    seats: int
    free: int
    port: int
    open: bool = True
    """False while a start is under way."""
    protocol: int = PROTOCOL_VERSION
    rules_version: int = RULES_VERSION
    table_name: str = ""
    """Two words by which the table is found on the LAN; empty: it has none."""

    @property
    def takes_guests(self) -> bool:
        """Whether a guest with this program can sit down now."""
        same = (self.protocol, self.rules_version) == (PROTOCOL_VERSION, RULES_VERSION)
        return self.open and self.free > 0 and same


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table that a search of the LAN has found."""

    poster: Poster
    addresses: tuple[str, ...]
    """Where to dial the host, best address first; at least one."""
    names: tuple[str, ...] = ()
    """What its records call it. One is its own; the others, if any, are from somebody else."""


def txt_properties(poster: Poster) -> dict[str, str]:
    """The properties of the TXT record of `poster`."""
    named = {"name": poster.table_name} if poster.table_name else {}
    return {
        "txtvers": "1",
        "protocol": str(poster.protocol),
        "rulesver": str(poster.rules_version),
        "rules": poster.rules,
        "host": poster.host,
        "seats": str(poster.seats),
        "free": str(poster.free),
        "state": "open" if poster.open else "closed",
        **named,
    }


def record_label(name: str, mark: str) -> str:
    """The first label of a record's name, from the host's name and a unique mark."""
    text = " ".join(name.replace(".", " ").split())  # a dot would end the label
    while len(text.encode()) > _MAX_LABEL_BYTES:
        text = text[:-1]
    return f"{text} {mark}".strip()


def parse_poster(found: Mapping[bytes, bytes | None], port: int | None) -> Poster | None:
    """The poster of a record's properties and port; None if no table of ours would send them."""

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
            table_name=read_table_name(word("name")),
        )
    except ValueError:  # not a number, out of bounds, not UTF-8, not of the list
        return None
    usable = _RULES_NAME.fullmatch(poster.rules) and poster.host and 0 < poster.port < 65536
    return poster if usable else None


def merge_records(
    records: Iterable[tuple[Poster, Iterable[str]]], networks: Iterable[str]
) -> tuple[FoundTable, ...]:
    """The found tables, sorted by host name, with the addresses that this machine can use.

    Two records with the same best address and port are one table. The first one counts that takes
    guests, else the first: nobody must be able to make a table look full by a second record of it.
    The names of all count, so that nobody can hide the name of a table. Of more tables than are
    shown, those count that were heard first.
    """
    near = tuple(networks)
    tables: dict[tuple[str, int], FoundTable] = {}
    names: dict[tuple[str, int], list[str]] = {}
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
            _note_name(names.setdefault(at, []), poster.table_name)
    found = [replace(table, names=tuple(names[at])) for at, table in tables.items()]
    return tuple(sorted(found, key=_order))


def _note_name(known: list[str], name: str) -> None:
    if name and name not in known and len(known) < MAX_NAMES_OF_TABLE:
        known.append(name)


def _order(table: FoundTable) -> tuple[str, str, int]:
    return table.poster.host.casefold(), table.addresses[0], table.poster.port


def dialable_here(addresses: Iterable[str], networks: Iterable[str]) -> tuple[str, ...]:
    """The usable ones of a record's addresses: on a network of this machine first, then private.

    A record must not lead a guest out of the LAN, or to a port of the guest's own machine unless
    the search was on that machine.
    """
    near = [ipaddress.ip_network(network, strict=False) for network in networks]
    ranked = []
    for address in list(addresses)[:MAX_RECORD_ADDRESSES]:
        try:
            ip = parse_ip(address)
        except ValueError:
            continue
        here = any(ip.version == network.version and ip in network for network in near)
        strange = is_nobodys(ip) or ip.is_link_local or ip.is_loopback
        if here or (ip.is_private and not strange):
            ranked.append((not here, ip.version, str(ip)))
    return tuple(dict.fromkeys(address for _far, _version, address in sorted(ranked)))
