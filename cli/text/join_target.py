"""What a player types after `join`: ADDRESS, ADDRESS:PORT, or the link of an invitation.

A bare IPv6 address holds colons itself, so it has no port; in brackets it may have one. An
IPv6 zone (`fe80::1%eth0`) belongs to the address and is passed on untouched.
"""

from __future__ import annotations

import ipaddress
import re

from cli.text.i18n import _
from kotp2p.net.invitation import BadLink, Invitation
from kotp2p.wire.addresses import DEFAULT_PORT


class BadAddress(ValueError):
    """Says in one sentence what is wrong."""


_NAME = re.compile(r"(?!-)[A-Za-z0-9_.-]{1,253}")


def parse_address(text: str) -> tuple[str, int]:
    """Host and port; BadAddress with a sentence for the user."""
    text = text.strip()
    if text.startswith("["):
        inside, bracket, rest = text[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise BadAddress(_("{text} is not an address; IPv6: [::1]:4243.", text=text))
        return _ipv6(inside, text), _port(rest[1:], text) if rest else DEFAULT_PORT
    if text.count(":") > 1:
        return _ipv6(text, text), DEFAULT_PORT
    host, colon, port = text.partition(":")
    return _host(host, text), _port(port, text) if colon else DEFAULT_PORT


def parse_invitation(text: str) -> Invitation:
    """BadAddress with a sentence for the user."""
    try:
        return Invitation.parse(text)
    except BadLink as fault:
        if fault.newer:
            raise BadAddress(
                _("This invitation is from another version of kotp2p: install the host's version.")
            ) from None
        raise BadAddress(
            _("This invitation cannot be read: copy the whole link from the host's screen again.")
        ) from None


def format_address(address: str, port: int) -> str:
    """ADDRESS as it is typed behind `join`; the usual port is left out."""
    if port == DEFAULT_PORT:
        return address
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def _ipv6(host: str, text: str) -> str:
    try:
        ipaddress.IPv6Address(host)
    except ValueError:
        raise BadAddress(_("{text} is not an IPv6 address.", text=text)) from None
    return host


def _host(host: str, text: str) -> str:
    if re.fullmatch(r"[0-9.]+", host):
        try:
            ipaddress.IPv4Address(host)
        except ValueError:
            raise BadAddress(
                _("{text} is not an IPv4 address; one looks like 192.168.1.20.", text=text)
            ) from None
        return host
    if not host.isascii():
        try:
            return host.encode("idna").decode("ascii")
        except UnicodeError:
            raise BadAddress(_("{text} is not the name of a machine.", text=text)) from None
    if not _NAME.fullmatch(host):
        raise BadAddress(_("{text} is not an address or the name of a machine.", text=text))
    return host


def _port(port: str, text: str) -> int:
    if not (port.isascii() and port.isdigit()) or not 1 <= int(port) <= 65535:
        raise BadAddress(_("The port in {text} must be a number from 1 to 65535.", text=text))
    return int(port)
