"""Codes: a number and two words, `7412-balloon-brook`, as people say and type them.

Scope: the drawing of a code, its two spellings, and the reading of what somebody typed. People type
capitals, spaces in place of hyphens, full-width letters, the first letters of a word, or its number
in the list, in the digits of their script.
"""

from __future__ import annotations

import difflib
import functools
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from kotp2p.wire.addresses import FIRST_CODE_NUMBER, LAST_CODE_NUMBER
from kotp2p.wire.encoding import read_table
from kotp2p.wire.frames import CodeTold

WORD_BITS = 11
LETTERS_OF_WORD = 4
"""This many letters stand for a word, where they begin only one."""
_PARTS = re.compile(r"[\s,\-\u2010-\u2015\u2212_]+")
_RUNS = re.compile(r"\d+|[^\W\d_]+")


class CodeFault(StrEnum):
    FORM = "form"
    """It is no number with two words after it."""
    UNKNOWN = "unknown"
    SHORT = "short"


class BadCode(ValueError):
    def __init__(self, fault: CodeFault, word: str = "", nearest: str = "") -> None:
        super().__init__(fault)
        self.fault = fault
        self.word = word
        """As it was typed."""
        self.nearest = nearest
        """The word of the list that is most like it."""


@functools.cache
def code_words() -> tuple[str, ...]:
    return tuple(read_table("words").split())


@dataclass(frozen=True, slots=True)
class Code:
    number: int
    """Where the table can be asked for. It is no secret."""
    first: int
    second: int
    """Places of the two words in the list; their order counts."""

    @staticmethod
    def draw(entropy: Callable[[int], bytes]) -> Code:
        words = int.from_bytes(entropy(3), "big") % (1 << 2 * WORD_BITS)
        return Code(draw_number(entropy), words >> WORD_BITS, words % (1 << WORD_BITS))

    @staticmethod
    def of(told: CodeTold) -> Code:
        return Code(told.number, told.first, told.second)

    def told(self) -> CodeTold:
        """Return the frame in which the players of a table send each other its code."""
        return CodeTold(self.number, self.first, self.second)

    @property
    def words(self) -> str:
        return f"{code_words()[self.first]}-{code_words()[self.second]}"

    @property
    def spelled(self) -> str:
        return f"{self.number}-{self.words}"

    @property
    def in_numbers(self) -> str:
        """Return the code with its words as numbers from 1, for keyboards without Latin letters."""
        return f"{self.number}-{self.first + 1}-{self.second + 1}"


def draw_number(entropy: Callable[[int], bytes]) -> int:
    return FIRST_CODE_NUMBER + int.from_bytes(entropy(8), "big") % (
        LAST_CODE_NUMBER + 1 - FIRST_CODE_NUMBER
    )


def _parts(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", text).casefold()
    digits = "".join(str(unicodedata.decimal(s, "")) or s for s in plain if s.isprintable())
    parts = [part for part in _PARTS.split(digits) if part]
    number, *rest = _RUNS.findall(digits) or [""]
    if len(parts) == 3 or len(rest) > 2 or not _is_number(number):
        return parts
    letters, known = "".join(rest), code_words()  # dots between the words, or nothing
    pairs = ([letters[:end], letters[end:]] for end in range(len(letters)))
    return next(([number, *pair] for pair in pairs if all(w in known for w in pair)), parts)


def is_like_code(text: str) -> bool:
    """Return whether a text is meant as a code, right or wrong.

    It is then a number of four digits and something after it, or any number with two words of the
    list in any order: as the name of a machine, the words would be sent to name servers.
    """
    parts = _parts(text)
    words = [part for part in parts if part in code_words()]
    is_disordered = len(parts) == 3 and len(words) == 2 and any(p.isdecimal() for p in parts)
    return (len(parts) > 1 and _is_number(parts[0])) or is_disordered


def _is_number(part: str) -> bool:
    is_plain = part.isascii() and part.isdigit() and len(part) == 4
    return is_plain and FIRST_CODE_NUMBER <= int(part) <= LAST_CODE_NUMBER


def read_code(text: str) -> Code:
    parts = _parts(text)
    if len(parts) != 3 or not _is_number(parts[0]):
        raise BadCode(CodeFault.FORM)
    return Code(int(parts[0]), read_word(parts[1]), read_word(parts[2]))


def read_word(typed: str) -> int:
    """Return the place of a word, its first letters or its number; raise BadCode."""
    words = code_words()
    if typed in words:
        return words.index(typed)
    if typed.isascii() and typed.isdigit():
        if len(typed) <= 4 and 1 <= int(typed) <= len(words):
            return int(typed) - 1
        raise BadCode(CodeFault.UNKNOWN, typed)
    begun = [place for place, word in enumerate(words) if word.startswith(typed)]
    if len(begun) == 1 and len(typed) >= LETTERS_OF_WORD:
        return begun[0]
    nearest = (difflib.get_close_matches(typed, words, n=1, cutoff=0.0) or [""])[0]
    if begun:
        raise BadCode(CodeFault.SHORT, typed, words[begun[0]])
    raise BadCode(CodeFault.UNKNOWN, typed, nearest)
