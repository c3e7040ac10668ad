"""Firewalls of this machine: what one does to a port, and the command that opens it.

Scope: words, and the reading of what the firewalls' own programs print.
Not here: running these programs (`cli.system.network`).
"""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass
from enum import StrEnum

from kotp2p.cli.text.nft_rules import judge_nft_rules


class FirewallKind(StrEnum):
    UFW = "ufw"
    FIREWALLD = "firewalld"
    NFTABLES = "nftables"
    WINDOWS = "Windows Defender Firewall"
    MACOS = "macOS firewall"


class Verdict(StrEnum):
    OFF = "off"
    ALLOWS = "allows"
    BLOCKS = "blocks"
    UNREADABLE = "unreadable"
    """It is there, and its rules need a password."""


@dataclass(frozen=True, slots=True)
class Firewall:
    kind: FirewallKind
    verdict: Verdict


def opening_command(kind: FirewallKind, port: int, program: str) -> str:
    """What a person types to let others in. `program`: the file that listens."""
    match kind:
        case FirewallKind.UFW:
            return f"sudo ufw allow {port}/tcp"
        case FirewallKind.FIREWALLD:
            return f"sudo firewall-cmd --add-port={port}/tcp"
        case FirewallKind.NFTABLES:
            return f"sudo nft insert rule inet filter input tcp dport {port} accept"
        case FirewallKind.WINDOWS:
            return (
                'netsh advfirewall firewall add rule name="kotp2p" dir=in action=allow '
                f"protocol=TCP localport={port}"
            )
        case FirewallKind.MACOS:
            tool = "/usr/libexec/ApplicationFirewall/socketfilterfw"
            return f"sudo {tool} --unblockapp {shlex.quote(program)}"


_UFW_RULE = re.compile(r"(\S+)(?: \(v6\))?(?: on \S+)?\s+(ALLOW|LIMIT|DENY|REJECT)\b(?! OUT)")


def judge_ufw(status: str, port: int) -> Verdict:
    """`status`: what `ufw status verbose` prints. The first rule that fits decides."""
    if "Status: active" not in status:
        return Verdict.OFF
    for line in status.splitlines():
        found = _UFW_RULE.match(line)
        if found and _names_port(found[1], port):
            return Verdict.ALLOWS if found[2] in ("ALLOW", "LIMIT") else Verdict.BLOCKS
    return Verdict.ALLOWS if "Default: allow (incoming)" in status else Verdict.BLOCKS


def judge_firewalld(zone: str, port: int) -> Verdict:
    """`zone`: what `firewall-cmd --list-all` prints."""
    lines = dict(re.findall(r"^ *([a-z-]+): *(.*)$", zone, re.MULTILINE))
    ports = str(lines.get("ports", "")).split()
    is_open = lines.get("target") == "ACCEPT" or any(_names_port(p, port) for p in ports)
    return Verdict.ALLOWS if is_open else Verdict.BLOCKS


def judge_nftables(ruleset: str, port: int) -> Verdict:
    """`ruleset`: what `nft -j list ruleset` prints. Raises ValueError if it is none."""
    document = json.loads(ruleset)
    if not isinstance(document, dict) or not isinstance(document.get("nftables"), list):
        raise ValueError("no rules of nft")
    is_open = judge_nft_rules(document["nftables"], port)
    if is_open is None:
        return Verdict.OFF
    return Verdict.ALLOWS if is_open else Verdict.BLOCKS


def _names_port(text: str, port: int) -> bool:
    """`text`: as in 4242/tcp, 4000:5000/tcp, 80,4242 or Anywhere."""
    ports, _slash, protocol = text.partition("/")
    if protocol not in ("", "tcp"):
        return False
    if ports == "Anywhere":
        return True
    for part in ports.split(","):
        low, _sign, high = part.replace("-", ":").partition(":")
        if low.isdigit() and (high or low).isdigit() and int(low) <= port <= int(high or low):
            return True
    return False
