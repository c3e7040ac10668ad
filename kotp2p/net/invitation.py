"""Invitations: one link to paste, which lets in to a closed table and says whose table it is.

    kotp2p://192.168.1.20,10.0.0.7:4243/0C5M...

Scope: the link as text, strictly read (PROTOCOL.md 4.3). The code behind the last slash holds the
secret of the table and a fingerprint of its host's key. The places in front of it say only where to
dial: a guest that reaches the host by another address puts that one there. No I/O.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, field

from kotp2p.wire.addresses import DEFAULT_PORT
from kotp2p.wire.crypto import ALPHABET, FINGERPRINT_BYTES, Tag, digest, in_letters

SCHEME = "kotp2p://"
MAX_PLACES = 4
LINK_COLUMNS = 74
"""The longest link: a terminal of 80 columns shows it, quoted, in one row. A link that is broken
into rows cannot be copied."""
LINK_VERSION = 1
WATCH_VERSION = 2
SECRET_BYTES = 10
"""The length of a table's secret. After one connection a stranger can try guesses without any
other, so there must be too many of them."""
_CHECK_BYTES = 4
_NAME = re.compile(r"(?!-)[A-Za-z0-9_.-]{1,253}")
_MISREAD = str.maketrans("ilo", "110")


class BadLink(ValueError):
    """No invitation; `newer`: of a form that this program does not know yet."""

    def __init__(self, why: str, newer: bool = False) -> None:
        super().__init__(why)
        self.newer = newer


@dataclass(frozen=True, slots=True)
class Invitation:
    places: tuple[str, ...]
    port: int
    secret: bytes = field(repr=False)
    host: bytes
    to_watch: bool = False
    """It admits those who want to watch, and no players."""

    @staticmethod
    def create(
        places: tuple[str, ...], port: int, secret: bytes, host: bytes, *, to_watch: bool = False
    ) -> Invitation:
        """Make an invitation with as many of these places as fit into a row."""
        # An IPv6 address is never the only one, as there are players without IPv6.
        count = min(len(places), MAX_PLACES)
        least = 1 + next((n for n in range(count) if ":" not in places[n]), 0)
        while True:
            made = Invitation(places[:count], port, secret, host, to_watch)
            if count <= least or len(made.as_link()) <= LINK_COLUMNS:
                return made
            count -= 1

    def as_link(self) -> str:
        where = ",".join(f"[{p}]" if ":" in p else p for p in self.places)
        port = "" if self.port == DEFAULT_PORT else f":{self.port}"
        return f"{SCHEME}{where}{port}/{self._code()}"

    def _code(self) -> str:
        version = WATCH_VERSION if self.to_watch else LINK_VERSION
        body = bytes((version,)) + self.secret + self.host
        return in_letters(body + digest(Tag.INVITATION, body)[:_CHECK_BYTES])

    @staticmethod
    def parse(text: str) -> Invitation:
        """Read an invitation; raise BadLink if the text is none."""
        rest = text.strip()
        if rest[: len(SCHEME)].lower() != SCHEME or not rest.isascii():
            raise BadLink("not an invitation")
        where, slash, code = rest[len(SCHEME) :].partition("/")
        if not slash:
            raise BadLink("the part behind the address is missing")
        to_watch, secret, host = _read_code(code)
        return Invitation(*_read_places(where), secret, host, to_watch)


def is_link(text: str) -> bool:
    return text.strip()[: len(SCHEME)].lower() == SCHEME


def _read_code(code: str) -> tuple[bool, bytes, bytes]:
    """Return whether a code is for watching, its secret, and the host's fingerprint."""
    size = 1 + SECRET_BYTES + FINGERPRINT_BYTES + _CHECK_BYTES
    letters = code.lower().translate(_MISREAD)
    if not set(letters) <= set(ALPHABET):
        raise BadLink("a letter that no invitation has")
    if len(letters) < 2:
        raise BadLink("it is cut off")
    version = _version(letters)
    if version not in (LINK_VERSION, WATCH_VERSION):
        raise BadLink("of another version", newer=True)
    if len(letters) != size * 8 // 5:
        raise BadLink("it is cut off, or something is stuck to it")
    number = 0
    for letter in letters:
        number = number << 5 | ALPHABET.index(letter)
    data = number.to_bytes(size, "big")
    body, check = data[:-_CHECK_BYTES], data[-_CHECK_BYTES:]
    if digest(Tag.INVITATION, body)[:_CHECK_BYTES] != check:
        raise BadLink("a letter is wrong")
    return version == WATCH_VERSION, body[1 : 1 + SECRET_BYTES], body[1 + SECRET_BYTES :]


def _version(letters: str) -> int:
    """Return the first byte of the code, which the first two letters hold."""
    return (ALPHABET.index(letters[0]) << 5 | ALPHABET.index(letters[1])) >> 2


def _read_places(where: str) -> tuple[tuple[str, ...], int]:
    port = DEFAULT_PORT
    head, _colon, tail = where.rpartition(":")
    if re.fullmatch("[0-9]{1,5}", tail) and head:
        where, port = head, int(tail)
    places = tuple(_read_place(place) for place in where.split(","))
    if not 1 <= port <= 65_535 or len(places) > MAX_PLACES:
        raise BadLink("the address is wrong")
    return places, port


def _read_place(place: str) -> str:
    try:
        if place.startswith("[") and place.endswith("]"):
            return str(ipaddress.IPv6Address(place[1:-1]))
        if re.fullmatch(r"[0-9.]+", place):
            return str(ipaddress.IPv4Address(place))
    except ValueError:
        raise BadLink("the address is wrong") from None
    if not _NAME.fullmatch(place):
        raise BadLink("the address is wrong")
    return place
