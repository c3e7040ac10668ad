"""Inputs out of valid ones: bytes turned, cut and moved; nodes of msgpack put in each other's
place, or others that have no place anywhere; and plain noise.

A node is replaced as bytes, so that nothing on the way makes a wrong encoding right again.
"""

import random
import struct
from collections.abc import Sequence

import msgpack

Span = tuple[int, int]
"""Where a node starts and ends in its bytes."""


def nodes(data: bytes) -> list[Span]:
    """The nodes of one valid msgpack value, each array before its items."""
    found: list[Span] = []
    end = _node(data, 0, found)
    assert end == len(data)
    return found


def _node(data: bytes, at: int, found: list[Span]) -> int:
    index = len(found)
    found.append((at, at))
    first = data[at]
    if 0x90 <= first <= 0x9F or first == 0xDC:
        count, end = (first & 15, at + 1) if first != 0xDC else (_number(data, at + 1, 2), at + 3)
        for _ in range(count):
            end = _node(data, end, found)
    elif 0xA0 <= first <= 0xBF:
        end = at + 1 + (first & 31)
    elif first in (0xC4, 0xD9):
        end = at + 2 + data[at + 1]
    elif first in (0xC5, 0xDA):
        end = at + 3 + _number(data, at + 1, 2)
    else:
        end = at + {0xCC: 2, 0xCD: 3, 0xCE: 5, 0xCF: 9}.get(first, 1)
    found[index] = (at, end)
    return end


def _number(data: bytes, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "big")


def _strange() -> list[bytes]:
    """Encoded nodes that are wrong in some place, most of them everywhere."""
    numbers = [0, 1, 2, 5, 6, 7, 63, 64, 127, 128, 255, 256, 999, 1000, 65_535, 65_536]
    numbers += [999_999, 1_000_000, 1_000_001, 2**31 - 1, 2**32 - 1, 2**53 - 1]
    beyond = (-1, -32, -128, -(2**31), -(2**63), 2**53, 2**63, 2**64 - 1)
    texts = ("", "a", "a\x1b[2J", "a\u202eb", "e\u0301", "a\x00b", "x" * 25, "x" * 201, "second")
    sizes = (0, 1, 7, 8, 9, 31, 32, 33, 47, 48, 49, 63, 64, 65, 1024, 1025)
    values: list[object] = [*numbers, *beyond, *texts, *(b"\x07" * size for size in sizes)]
    values += [None, True, False, 1.0, float("nan"), {}, {1: 2}, [], [0], [None], [[1, 2]], [0] * 9]
    values += [list(range(6)), [0] * 200, [0] * 4096, [0] * 4097, [b"\x07" * 32] * 8]
    made = [msgpack.packb(value, use_bin_type=True) for value in values]
    made += [b"\x91" * depth + b"\x01" for depth in (5, 6, 7, 100, 1500)]
    made += [b"\xcc\x01", b"\xcd\x00\x01", b"\xce" + struct.pack(">I", 1), b"\xcf" + bytes(8)]
    made += [b"\xd0\x01", b"\xd3" + bytes(8), b"\xca" + bytes(4), b"\xc1", b"\x82\x01\x01\x01\x02"]
    made += [b"\xd9\x01a", b"\xda\x00\x01a", b"\xc5\x00\x01a", b"\xdc\x00\x01\x01", b"\xa2\xff\xff"]
    made += [b"\xd6\xff" + bytes(4), b"\xc7\x00\x05"]
    made += [b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff"]
    made += [
        b"\xdf\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        b"\xdb\x7f\xff\xff\xff",
        b"\xa3\xed\xa0\x80",
        b"",
    ]
    return made


STRANGE = _strange()


class Mutator:
    """Inputs without end, made of `seeds`, each one valid msgpack value."""

    def __init__(self, seeds: Sequence[bytes], chance: random.Random) -> None:
        assert seeds
        self._seeds = seeds
        self._nodes = [nodes(seed) for seed in seeds]
        self._chance = chance

    def next(self) -> bytes:
        roll = self._chance.random()
        if roll < 0.08:
            return self._chance.randbytes(int(roll * 1000))
        which = int(self._chance.random() * len(self._seeds))
        data = self._replaced(which) if roll < 0.6 else self._seeds[which]
        while self._chance.random() < 0.5 or (roll >= 0.6 and data is self._seeds[which]):
            data = self.turned(data)
        return data

    def _pick(self, below: int) -> int:
        return int(self._chance.random() * below)

    def _replaced(self, which: int) -> bytes:
        """One node of a seed gives way to a strange one, or to one of any seed, or goes, or comes
        twice: sometimes with the count of its array made right."""
        data, spans = self._seeds[which], self._nodes[which]
        start, end = spans[self._pick(len(spans))]
        roll = self._chance.random()
        if roll < 0.6:
            return data[:start] + STRANGE[self._pick(len(STRANGE))] + data[end:]
        other = self._pick(len(self._seeds))
        a, b = self._nodes[other][self._pick(len(self._nodes[other]))]
        if roll < 0.8:
            return data[:start] + self._seeds[other][a:b] + data[end:]
        more = 0.8 <= roll < 0.9
        changed = bytearray(data[:start] + (self._seeds[other][a:b] if more else b""))
        changed += data[start:] if more else data[end:]
        holder = max((s for s in spans if s[0] < start and s[1] >= end), default=None)
        if holder is not None and 0x90 < changed[holder[0]] < 0x9F:
            changed[holder[0]] += 1 if more else -1
        return bytes(changed)

    def turned(self, data: bytes) -> bytes:
        if not data:
            return bytes((self._pick(256),))
        at, how = self._pick(len(data)), self._pick(7)
        if how < 2:
            return data[:at] + bytes((data[at] ^ 1 << self._pick(8),)) + data[at + 1 :]
        if how == 2:
            return data[:at] + bytes((self._pick(256),)) + data[at + 1 :]
        if how == 3:
            return data[:at]
        until = min(len(data), at + 1 + self._pick(9))
        if how == 4:
            return data[:at] + data[until:]
        if how == 5:
            return data[:until] + data[at:]
        return data + data[at:until]
