"""What this machine knows of its interfaces and firewalls, without a password and a packet."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from kotp2p.cli.text.how_to_join import FirewallKind
from kotp2p.net.lan import own_addresses


def interface_of_address() -> dict[str, str]:
    """Return the interface of each address of this machine."""
    return {address: interface for interface, address in own_addresses()}


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
