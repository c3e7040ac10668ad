"""Names, and which of them are alike. Section 2.1."""

import re
import unicodedata
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.tools.independent.wire import readable

FILE = Path("kotp2p/names.txt")
TWO_COLUMNS = {"Han", "Hiragana", "Katakana", "Hangul", "Bopomofo"}
_HAN = {"Latin", "Han"}
TOGETHER = (_HAN | {"Hiragana", "Katakana"}, _HAN | {"Hangul"}, _HAN | {"Bopomofo"})
SIGNS = " -'._\u200c"
EUROPEAN = {"Latin", "Greek", "Cyrillic"}
RESERVED = """game, host, none, nothing, others, players, seat, table, tokyo, tokyo bay,
tokyo city"""
RESERVED_IN_FRONT = """all players, anybody, anyone, everybody, everyone, no one, nobody, somebody,
someone, the game, the host, the others, the players, the table, you, your, yours, yourself"""
UNIT = re.compile(r"[0-9]|l[em]*")
ROW = re.compile(r"(?:[0-9]|l[em]*)(?:(?:\. |[ '._\u200c-])?(?:[0-9]|l[em]*))*\.?")


@dataclass
class Listed:
    letters: dict[int, set[str]] = field(default_factory=dict)
    marks: dict[int, set[str]] = field(default_factory=dict)
    looks: dict[str, tuple[str, str]] = field(default_factory=dict)


@cache
def listed() -> Listed:
    found = Listed()
    for line in (Path(__file__).parents[3] / FILE).read_text("utf-8").splitlines():
        match line.split():
            case ["letters" | "marks" as what, scripts, *ranges]:
                kept = found.letters if what == "letters" else found.marks
                for low, _, high in (part.partition("-") for part in ranges):
                    points = range(int(low, 16), int(high or low, 16) + 1)
                    kept.update((point, set(scripts.split(","))) for point in points)
            case ["look", sign, first, *second]:
                looks = _joined(first), _joined(second[0] if second else first)
                found.looks[chr(int(sign, 16))] = looks
    return found


def _joined(points: str) -> str:
    return "".join(chr(int(point, 16)) for point in points.split("."))


def is_name(text: str) -> bool:
    form, letters, marked = "", [], True
    for i, sign in enumerate(text):
        letter, mark = listed().letters.get(ord(sign)), listed().marks.get(ord(sign))
        if letter is not None:
            letters.append(letter)
            form += "l"
        elif mark is not None:
            form += "e" if mark == EUROPEAN else "m"
            marked = marked and bool(letters) and bool(mark & letters[-1]) and text[i - 1] != sign
        elif sign in SIGNS or sign in "0123456789":
            form += sign
        else:
            return False
    columns = len(text) + sum(bool(letter & TWO_COLUMNS) for letter in letters)
    units = UNIT.findall(form)
    return (
        readable(text)
        and columns <= 24
        and ROW.fullmatch(form) is not None
        and any("l" in unit for unit in units)
        and marked
        and all(unit.count("e") <= 2 and unit.count("m") <= 4 for unit in units)
        and not any("e" in unit and "m" in unit for unit in units)
        and _of_one_group(letters)
        and not _reserved(text)
    )


def _reserved(text: str) -> bool:
    words = text.split(" ")
    fronts = [" ".join(words[: n + 1]) for n in range(len(words))]
    return _like(text, RESERVED) or any(_like(front, RESERVED_IN_FRONT) for front in fronts)


def _like(text: str, words: str) -> bool:
    bare = re.sub(r"[0-9 '._\u200c-]+$", "", text)
    return any(alike(t, word) for t in (text, bare) for word in re.split(r",\s", words))


def _of_one_group(letters: list[set[str]]) -> bool:
    if set.intersection(*letters):
        return True
    return any(all(letter & group for letter in letters) for group in TOGETHER)


def looks(name: str) -> tuple[str, str]:
    bare = [
        sign
        for sign in unicodedata.normalize("NFD", name)
        if not (0x300 <= ord(sign) <= 0x36F or 0x653 <= ord(sign) <= 0x655) and sign not in SIGNS
    ]
    both = [listed().looks.get(sign, (sign, sign)) for sign in bare]
    return "".join(first for first, _ in both), "".join(second for _, second in both)


def alike(one: str, other: str) -> bool:
    return bool(set(looks(one)) & set(looks(other)))
