"""What this machine knows of its networks and firewalls, without a password and a packet.

Scope: the interface of each address, the network that an address belongs to, whether a neighbour
was heard, and which firewall runs. Only read.
"""

from __future__ import annotations

import ipaddress
import os
import shutil
import socket
import sys
from pathlib import Path

from kotp2p.cli.text.how_to_join import ELSEWHERE, FirewallKind, WayThere
from kotp2p.net.lan import own_addresses, own_networks
from kotp2p.wire.addresses import is_loopback

# -- networks ------------------------------------------------------------------------------
#
# Interfaces by address, the network that an address belongs to, and whether a neighbour was heard.
# Nothing here needs more rights than the player has.


ARP_TABLE = Path("/proc/net/arp")
_HAS_ANSWERED = 0x2
"""The flag of the table for a machine that has answered."""


def interface_of_address() -> dict[str, str]:
    """Return the interface of each address of this machine."""
    return {address: interface for interface, address in own_addresses()}


def find_way(host: str, port: int) -> WayThere:
    """Return the way to a machine; looking its name up may take a while."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return ELSEWHERE
    address = str(found[0][4][0])
    interface = network_interface(address)
    return WayThere(interface, bool(interface) and is_neighbour(address))


def network_interface(address: str) -> str:
    """Return the interface on whose network the address is, or an empty string."""
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
    """Return whether a machine has answered to this IPv4 address.

    Return False where this system has no table of neighbours.
    """
    try:
        lines = ARP_TABLE.read_text("ascii", "replace").splitlines()
    except OSError:
        return False
    return has_answered(lines, address)


def has_answered(lines: list[str], address: str) -> bool:
    """Return whether the address has answered, by the lines of Linux's ARP table."""
    cells = [line.split() for line in lines[1:]]
    return any(
        row[0] == address and int(row[2], 16) & _HAS_ANSWERED for row in cells if len(row) > 2
    )


# -- firewalls -----------------------------------------------------------------------------


UFW_SETTINGS = Path("/etc/ufw/ufw.conf")
FIREWALLD_RUNS = Path("/run/firewalld.pid")


def likely_firewall() -> FirewallKind | None:
    """Return the firewall that most likely runs here, judged by its files alone.

    Its rules can be read by an administrator only.
    """
    if sys.platform == "win32":
        return FirewallKind.WINDOWS
    if sys.platform == "darwin":
        return FirewallKind.MACOS
    if _is_ufw_enabled():
        return FirewallKind.UFW
    if FIREWALLD_RUNS.exists():
        return FirewallKind.FIREWALLD
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"))
    return FirewallKind.NFTABLES if shutil.which("nft", path=path) else None


def _is_ufw_enabled() -> bool:
    try:
        return "ENABLED=yes" in UFW_SETTINGS.read_text("utf-8", "replace").splitlines()
    except OSError:
        return False
