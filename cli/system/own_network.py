"""What this machine knows of its own networks, without a word on any of them.

Scope: the names behind its addresses, which network an address belongs to, and whether a neighbour
was heard. Nothing here needs more rights than the player has.
"""

from __future__ import annotations

import ipaddress
import socket
from pathlib import Path

from kotp2p.cli.text.no_answer import ELSEWHERE, WayThere
from kotp2p.net.interfaces import own_addresses, own_networks
from kotp2p.wire.addresses import is_loopback

ARP_TABLE = Path("/proc/net/arp")
_HAS_ANSWERED = 0x2
"""The flag of the table for a machine that has answered."""


def interface_of_address() -> dict[str, str]:
    """The interface that has each address of this machine."""
    return {address: interface for interface, address in own_addresses()}


def find_way(host: str, port: int) -> WayThere:
    """The way to a machine, by its name or address. It looks names up, which may take a while."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return ELSEWHERE
    address = str(found[0][4][0])
    interface = network_interface(address)
    return WayThere(interface, bool(interface) and is_neighbour(address))


def network_interface(address: str) -> str:
    """The own interface on whose network the address is; empty if it is on none."""
    bare, _percent, zone = address.partition("%")
    if zone:
        return zone
    if is_loopback(bare):
        return ""
    names, ip = interface_of_address(), ipaddress.ip_address(bare)
    for network in own_networks():
        if ip in ipaddress.ip_network(network, strict=False):
            return names.get(network.partition("/")[0], "")
    return ""


def is_neighbour(address: str) -> bool:
    """Whether a machine has answered to this IPv4 address. False where this system has no table."""
    try:
        lines = ARP_TABLE.read_text("ascii", "replace").splitlines()
    except OSError:
        return False
    return has_answered(lines, address)


def has_answered(lines: list[str], address: str) -> bool:
    """`lines`: those of Linux's table of neighbours."""
    cells = [line.split() for line in lines[1:]]
    return any(
        row[0] == address and int(row[2], 16) & _HAS_ANSWERED for row in cells if len(row) > 2
    )
