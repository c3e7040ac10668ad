"""The exchange that proves the words of a code: SPAKE2, a confirmation, a sealed introduction.

    ID/1  guest  versions, program, SPAKE2 element
    ID/2  host   versions, program, SPAKE2 element, made anew for this ID
    ID/3  guest  sealed: where the mailbox sees it
    ID/4  host   sealed: how it comes to the table

Scope: the four bodies and the keys (PROTOCOL.md 4.5). A listener cannot try words later: each
exchange lets one side test one guess, and the guest confirms first, so only the host is asked.
Versions stand in clear in the first two bodies, as both sides should read who must update.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.rendezvous.servers import MAX_SERVER_TEXT, check_relay, relay_target
from kotp2p.rendezvous.words import Code
from kotp2p.wire.addresses import MAX_ADDRESS, MAX_ADDRESSES, Target, is_one_machine
from kotp2p.wire.crypto import FINGERPRINT_BYTES, Tag, derive, digest, exchange_secret
from kotp2p.wire.encoding import BadBytes, Value, array, integer, octets, pack, text, unpack
from kotp2p.wire.genesis import PROTOCOL_VERSION

if TYPE_CHECKING:
    from spake2 import SPAKE2_A, SPAKE2_B

APP_ID = "kotp2p/rendezvous/1"
"""Under which a mailbox server keeps our mailboxes apart from those of other programs."""
ID_BYTES = 8
ELEMENT_BYTES = 33
MAX_BODY_BYTES = 4096
TOKEN_BYTES = 32
MAX_SECRET_BYTES = 64
MAX_PROGRAM = 40
_ZERO_NONCE = bytes(12)
"""Each key seals one body."""
Entropy: TypeAlias = Callable[[int], bytes]


class WrongWords(Exception):
    """The other side does not know the words of this code."""


class OtherVersion(Exception):
    """The other side speaks another version; `theirs` is PROTOCOL.RULES."""

    def __init__(self, theirs: tuple[int, int], program: str) -> None:
        super().__init__(f"{theirs[0]}.{theirs[1]}")
        self.theirs, self.program = theirs, program


def mailbox_name(number: int) -> str:
    return f"kotp2p/1/{number}"


@dataclass(frozen=True, slots=True)
class Opening:
    """ID/1 and ID/2: what each side says in clear."""

    protocol: int
    rules: int
    program: str
    element: bytes

    def encode(self) -> bytes:
        return pack((self.protocol, self.rules, self.program, self.element))

    @staticmethod
    def decode(body: bytes) -> Opening:
        protocol, rules, program, element = array(_unpack(body), 4)
        return Opening(
            integer(protocol, 0, 65_535),
            integer(rules, 0, 65_535),
            text(program, MAX_PROGRAM),
            octets(element, ELEMENT_BYTES),
        )


def _unpack(body: bytes) -> Value:
    if len(body) > MAX_BODY_BYTES:
        raise BadBytes("a body that is too long")
    return unpack(body)


def _own_opening(program: str, element: bytes) -> Opening:
    return Opening(PROTOCOL_VERSION, RULES_VERSION, program[:MAX_PROGRAM], element)


@dataclass(frozen=True, slots=True)
class Introduction:
    """ID/4: how a guest comes to the table."""

    secret: bytes = field(repr=False)
    host: bytes
    targets: tuple[Target, ...]
    relay: str = ""
    """`tcp:HOST:PORT`; empty: there is none."""
    token: bytes = field(default=b"", repr=False)
    """At the relay, for this guest alone; empty: there is none."""

    def encode(self) -> bytes:
        return pack((self.secret, self.host, self.targets, self.relay, self.token))

    @staticmethod
    def decode(body: bytes) -> Introduction:
        """Decode an introduction of a host, who may still lie; raise BadBytes."""
        secret, host, targets, relay, token = array(_unpack(body), 5)
        pairs = [array(pair, 2) for pair in array(targets, most=MAX_ADDRESSES)]
        where = tuple((text(a, MAX_ADDRESS), integer(p, 1, 65_535)) for a, p in pairs)
        if not all(is_one_machine(address) for address, _ in where):
            raise BadBytes("an address that is none")
        try:
            carrier = check_relay(text(relay, MAX_SERVER_TEXT))
        except ValueError as fault:
            raise BadBytes("no relay") from fault
        return Introduction(
            octets(secret, most=MAX_SECRET_BYTES),
            octets(host, FINGERPRINT_BYTES),
            where,
            carrier,
            octets(token, TOKEN_BYTES if carrier else 0),
        )


def _bound(code_number: int, role: str, guest: str) -> bytes:
    """Return what SPAKE2 binds, besides the words."""
    # The same words at another number, or in another version, give another key.
    return pack((APP_ID, code_number, PROTOCOL_VERSION, RULES_VERSION, role, guest))


def _shared_key(spake: SPAKE2_A | SPAKE2_B, element: bytes) -> bytes:
    """Finish the exchange with the other side's element; raise BadBytes for a useless one."""
    from spake2 import SPAKEError
    from spake2.ed25519_basic import NotOnCurve

    try:
        key: bytes = spake.finish(element)
    except (SPAKEError, NotOnCurve, ValueError, AssertionError) as fault:
        raise BadBytes("no element") from fault
    return key


class _Sealed:
    """The two bodies that only who knows the words can write and read."""

    def __init__(self, key: bytes, guest: str) -> None:
        self._key, self._guest = key, guest

    def _cipher(self, role: str) -> ChaCha20Poly1305:
        named = derive(self._key, Tag.CODE, role.encode(), self._guest.encode())
        return ChaCha20Poly1305(named)

    def seal(self, role: str, plain: bytes) -> bytes:
        return self._cipher(role).encrypt(_ZERO_NONCE, plain, APP_ID.encode())

    def unseal(self, role: str, sealed: bytes) -> bytes:
        try:
            return self._cipher(role).decrypt(_ZERO_NONCE, sealed, APP_ID.encode())
        except InvalidTag as fault:
            raise WrongWords from fault


class GuestExchange:
    def __init__(self, code: Code, entropy: Entropy, program: str = "") -> None:
        self.id = entropy(ID_BYTES).hex()
        from spake2 import SPAKE2_B  # slow to import, and most games do without it

        self._spake = SPAKE2_B(
            code.words.encode(),
            idA=_bound(code.number, "host", self.id),
            idB=_bound(code.number, "guest", self.id),
            entropy_f=entropy,
        )
        self._program = program
        self._sealed: list[_Sealed] = []

    def open(self) -> bytes:
        return _own_opening(self._program, self._spake.start()).encode()

    def confirm(self, answer: bytes, seen_at: str) -> bytes:
        """Return the body of ID/3, for what came as ID/2; raise BadBytes or OtherVersion."""
        # `seen_at`: where the mailbox sees this guest; empty if it does not say. Each call lets one
        # side test one guess: the elements of several are as good as those of several exchanges.
        opening = Opening.decode(answer)
        if (opening.protocol, opening.rules) != (PROTOCOL_VERSION, RULES_VERSION):
            raise OtherVersion((opening.protocol, opening.rules), opening.program)
        sealed = _Sealed(_shared_key(copy.copy(self._spake), opening.element), self.id)
        self._sealed.append(sealed)
        return sealed.seal("guest", pack((seen_at,)))

    def read_introduction(self, sealed: bytes) -> Introduction:
        """Read what one of those that were confirmed to has sealed; raise BadBytes, WrongWords."""
        if len(sealed) > MAX_BODY_BYTES:
            raise BadBytes("too long")
        for known in self._sealed:
            with contextlib.suppress(WrongWords):
                return Introduction.decode(known.unseal("host", sealed))
        raise WrongWords


class HostExchange:
    def __init__(self, code: Code, guest: str, entropy: Entropy, program: str = "") -> None:
        from spake2 import SPAKE2_A

        self._spake = SPAKE2_A(
            code.words.encode(),
            idA=_bound(code.number, "host", guest),
            idB=_bound(code.number, "guest", guest),
            entropy_f=entropy,
        )
        self._program, self._guest = program, guest
        self._sealed: _Sealed | None = None

    def answer(self, opening: bytes) -> bytes:
        """Return the body of ID/2, for ID/1 of any version; raise BadBytes."""
        theirs = Opening.decode(opening)
        own = _own_opening(self._program, self._spake.start())
        self._sealed = _Sealed(_shared_key(self._spake, theirs.element), self._guest)
        return own.encode()

    def read_confirmation(self, sealed: bytes) -> str:
        """Return where the mailbox sees the guest, from ID/3, if it says so; raise WrongWords."""
        assert self._sealed is not None, "it was answered first"
        if len(sealed) > MAX_BODY_BYTES:
            raise WrongWords
        plain = self._sealed.unseal("guest", sealed)
        try:
            (seen_at,) = array(unpack(plain), 1)
            return text(seen_at, MAX_ADDRESS)
        except BadBytes:
            return ""

    def introduce(self, introduction: Introduction) -> bytes:
        assert self._sealed is not None, "it was answered first"
        return self._sealed.seal("host", introduction.encode())


# -- relay ---------------------------------------------------------------------------------


SIDE_BYTES = 8
MAX_ANSWER_BYTES = 64
OK = b"ok"
_SCHEME = "relay:"
PLACE_OF_RELAYED = "relayed"
"""In place of an address of the other side, which a relay does not tell."""


class RelayFault(Exception):
    """The relay does not carry this connection; the message is its answer, or technical."""


def request_line(token: bytes, side: bytes) -> bytes:
    return b"please relay %s for side %s\n" % (token.hex().encode(), side.hex().encode())


def read_answer(data: bytes) -> bool:
    """Return whether the other side is there, False also for half a line; raise RelayFault."""
    if not data.endswith(b"\n"):
        if len(data) >= MAX_ANSWER_BYTES:
            raise RelayFault("a first line that is too long")
        return False
    if data[:-1] != OK:
        raise RelayFault(data[:-1].decode("ascii", "replace"))
    return True


@dataclass(frozen=True, slots=True)
class RelayPlace:
    relay: str
    token: bytes

    def __str__(self) -> str:
        return f"{_SCHEME}{self.relay}/{self.token.hex()}"

    @staticmethod
    def parse(place: str) -> RelayPlace | None:
        """Parse a place; return None for another kind, raise ValueError for none at all."""
        if not place.startswith(_SCHEME):
            return None
        relay, _slash, token = place[len(_SCHEME) :].rpartition("/")
        relay_target(relay)
        found = RelayPlace(relay, bytes.fromhex(token))
        if len(found.token) != TOKEN_BYTES:
            raise ValueError("no token")
        return found


def is_relay_place(place: str) -> bool:
    return place.startswith(_SCHEME)


def without_token(place: str) -> str:
    """Return a place as a debug log may have it: a report quotes that, and a token is a secret."""
    return place.rpartition("/")[0] if is_relay_place(place) else place


def pair_token(own_secret: bytes, their_key: bytes, game: bytes, seats: tuple[int, int]) -> bytes:
    """Return the token that only two seats can compute; raise BadBytes for an unsafe key."""
    low, high = sorted(seats)
    return digest(Tag.RELAY, exchange_secret(own_secret, their_key), game, low, high)
