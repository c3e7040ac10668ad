"""Fingerprints of keys: what people compare, and what an invitation says of its host.

Scope: the bytes and the letters of PROTOCOL.md 4.3.
Not here: the invitation itself (`kotp2p.net.invitation`).
"""

from __future__ import annotations

from kotp2p.wire.crypto import Tag, digest

FINGERPRINT_BYTES = 10
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Base 32 in Crockford's letters."""


def key_fingerprint(key: bytes) -> bytes:
    """The fingerprint of a key, as bytes."""
    return digest(Tag.FINGERPRINT, key)[:FINGERPRINT_BYTES]


def fingerprint(key: bytes) -> str:
    """The fingerprint as people compare it: four groups of four letters."""
    text = in_letters(key_fingerprint(key))
    return "-".join(text[i : i + 4] for i in range(0, len(text), 4))


def in_letters(data: bytes) -> str:
    """Bytes in base 32; 5 divides the length of all that is written so."""
    number = int.from_bytes(data, "big")
    count = len(data) * 8 // 5
    return "".join(ALPHABET[number >> 5 * (count - 1 - i) & 31] for i in range(count))
