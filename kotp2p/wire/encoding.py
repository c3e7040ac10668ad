"""The one encoding: msgpack arrays of integers, bytes, clean strings, booleans and nil.

Scope: values to bytes and back, readers that check one field, and which text may travel and be
shown (PROTOCOL.md 2).

A value has exactly one encoding, and only that encoding is accepted. Otherwise two
different byte strings could mean the same, and a signature would cover one of them.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Sequence
from operator import call
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias, cast

import msgpack

import kotp2p

# -- the tables of text that belong to the program -----------------------------------------


def read_table(name: str) -> str:
    """Return the text of `kotp2p/NAME.txt`.

    `importlib.resources` could do it too. It would also read packages that are archives, and so
    imports much more than a command needs that checks one log.
    """
    assert kotp2p.__file__ is not None, "a package of files"
    return Path(kotp2p.__file__).with_name(f"{name}.txt").read_text("ascii")


# -- clean text ----------------------------------------------------------------------------
#
# Functions over text. The characters stand in `kotp2p/printable.txt`, those of Unicode 14. They
# are pinned there, and not asked of the interpreter. A peer that knew more of them would pass on
# what others refuse.
#
# NFC is asked of the interpreter. For characters of Unicode 14 it is the same in every later
# version.


INVISIBLE_CODE_POINTS = frozenset(
    [
        0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x1D159,
        *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0),
    ]
)  # fmt: skip
"""Code points that Unicode counts as letters, marks or symbols, but that are invisible: fillers,
joiners, variation selectors, blanks. With one of them a text looks like another one."""
NON_JOINER, _JOINER = "\u200c", "\u200d"
"""Ordinary words of Persian have the first one. The second one is left out of all texts."""
_JOINING = "[\u0620-\u064a\u0671-\u06d3]"
_STRAY_JOINER = re.compile(f"(?<!{_JOINING}){NON_JOINER}|{NON_JOINER}(?!{_JOINING})")


@functools.cache
def _printable_ranges() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the first and the last code points of all ranges, ascending."""
    lines = [line for line in read_table("printable").splitlines() if not line.startswith("#")]
    ranges = [word.partition("-") for line in lines for word in line.split()]
    firsts = tuple(int(first, 16) for first, _dash, _last in ranges)
    return firsts, tuple(int(last or first, 16) for first, _dash, last in ranges)


def _is_printable(sign: str) -> bool:
    if " " <= sign <= "~":
        return True
    firsts, lasts = _printable_ranges()
    found = bisect_right(firsts, ord(sign)) - 1
    return found >= 0 and ord(sign) <= lasts[found]


def is_clean_text(words: str) -> bool:
    """Return whether `words` are NFC and printable, without invisible code points.

    That excludes control, format, private-use and lone surrogate characters: they could steer a
    terminal, or make two names look alike. A `NON_JOINER` may part two letters that would join.
    """
    if drop_stray_joiners(words) != words:
        return False
    seen = words.replace(NON_JOINER, "")
    return all(map(_is_printable, seen)) and unicodedata.normalize("NFC", words) == words


def clean_text(words: str) -> str:
    """Return the nearest clean text: spaces for what is not printable, nothing for invisible."""
    seen = (s for s in words if ord(s) not in INVISIBLE_CODE_POINTS and s != _JOINER)
    kept = "".join(s if _is_printable(s) or s == NON_JOINER else " " for s in seen)
    return unicodedata.normalize("NFC", drop_stray_joiners(unicodedata.normalize("NFC", kept)))


def drop_stray_joiners(words: str) -> str:
    """Return `words` without the non-joiners that part no two letters that would join."""
    return _STRAY_JOINER.sub("", words) if NON_JOINER in words else words


# -- values and bytes ----------------------------------------------------------------------


Value: TypeAlias = "int | bytes | str | bool | Sequence[Value] | None"

MAX_FRAME_BYTES = 65_536
"""The limit of one frame or record payload. A whole genesis of six seats takes about 5 KiB."""
MAX_TEXT = 200
"""Characters of a line of chat, and of the text of a refusal."""
MAX_INT = 2**53 - 1
"""The largest integer that every language can hold, JavaScript included."""
_MAX_DEPTH = 6
_MAX_ARRAY = 4096


class BadBytes(ValueError):
    """Bytes that no unmodified program of this version writes; the message is technical."""


class Unwritable(BadBytes):
    """What this program was about to write, and its own reader would refuse: its error."""


def pack(value: Value) -> bytes:
    """Return the canonical encoding; raise Unwritable for what `unpack` would refuse."""
    return pack_readable(value, unpack)


def pack_readable(value: Value, read: Callable[[bytes], object]) -> bytes:
    """Return the encoding; raise Unwritable for what `read`, a reader of such bytes, refuses."""
    try:
        packed = _encode(value)
        read(packed)
    except (TypeError, ValueError, OverflowError) as fault:
        raise Unwritable(str(fault)) from fault
    return packed


def pack_octets(number: int, *members: bytes) -> bytes:
    """Return what `pack` returns, for an array that only its size can make unreadable."""
    packed = _encode((number, *members))
    if len(packed) > MAX_FRAME_BYTES:
        raise Unwritable(f"{len(packed)} bytes")
    return packed


_encode: Callable[[Value], bytes] = msgpack.Packer(use_bin_type=True).pack
"""One packer for all: to make one takes longer than to pack an entry. A call runs no Python code,
so threads may share it."""


def unpack(data: bytes) -> Value:
    """Return the value that `data` encodes; raise BadBytes for all but canonical bytes."""
    return check_types(unpack_for_readers(data))


def check_types(value: Value) -> Value:
    """Return what `unpack_for_readers` has returned, if all of it is a value; raise BadBytes."""
    _check_types(value, 0)
    return value


_INTEGER_SIZES = {0xCC: 2, 0xCD: 3, 0xCE: 5, 0xCF: 9}
"""Bytes of an integer of at least 128, by the first one."""


def with_first_zero(packed: bytes) -> bytes:
    """Return the encoding of an array of 1 to 15 members with 0 as its first one, an integer."""
    return packed[:1] + b"\0" + packed[1 + _INTEGER_SIZES.get(packed[1], 1) :]


def unpack_for_readers(data: bytes) -> Value:
    """Return the value like `unpack`, for callers that read every field of it.

    The readers below look at the types, and take no more arrays than there are: to look twice takes
    a tenth of the work on a log. A field that is not read may be of a type that no value has.
    """
    if not 0 < len(data) <= MAX_FRAME_BYTES:
        raise BadBytes(f"{len(data)} bytes")
    try:
        # The limits hold while msgpack decodes, so that a few bytes cannot claim gigabytes.
        value: Value = msgpack.unpackb(
            data, raw=False, use_list=False, max_array_len=_MAX_ARRAY, max_map_len=0, max_ext_len=0,
            max_str_len=MAX_FRAME_BYTES, max_bin_len=MAX_FRAME_BYTES,
        )  # fmt: skip
    except (ValueError, TypeError, msgpack.UnpackException) as fault:
        raise BadBytes("no msgpack of this protocol") from fault
    # msgpack also reads longer forms, such as 1 as a uint16: only the bytes of `pack` pass.
    if _encode(value) != data:
        raise BadBytes("not the canonical encoding")
    return value


def _check_types(value: object, depth: int) -> None:
    kind = type(value)  # the exact type: a bool is an int for isinstance
    if kind is tuple:
        if depth >= _MAX_DEPTH:
            raise BadBytes("nested too deep")
        for item in value:  # type: ignore[attr-defined]
            if type(item) is not bytes:  # most are
                _check_types(item, depth + 1)
    elif kind is int:
        integer(value)
    elif kind is not bytes and kind is not str and kind is not bool and value is not None:
        raise BadBytes(f"a {kind.__name__} has no place here")


def integer(value: object, least: int = 0, most: int = MAX_INT) -> int:
    """Return an integer from `least` to `most`; `True` is none."""
    if type(value) is not int or not least <= value <= most:
        raise BadBytes(f"an integer from {least} to {most} is needed")
    return value


def octets(value: object, size: int | None = None, most: int = MAX_FRAME_BYTES) -> bytes:
    """Return bytes: exactly `size` of them if it is given, else at most `most`."""
    if type(value) is not bytes or (len(value) > most if size is None else len(value) != size):
        raise BadBytes(f"{size if size is not None else 'some'} bytes are needed")
    return value


def boolean(value: object) -> bool:
    if type(value) is not bool:
        raise BadBytes("a boolean is needed")
    return value


def text(value: object, most: int) -> str:
    """Return a clean string of at most `most` code points; it may be empty."""
    if type(value) is not str or len(value) > most or not is_clean_text(value):
        raise BadBytes(f"a printable text of at most {most} characters is needed")
    return value


def array(value: object, size: int | None = None, most: int = _MAX_ARRAY) -> tuple[object, ...]:
    """Return an array: exactly `size` members if it is given, else at most `most`."""
    if type(value) is not tuple or (len(value) > most if size is None else len(value) != size):
        raise BadBytes(f"an array of {size if size is not None else 'some'} is needed")
    return value


def octets_in_array(value: object, size: int, most: int) -> tuple[bytes, ...]:
    members = array(value, None, most)
    for member in members:
        octets(member, size)
    return cast("tuple[bytes, ...]", members)


def unpack_body(body: bytes, game: bytes, size: int) -> tuple[object, ...]:
    """Return the `size` fields of a body after the id of its game; raise BadBytes."""
    named, *fields = array(unpack(body), size + 1)
    if named != game:
        raise BadBytes("a body of another game")
    return tuple(fields)


# -- values that are arrays --------------------------------------------------------------------


Reader: TypeAlias = Callable[[object], Any]
"""Checks one field, and returns it; raises BadBytes."""


def optional(read: Reader) -> Reader:
    return lambda value: None if value is None else read(value)


class WireArray:
    """A value class whose fields are the members of an array, in their order."""

    __slots__: tuple[str, ...] = ()
    READERS: ClassVar[tuple[Reader, ...]] = ()

    if TYPE_CHECKING:

        def __init__(self, *values: Any) -> None: ...

    def value(self) -> Value:
        return self.members()

    def members(self) -> tuple[Value, ...]:
        found = [getattr(self, name) for name in self.__slots__]
        return tuple([f.value() if isinstance(f, WireArray) else f for f in found])

    @classmethod
    def parse(cls, value: object) -> Self:
        return cls(*read_fields(cls.READERS, array(value, len(cls.READERS))))


def read_fields(readers: Sequence[Reader], fields: Sequence[object]) -> list[Any]:
    """Return what each reader makes of its field; there are as many of both."""
    return list(map(call, readers, fields))
