"""Hashes, signatures and the sealed share (PROTOCOL.md 3 and 8), with every tag.

Scope: pure functions over bytes. A tag separates the hashes and signatures of one purpose from all
others, so that nothing made for one purpose can be shown for another.
Not here: entropy. No key or seed is created here; they come in as arguments (`kotp2p.world`).
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from enum import StrEnum
from hashlib import sha256
from struct import Struct

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from kotp2p.wire.encoding import BadBytes

HASH_BYTES = 32
KEY_BYTES = 32
SIGNATURE_BYTES = 64
OPEN_TABLE_SECRET = b"kotp2p open table"
"""The secret of an open table, known to every program."""


class Tag(StrEnum):
    """Domain tags (PROTOCOL.md 3.2 and 3.3). The number is the version of the tagged form."""

    # of signatures: one for each kind of signed body, and one for the link proof
    HELLO = "kotp2p/hello/1"
    GENESIS = "kotp2p/genesis/1"
    PLAY = "kotp2p/play/1"
    LINE_UP = "kotp2p/lineup/1"
    LEAVE = "kotp2p/leave/1"
    FLUSH = "kotp2p/flush/1"
    WISH = "kotp2p/wish/1"
    HERE = "kotp2p/here/1"
    SHARE = "kotp2p/share/1"
    HEAD = "kotp2p/head/1"
    ADDRESS = "kotp2p/address/1"
    CHAT = "kotp2p/chat/1"
    SAID = "kotp2p/said/1"
    READY = "kotp2p/ready/1"
    # of hashes and derived keys
    TABLE = "kotp2p/table/1"
    LOBBY = "kotp2p/lobby/1"
    NONCE = "kotp2p/nonce/1"
    GATHER = "kotp2p/gather/1"
    CONTRIBUTION = "kotp2p/contribution/1"
    COMMITMENT = "kotp2p/commitment/1"
    RESULT = "kotp2p/result/1"
    PROOF = "kotp2p/proof/1"
    STREAM = "kotp2p/stream/1"
    PHRASE = "kotp2p/phrase/1"
    LOOK_KEY = "kotp2p/look-key/1"
    SHARE_KEY = "kotp2p/share-key/1"
    SEAL = "kotp2p/seal/1"
    AUTHORITY = "kotp2p/authority/1"
    BINDING = "kotp2p/binding/1"
    FINGERPRINT = "kotp2p/fingerprint/1"
    INVITATION = "kotp2p/invitation/1"
    PASS = "kotp2p/pass/1"
    CODE = "kotp2p/code/1"
    RELAY = "kotp2p/relay/1"
    RELAY_KEY = "kotp2p/relay-key/1"


_TAGS_WITH_LENGTHS = {tag: len(tag).to_bytes(4, "big") + tag.encode() for tag in Tag}
_pack_length: Callable[[int], bytes] = Struct(">I").pack
_pack_integer: Callable[[int, int], bytes] = Struct(">IQ").pack
"""Of the length of an integer, which is 8, and the integer."""


def join_fields(tag: Tag, *fields: bytes | int) -> bytes:
    """Tag and fields, each behind its length as u32; integers as u64.

    The lengths make the join unambiguous: ("ab", "c") and ("a", "bc") give different bytes.
    """
    return _join(_TAGS_WITH_LENGTHS[tag], fields)


def _join(joined: bytes, fields: tuple[bytes | int, ...]) -> bytes:
    """These fields behind what is joined so far."""
    for field in fields:
        if isinstance(field, bytes):  # most are
            joined += _pack_length(len(field)) + field
        else:
            joined += _pack_integer(8, field)
    return joined


def digest(tag: Tag, *fields: bytes | int) -> bytes:
    """H of PROTOCOL.md 3.2: SHA-256 over the tag and the fields, each with its length."""
    return sha256(_join(_TAGS_WITH_LENGTHS[tag], fields)).digest()


def digest_further(joined: bytes, *fields: bytes | int) -> bytes:
    """As `digest` of all fields, where `join_fields` has joined the first ones already."""
    return sha256(_join(joined, fields)).digest()


def derive(secret: bytes, tag: Tag, *fields: bytes | int) -> bytes:
    """HMAC-SHA256 of the tag and the fields, each with its length, under `secret`."""
    return hmac.digest(secret, join_fields(tag, *fields), "sha256")


# -- signatures --------------------------------------------------------------------------

_P = 2**255 - 19
_ORDER_8_Y = 2707385501144840649318225287225658788936804267575313519463743609750303402022
_SMALL_ORDER_Y = frozenset((0, 1, _P - 1, _ORDER_8_Y, _P - _ORDER_8_Y))
"""The y coordinates of the eight points of small order. A signature of such a key can fit
any message, so it would prove nothing (PROTOCOL.md 3.3)."""


def check_key(key: bytes) -> bytes:
    """`key`, if it can identify a player.

    Raises BadBytes for a key of small order, and for one that is not in canonical form: it would
    be a second name for the same key.
    """
    if len(key) != KEY_BYTES:
        raise BadBytes("a key has 32 bytes")
    y = int.from_bytes(key, "little") & (2**255 - 1)
    if y >= _P or y in _SMALL_ORDER_Y:
        raise BadBytes("a key whose signatures would prove nothing")
    return key


class Signer:
    """An Ed25519 identity. Its repr shows nothing secret."""

    __slots__ = ("_private", "key")

    def __init__(self, secret: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(secret)
        self.key: bytes = self._private.public_key().public_bytes_raw()

    def secret(self) -> bytes:
        """The private key itself, for a file that only its owner can read."""
        return self._private.private_bytes_raw()

    def sign(self, tag: Tag, body: bytes) -> bytes:
        return self._private.sign(tag.encode() + b"\0" + body)


def is_valid_signature(key: bytes, tag: Tag, body: bytes, signature: bytes) -> bool:
    """Whether the owner of `key` has signed `body` for the purpose `tag`."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, tag.encode() + b"\0" + body)
    except (InvalidSignature, ValueError):
        return False
    return True


# -- the sealed share (PROTOCOL.md 8) ----------------------------------------------------


def exchange_public_key(secret: bytes) -> bytes:
    """The X25519 public key of a 32-byte secret."""
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def exchange_secret(secret: bytes, public: bytes) -> bytes:
    """What the owners of the two keys share, and nobody else. Raises BadBytes for a key of small
    order."""
    try:
        return X25519PrivateKey.from_private_bytes(secret).exchange(
            X25519PublicKey.from_public_bytes(public)
        )
    except ValueError as fault:
        raise BadBytes("a key of small order") from fault


def check_exchange_key(key: bytes) -> bytes:
    """`key`, if it may be the X25519 key of another seat; BadBytes for a key of small order.

    With such a key every exchange gives 32 zero bytes, a secret that everybody knows.
    """
    # The exchange itself refuses a point of small order, whatever the other secret is.
    _share_cipher(bytes(32), key, key, key)
    return key


def _share_cipher(secret: bytes, public: bytes, sender: bytes, receiver: bytes) -> ChaCha20Poly1305:
    """The cipher for one share from `sender` to `receiver`; BadBytes for a key of small order.

    One of the two public keys belongs to `secret`, and `public` is the other.
    """
    shared = exchange_secret(secret, public)
    return ChaCha20Poly1305(derive(shared, Tag.SEAL, sender, receiver))


_ZERO_NONCE = bytes(12)
"""A fixed nonce is safe, as each key seals one share: both public keys are fresh every time."""


def seal(secret: bytes, receiver: bytes, plain: bytes, context: bytes) -> bytes:
    """`plain`, sealed for the owner of the X25519 key `receiver`; 16 bytes longer than `plain`.

    `context` is not contained in the result, but `unseal` needs the same context.
    """
    sender = exchange_public_key(secret)
    return _share_cipher(secret, receiver, sender, receiver).encrypt(_ZERO_NONCE, plain, context)


def unseal(secret: bytes, sender: bytes, sealed: bytes, context: bytes) -> bytes:
    """The plain bytes; BadBytes if they were not sealed by `sender` for this key and context."""
    receiver = exchange_public_key(secret)
    try:
        return _share_cipher(secret, sender, sender, receiver).decrypt(_ZERO_NONCE, sealed, context)
    except InvalidTag as fault:
        raise BadBytes("a share that does not open") from fault
