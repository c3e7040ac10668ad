"""Hashes, signatures and the sealed share: every tag of PROTOCOL.md 3 stands in this module.

A tag separates what is hashed or signed for one purpose from all others, so nothing made for
one place can be shown in another. No key or seed is ever created here: entropy comes in as an
argument (`kotp2p.world`).
"""

from __future__ import annotations

import hashlib
import hmac
from enum import StrEnum

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
"""The secret of an open table. Everybody knows it."""


class Tag(StrEnum):
    """Domain tags; the number is the version of what it tags."""

    # signed (the classes of PROTOCOL.md 5 and the link proof)
    HELLO = "kotp2p/hello/1"
    GENESIS = "kotp2p/genesis/1"
    PLAY = "kotp2p/play/1"
    VOTE = "kotp2p/vote/1"
    STAND_IN = "kotp2p/stand-in/1"
    SHARE = "kotp2p/share/1"
    HEAD = "kotp2p/head/1"
    CLOSE = "kotp2p/close/1"
    WORD = "kotp2p/word/1"
    ADDRESS = "kotp2p/address/1"
    CHAT = "kotp2p/chat/1"
    # hashed
    TABLE = "kotp2p/table/1"
    NONCE = "kotp2p/nonce/1"
    GATHER = "kotp2p/gather/1"
    ABSENT = "kotp2p/absent/1"
    DROPPED = "kotp2p/dropped/1"
    CONTRIBUTION = "kotp2p/contribution/1"
    COMMITMENT = "kotp2p/commitment/1"
    RESULT = "kotp2p/result/1"
    STREAM = "kotp2p/stream/1"
    PHRASE = "kotp2p/phrase/1"
    LOOK_KEY = "kotp2p/look-key/1"
    SHARE_KEY = "kotp2p/share-key/1"
    SEAL = "kotp2p/seal/1"
    AUTHORITY = "kotp2p/authority/1"
    BINDING = "kotp2p/binding/1"
    FINGERPRINT = "kotp2p/fingerprint/1"
    INVITATION = "kotp2p/invitation/1"


def _join_with_lengths(tag: Tag, fields: tuple[bytes | int, ...]) -> bytes:
    """Tag and fields, each behind its length as u32; integers as u64."""
    parts: list[bytes] = []
    for field in (tag.encode(), *fields):
        data = field.to_bytes(8, "big") if isinstance(field, int) else field
        parts += (len(data).to_bytes(4, "big"), data)
    return b"".join(parts)


def digest(tag: Tag, *fields: bytes | int) -> bytes:
    """H of PROTOCOL.md 3: SHA-256 over the tag and the fields, each with its length."""
    return hashlib.sha256(_join_with_lengths(tag, fields)).digest()


def derive(secret: bytes, tag: Tag, *fields: bytes | int) -> bytes:
    """HMAC-SHA256 of the tag and the fields, each with its length, under `secret`."""
    return hmac.digest(secret, _join_with_lengths(tag, fields), "sha256")


# -- signatures --------------------------------------------------------------------------

_P = 2**255 - 19
_ORDER_8_Y = 2707385501144840649318225287225658788936804267575313519463743609750303402022
_SMALL_ORDER_Y = frozenset((0, 1, _P - 1, _ORDER_8_Y, _P - _ORDER_8_Y))
"""y of the eight points of small order: signatures of such a key fit any message, so they
prove nothing (PROTOCOL.md 4)."""


def check_key(key: bytes) -> bytes:
    """`key` if it may be a player's; BadBytes if it is no canonical point of large order."""
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
    """Whether `signature` is `key`'s over `body` for the purpose `tag`."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, tag.encode() + b"\0" + body)
    except (InvalidSignature, ValueError):
        return False
    return True


# -- the sealed share (PROTOCOL.md 8) ----------------------------------------------------


def exchange_public_key(secret: bytes) -> bytes:
    """The X25519 public key of a 32-byte secret."""
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def check_exchange_key(key: bytes) -> bytes:
    """The X25519 key of somebody else; BadBytes if it gives everybody the same secret."""
    _share_cipher(bytes(32), key, key, key)
    return key


def _share_cipher(secret: bytes, public: bytes, sender: bytes, receiver: bytes) -> ChaCha20Poly1305:
    """Raises BadBytes if `public` is a point that gives everybody the same secret."""
    try:
        shared = X25519PrivateKey.from_private_bytes(secret).exchange(
            X25519PublicKey.from_public_bytes(public)
        )
    except ValueError as fault:
        raise BadBytes("a key of small order") from fault
    return ChaCha20Poly1305(derive(shared, Tag.SEAL, sender, receiver))


_ZERO_NONCE = bytes(12)
"""Each sealing key is used once: both public keys are fresh for every look."""


def seal(secret: bytes, receiver: bytes, plain: bytes, context: bytes) -> bytes:
    """`plain` for the owner of the X25519 key `receiver`, bound to `context`: 16 bytes longer."""
    sender = exchange_public_key(secret)
    return _share_cipher(secret, receiver, sender, receiver).encrypt(_ZERO_NONCE, plain, context)


def unseal(secret: bytes, sender: bytes, sealed: bytes, context: bytes) -> bytes:
    """The plain bytes; BadBytes if they were not sealed so."""
    receiver = exchange_public_key(secret)
    try:
        return _share_cipher(secret, sender, sender, receiver).decrypt(_ZERO_NONCE, sealed, context)
    except InvalidTag as fault:
        raise BadBytes("a share that does not open") from fault
