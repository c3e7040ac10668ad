"""What a player types after `join`: a code, ADDRESS, ADDRESS:PORT, the link of an invitation, or
the two words by which a table is found on the LAN.

A bare IPv6 address holds colons itself, so it has no port; in brackets it may have one. An
IPv6 zone (`fe80::1%eth0`) belongs to the address and is passed on untouched.
"""

from __future__ import annotations

import ipaddress
import re

from kotp2p.cli.text.code_words import describe_bad_code
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.own_command import typeable
from kotp2p.net.invitation import BadLink, Invitation
from kotp2p.rendezvous.words import BadCode, Code, is_like_code, read_code
from kotp2p.wire.addresses import DEFAULT_PORT
from kotp2p.wire.names import name_words


class BadAddress(ValueError):
    """Says in one sentence what is wrong."""


_NAME = re.compile(r"(?!-)[A-Za-z0-9_.-]{1,253}")
_WORD = re.compile(r"[a-z]+")
_ROW_BREAK = re.compile(r"[ \t]*[\r\n]+[ \t]*")
"""A link that is longer than a row of the screen may be copied with the break in it."""
PHRASE_WORDS = 4
_COMMANDS = (["kotp2p", "join"], ["kotp2p", "watch"])


def parse_address(text: str) -> tuple[str, int]:
    """Host and port; BadAddress with a sentence for the user."""
    text = text.strip()
    if " " in text:
        raise BadAddress(_explain_words(text.split()))
    if text.startswith("["):
        inside, bracket, rest = text[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise BadAddress(_("{text} is not an address; IPv6: [::1]:4243.", text=text))
        return _ipv6(inside, text), _port(rest[1:], text) if rest else DEFAULT_PORT
    if text.count(":") > 1:
        return _ipv6(text, text), DEFAULT_PORT
    host, colon, port = text.partition(":")
    return _host(host, text), _port(port, text) if colon else DEFAULT_PORT


def parse_invitation(text: str, *, to_watch: bool = False) -> Invitation:
    """BadAddress with a sentence for the user; also for an invitation of the other kind."""
    try:
        found = Invitation.parse(_ROW_BREAK.sub("", text))
    except BadLink as fault:
        if fault.newer:
            raise BadAddress(
                _("This invitation is from another version of kotp2p: install the host's version.")
            ) from None
        raise BadAddress(
            _("This invitation cannot be read: copy the whole link from the host's screen again.")
        ) from None
    if found.to_watch == to_watch:
        return found
    if found.to_watch:
        raise BadAddress(
            _(
                "This invitation is one to watch, by: {command}",
                command=typeable("kotp2p watch LINK"),
            )
        )
    raise BadAddress(
        _("This invitation is one to play. To watch, ask the host for the other link, which "
          "--watchers makes.")
    )  # fmt: skip


def parse_code(text: str) -> Code:
    """BadAddress with a sentence for the user."""
    try:
        return read_code(text)
    except BadCode as fault:
        raise BadAddress(describe_bad_code(fault)) from None


def read_table_words(text: str) -> str:
    """The name of a table on the LAN, as its record would have it; empty if the text means
    something else. Two words with a space between mean a name, whatever words they are. With a
    hyphen they may also be a machine, and mean a name only if both are of the list."""
    typed = text.strip().lower()
    words = typed.split()
    is_name = len(words) == 2 and all(map(_WORD.fullmatch, words))
    if len(words) == 1:
        words = typed.split("-")
        is_name = len(words) == 2 and set(words) <= set(name_words())
    return " ".join(sorted(words)) if is_name else ""


def read_pasted(line: str) -> str:
    """What a typed line has to join with: the line may begin with the command, as on the host's
    screen."""
    words = line.split()
    if words[:2] in _COMMANDS:
        words = words[2:]
    typed = " ".join(words)
    return typed if read_table_words(typed) or is_like_code(typed) else " ".join(words[-1:])


def format_address(address: str, port: int) -> str:
    """ADDRESS as it is typed behind `join`; the usual port is left out."""
    if port == DEFAULT_PORT:
        return address
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def _explain_words(words: list[str]) -> str:
    """Several words that are no name of a table."""
    place, port = words[0], words[1]
    if len(words) == 2 and port.isascii() and port.isdigit():
        where = f"[{place}]" if place.count(":") > 1 else place
        return _("The port stands behind the address with a colon: {address}",
                 address=f"{where}:{port}")  # fmt: skip
    if 2 < len(words) <= PHRASE_WORDS and all(map(_WORD.fullmatch, words)):
        return _("A table's name has two words; to go on with the game of a table phrase: "
                 "{command}", command=typeable(" ".join(["kotp2p resume", *words])))  # fmt: skip
    return _("{text} is neither one address nor the two words of a table's name.",
             text=" ".join(words))  # fmt: skip


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
