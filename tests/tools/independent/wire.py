"""Values, hashes and signatures: sections 2 and 3.

Law: a decoder reads the shortest form only, so nothing has to be encoded again to be checked.
"""

import functools
import hmac
import re
import unicodedata
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Value: TypeAlias = "int | bytes | str | bool | list[Value] | None"

MOST_BYTES, MOST_ITEMS, MOST_DEEP, MOST_NUMBER = 65_536, 4096, 6, 2**53 - 1
TEXT_FILE = Path("kotp2p/printable.txt")
PARTED = "[\u0620-\u064a\u0671-\u06d3]"


class Malformed(Exception):
    """These bytes are not of the form that the text asks for."""


def need(condition: object, why: str) -> None:
    if not condition:
        raise Malformed(why)


# -- values ----------------------------------------------------------------------------------


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, size: int) -> bytes:
        need(self.at + size <= len(self.data), "cut short")
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self, size: int, least: int) -> int:
        found = int.from_bytes(self.take(size), "big")
        need(found >= least, "not the shortest form")
        return found

    def value(self, depth: int) -> Value:
        first = self.take(1)[0]
        if first < 0x80:
            return first
        if 0x90 <= first <= 0x9F:
            return self.array(first & 15, depth)
        if 0xA0 <= first <= 0xBF:
            return self.text(first & 31)
        if first in (0xC0, 0xC2, 0xC3):
            return {0xC0: None, 0xC2: False, 0xC3: True}[first]
        return self.long(first, depth)

    def long(self, first: int, depth: int) -> Value:
        if 0xCC <= first <= 0xCF:
            size = 1 << (first - 0xCC)
            found = self.number(size, (0x80, 0x100, 0x1_0000, 0x1_0000_0000)[first - 0xCC])
            need(found <= MOST_NUMBER, "too great a number")
            return found
        if 0xC4 <= first <= 0xC6:
            return self.take(self.number(1 << (first - 0xC4), (0, 0x100, 0x1_0000)[first - 0xC4]))
        if 0xD9 <= first <= 0xDB:
            return self.text(self.number(1 << (first - 0xD9), (32, 0x100, 0x1_0000)[first - 0xD9]))
        if first in (0xDC, 0xDD):
            return self.array(self.number(2 * (first - 0xDB), (16, 0x1_0000)[first - 0xDC]), depth)
        raise Malformed(f"a type that is not used: {first:#x}")

    def array(self, length: int, depth: int) -> Value:
        need(depth < MOST_DEEP and length <= MOST_ITEMS, "too deep or too long")
        return [self.value(depth + 1) for _ in range(length)]

    def text(self, size: int) -> str:
        try:
            found = self.take(size).decode("utf-8")
        except UnicodeDecodeError as error:
            raise Malformed("not UTF-8") from error
        need(readable(found), "a text that is not printable")
        return found


@functools.cache
def printable() -> frozenset[int]:
    """The code points in the list of section 2."""
    text = "".join(line for line in TEXT_FILE.read_text().splitlines(True) if line[0] != "#")
    ends = [[int(end, 16) for end in word.split("-")] for word in text.split()]
    return frozenset(point for pair in ends for point in range(pair[0], pair[-1] + 1))


def readable(text: str) -> bool:
    parted = re.sub(f"(?<={PARTED})\u200c(?={PARTED})", "", text)
    return printable().issuperset(map(ord, parted)) and unicodedata.is_normalized("NFC", text)


def decode(data: bytes) -> Value:
    need(len(data) <= MOST_BYTES, "too long")
    reader = _Reader(data)
    found = reader.value(0)
    need(reader.at == len(data), "something behind the value")
    return found


def encode(value: Value) -> bytes:
    if value is None or isinstance(value, bool):
        return b"\xc0" if value is None else b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        for top, lead, size in ((0x80, b"", 1), (1 << 8, b"\xcc", 1), (1 << 16, b"\xcd", 2)):
            if value < top:
                return lead + value.to_bytes(size, "big")
        small = value < 1 << 32
        return (b"\xce" if small else b"\xcf") + value.to_bytes(4 if small else 8, "big")
    if isinstance(value, bytes):
        return _length(len(value), (0, 0, 0xC4, 0xC5, 0xC6)) + value
    if isinstance(value, str):
        data = value.encode()
        return _length(len(data), (0xA0, 32, 0xD9, 0xDA, 0xDB)) + data
    return _length(len(value), (0x90, 16, 0, 0xDC, 0xDD)) + b"".join(encode(v) for v in value)


def _length(length: int, codes: tuple[int, int, int, int, int]) -> bytes:
    """`codes`: of the short form and its bound, then of lengths in one, two and four bytes."""
    short, bound, *longer = codes
    if length < bound:
        return bytes((short | length,))
    for code, size in zip(longer, (1, 2, 4), strict=True):
        if code and length < 1 << (8 * size):
            return bytes((code,)) + length.to_bytes(size, "big")
    raise ValueError(length)


# -- shapes ----------------------------------------------------------------------------------


def number(value: Value, most: int = MOST_NUMBER) -> int:
    need(isinstance(value, int) and not isinstance(value, bool), "not a number")
    assert isinstance(value, int)
    need(value <= most, "too great a number")
    return value


def octets(value: Value, size: int | None = None) -> bytes:
    if not isinstance(value, bytes) or size not in (None, len(value)):
        raise Malformed("not these bytes")
    return value


def text(value: Value) -> str:
    if not isinstance(value, str):
        raise Malformed("not a text")
    return value


def truth(value: Value) -> bool:
    if not isinstance(value, bool):
        raise Malformed("not a truth")
    return value


def array(value: Value, length: int | None = None) -> list[Value]:
    if not isinstance(value, list) or length not in (None, len(value)):
        raise Malformed("not such an array")
    return value


def ascending(value: Value, most: int) -> tuple[int, ...]:
    found = tuple(number(v, most) for v in array(value))
    need(all(a < b for a, b in pairwise(found)), "not ascending")
    return found


# -- hashes and signatures -------------------------------------------------------------------


def _framed(tag: str, fields: tuple[bytes | int, ...]) -> bytes:
    parts = [tag.encode("ascii")]
    parts += [f.to_bytes(8, "big") if isinstance(f, int) else f for f in fields]
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def hashed(tag: str, *fields: bytes | int) -> bytes:
    return sha256(_framed(f"kotp2p/{tag}/1", fields)).digest()


def derived(secret: bytes, tag: str, *fields: bytes | int) -> bytes:
    return hmac.digest(secret, _framed(f"kotp2p/{tag}/1", fields), "sha256")


PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
SMALL = 2707385501144840649318225287225658788936804267575313519463743609750303402022
REFUSED = {0, 1, PRIME - 1, SMALL, PRIME - SMALL}


def good_key(key: bytes) -> bool:
    y = int.from_bytes(key, "little") & (2**255 - 1)
    return len(key) == 32 and y < PRIME and y not in REFUSED


def signed(key: bytes, tag: str, body: bytes, signature: bytes) -> bool:
    """Is this the signature of `body` by the owner of `key`?"""
    if len(signature) != 64 or not good_key(key):
        return False
    if int.from_bytes(signature[32:], "little") >= ORDER:
        return False
    try:
        message = f"kotp2p/{tag}/1".encode() + b"\0" + body
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
