"""What this machine knows of its networks and firewalls, without a password and a packet.

Scope: the interface of each address, the network that an address belongs to, whether a neighbour
was heard, and which firewall runs. Only read.
"""

from __future__ import annotations

import ipaddress
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

from kotp2p.cli.text.how_to_join import (
    ELSEWHERE,
    Firewall,
    FirewallKind,
    Verdict,
    WayThere,
    judge_firewalld,
    judge_nftables,
    judge_ufw,
)
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
#
# The firewalls' own programs are run. Nothing is changed, and nothing asks for a password:
# firewalld is asked for its rules only by an administrator, as it could ask.


UFW_SETTINGS = Path("/etc/ufw/ufw.conf")
FIREWALLD_RUNS = Path("/run/firewalld.pid")
ANSWER_SECONDS = 5
"""The time limit for one of these programs."""


def likely_firewall() -> FirewallKind | None:
    """Return the firewall that most likely runs here, judged by its files alone."""
    if sys.platform == "win32":
        return FirewallKind.WINDOWS
    if sys.platform == "darwin":
        return FirewallKind.MACOS
    if _is_ufw_enabled():
        return FirewallKind.UFW
    if FIREWALLD_RUNS.exists():
        return FirewallKind.FIREWALLD
    return FirewallKind.NFTABLES if _find_program("nft") else None


def read_firewalls(port: int) -> list[Firewall]:
    """Return what the firewalls do to the port.

    ufw and firewalld write rules of nftables, so these are read only without the two.
    """
    if sys.platform in ("win32", "darwin"):
        kind = FirewallKind.WINDOWS if sys.platform == "win32" else FirewallKind.MACOS
        return [Firewall(kind, Verdict.UNREADABLE)]
    found = [one for one in (_read_ufw(port), _read_firewalld(port)) if one is not None]
    if any(one.verdict is not Verdict.OFF for one in found):
        return found
    nft = _read_nftables(port)
    return [*found, nft] if nft is not None else found


def _read_ufw(port: int) -> Firewall | None:
    if _find_program("ufw") is None:
        return None
    text = _ask("ufw", "status", "verbose")
    if text is not None:
        return Firewall(FirewallKind.UFW, judge_ufw(text, port))
    return Firewall(FirewallKind.UFW, Verdict.UNREADABLE if _is_ufw_enabled() else Verdict.OFF)


def _read_firewalld(port: int) -> Firewall | None:
    if _find_program("firewall-cmd") is None:
        return None
    if (_ask("firewall-cmd", "--state") or "").strip() != "running":
        return Firewall(FirewallKind.FIREWALLD, Verdict.OFF)
    zone = _ask("firewall-cmd", "--list-all") if os.geteuid() == 0 else None
    verdict = Verdict.UNREADABLE if zone is None else judge_firewalld(zone, port)
    return Firewall(FirewallKind.FIREWALLD, verdict)


def _read_nftables(port: int) -> Firewall | None:
    if _find_program("nft") is None:
        return None
    rules = _ask("nft", "-j", "list", "ruleset")
    try:
        verdict = Verdict.UNREADABLE if rules is None else judge_nftables(rules, port)
    except (ValueError, TypeError, AttributeError):  # a form that is not known here
        verdict = Verdict.UNREADABLE
    return Firewall(FirewallKind.NFTABLES, verdict)


def _is_ufw_enabled() -> bool:
    try:
        return "ENABLED=yes" in UFW_SETTINGS.read_text("utf-8", "replace").splitlines()
    except OSError:
        return False


def _find_program(name: str) -> str | None:
    """Return the path of a program, searching the folders of administrators as well."""
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"))
    return shutil.which(name, path=path)


def _ask(name: str, *words: str) -> str | None:
    """Return what the program prints, or None if it fails or takes too long."""
    program = _find_program(name)
    if program is None:
        return None
    try:
        ran = subprocess.run(
            [program, *words], stdin=subprocess.DEVNULL, capture_output=True, check=False,
            timeout=ANSWER_SECONDS, env={**os.environ, "LC_ALL": "C"},
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    return ran.stdout.decode("utf-8", "replace") if ran.returncode == 0 else None
