"""Clean text: which strings may travel and be shown (PROTOCOL.md 2).

Scope: functions over text. The characters stand in `kotp2p/printable.txt`, those of Unicode 14.
They are pinned there, and not asked of the interpreter. A peer that knew more of them would pass on
what others refuse.
Not here: names, which have rules of their own (`kotp2p.wire.names`).

NFC is asked of the interpreter. For characters of Unicode 14 it is the same in every later version.
"""

from __future__ import annotations

import functools
import unicodedata
from bisect import bisect_right

from kotp2p.wire.text_tables import read_table

INVISIBLE_CODE_POINTS = frozenset(
    [
        0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x1D159,
        *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0),
    ]
)  # fmt: skip
"""Code points that Unicode counts as letters, marks or symbols, but that nobody sees: fillers,
joiners, variation selectors, blanks. With one of them a text looks like another one."""


@functools.cache
def _printable_ranges() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The first and the last code points of all ranges, ascending."""
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
    """Whether `words` are NFC and printable, without code points that nobody sees.

    That excludes control, format, private-use and lone surrogate characters: they could steer a
    terminal, or make two names look alike.
    """
    return all(map(_is_printable, words)) and unicodedata.normalize("NFC", words) == words


def clean_text(words: str) -> str:
    """The clean text nearest to `words`.

    A space replaces what is not printable. Code points that nobody sees are left out.
    """
    seen = (s for s in words if ord(s) not in INVISIBLE_CODE_POINTS)
    return unicodedata.normalize("NFC", "".join(s if _is_printable(s) else " " for s in seen))
