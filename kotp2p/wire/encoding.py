"""The one encoding: msgpack arrays of integers, bytes, strings, booleans and nil.

The law here is that a value has exactly one encoding and every accepted byte string is that
encoding (PROTOCOL.md 2). msgpack by itself is neither canonical nor strict, so `unpack`
limits, walks and re-encodes. Bodies are hashed and signed as the bytes received, never after
re-encoding.

The readers (`integer`, `octets`, …) take a decoded value and give it back with its exact type
or raise `BadBytes`; `True` is no integer here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TypeAlias

import msgpack

INVISIBLE_CODE_POINTS = frozenset(
    [
        0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x1D159,
        *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0),
    ]
)  # fmt: skip
"""What Unicode counts as a letter, a mark or a symbol, and nobody sees: fillers, joiners, variation
selectors, blanks. With one of them a name looks like another."""

Value: TypeAlias = "int | bytes | str | bool | Sequence[Value] | None"

MAX_FRAME_BYTES = 65_536
"""Bytes of one frame or record payload. A whole genesis of six seats takes about 5 KiB."""
MAX_INT = 2**53 - 1
"""Integers every language can hold."""
_MAX_DEPTH = 6
_MAX_ARRAY = 4096


class BadBytes(ValueError):
    """Bytes that no unmodified program of this version writes."""


def pack(value: Value) -> bytes:
    packed: bytes = msgpack.packb(value, use_bin_type=True)
    return packed


def unpack(data: bytes) -> Value:
    """The value of `data`.

    Raises BadBytes if it is too long, no msgpack, holds another type than the six, is nested
    too deep, or is not the canonical encoding of its value.
    """
    if not 0 < len(data) <= MAX_FRAME_BYTES:
        raise BadBytes(f"{len(data)} bytes")
    try:
        value: Value = msgpack.unpackb(
            data,
            raw=False,
            use_list=False,
            strict_map_key=True,
            max_array_len=_MAX_ARRAY,
            max_map_len=0,
            max_ext_len=0,
            max_str_len=MAX_FRAME_BYTES,
            max_bin_len=MAX_FRAME_BYTES,
        )
    except (ValueError, TypeError, msgpack.UnpackException) as fault:
        raise BadBytes("no msgpack of this protocol") from fault
    _check_types(value, 0)
    if pack(value) != data:
        raise BadBytes("not the canonical encoding")
    return value


def _check_types(value: object, depth: int) -> None:
    kind = type(value)
    if kind is tuple:
        if depth >= _MAX_DEPTH:
            raise BadBytes("nested too deep")
        for item in value:  # type: ignore[attr-defined]
            _check_types(item, depth + 1)
    elif kind is int:
        integer(value)
    elif kind is not bytes and kind is not str and kind is not bool and value is not None:
        raise BadBytes(f"a {kind.__name__} has no place here")


def integer(value: object, least: int = 0, most: int = MAX_INT) -> int:
    if type(value) is not int or not least <= value <= most:
        raise BadBytes(f"an integer from {least} to {most} is needed")
    return value


def octets(value: object, size: int | None = None, most: int = MAX_FRAME_BYTES) -> bytes:
    """Bytes: exactly `size` of them if given."""
    if type(value) is not bytes or (size is not None and len(value) != size) or len(value) > most:
        raise BadBytes(f"{size if size is not None else 'some'} bytes are needed")
    return value


def boolean(value: object) -> bool:
    if type(value) is not bool:
        raise BadBytes("a boolean is needed")
    return value


def text(value: object, most: int) -> str:
    """A printable NFC string of at most `most` code points; may be empty."""
    if type(value) is not str or len(value) > most or not is_clean(value):
        raise BadBytes(f"a printable text of at most {most} characters is needed")
    return value


def is_clean(words: str) -> bool:
    """NFC and printable: no control, format, private-use or lone surrogate characters, and none
    of those that nobody sees."""
    return (
        words.isprintable()
        and INVISIBLE_CODE_POINTS.isdisjoint(map(ord, words))
        and unicodedata.normalize("NFC", words) == words
    )


def cleaned(words: str) -> str:
    """The clean text that is nearest to what was typed: a space stands for what would steer a
    terminal, nothing for what nobody sees."""
    seen = "".join(
        s if s.isprintable() else " " for s in words if ord(s) not in INVISIBLE_CODE_POINTS
    )
    return unicodedata.normalize("NFC", seen)


def array(value: object, size: int | None = None, most: int = _MAX_ARRAY) -> tuple[object, ...]:
    if type(value) is not tuple or (size is not None and len(value) != size) or len(value) > most:
        raise BadBytes(f"an array of {size if size is not None else 'some'} is needed")
    return value


def optional_octets(value: object, size: int) -> bytes | None:
    return None if value is None else octets(value, size)
