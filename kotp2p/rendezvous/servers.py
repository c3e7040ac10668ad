"""The two servers that a code asks, and how a person names others.

A module of its own, as the settings read it without the exchange. Scope: the only place where the
addresses of public servers stand. Both are run by the people of magic-wormhole, and anybody can run
their own (`magic-wormhole-mailbox-server`, `magic-wormhole-transit-relay`).
"""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

PUBLIC_MAILBOX = "ws://relay.magic-wormhole.io:4000/v1"
"""It introduces a guest to a host."""
PUBLIC_RELAY = "tcp:transit.magic-wormhole.io:4001"
"""It carries the bytes of a link, which are TLS, where no direct way is found."""
MAX_SERVER_TEXT = 200
_RELAY = re.compile(r"tcp:(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.-]{1,180}):(?P<port>[0-9]{1,5})")


@dataclass(frozen=True, slots=True)
class Servers:
    mailbox: str = PUBLIC_MAILBOX
    """A websocket; empty: this process asks for no introduction."""
    relay: str = PUBLIC_RELAY
    """`tcp:HOST:PORT`; empty: it lets no link be carried."""


NO_SERVERS = Servers("", "")


def check_mailbox(text: str) -> str:
    """Return `text` if it can be a mailbox, or is empty; else raise ValueError."""
    if not text:
        return text
    found = urlsplit(text)
    is_one = found.scheme in ("ws", "wss") and found.hostname and found.username is None
    if not is_one or len(text) > MAX_SERVER_TEXT or not text.isascii() or not text.isprintable():
        raise ValueError("no websocket")
    _ = found.port  # raises ValueError itself
    return text


def check_relay(text: str) -> str:
    """Return `text` if it can be a relay, or is empty; else raise ValueError."""
    if text:
        relay_target(text)
    return text


def relay_target(text: str) -> tuple[str, int]:
    found = _RELAY.fullmatch(text)
    if found is None or len(text) > MAX_SERVER_TEXT or not 1 <= int(found["port"]) <= 65_535:
        raise ValueError("no relay")
    return found["host"].strip("[]"), int(found["port"])


def mailbox_host(text: str) -> str:
    return urlsplit(text).hostname or text


def relay_host(text: str) -> str:
    return relay_target(text)[0] if text else ""
