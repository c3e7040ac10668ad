"""Names: which strings are names of players, and look alike (PROTOCOL.md 2.1); the monsters.

Scope: functions over text. The rules are those of an allow-list, in the manner of UTS 39, so that
no name can steer a terminal, read as another name, or read as words of the program. The characters
are listed in `kotp2p/names.txt`, pinned there and not asked of the interpreter.
"""

import functools
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from kotp2p.wire.encoding import BadBytes, drop_stray_joiners, is_clean_text, read_table

MONSTERS = (
    "Gigazaur",
    "The King",
    "Alienoid",
    "Meka Dragon",
    "Kraken",
    "Cyber Bunny",
    "Cyber Kitty",
    "Space Penguin",
)
"""The monsters that can be chosen, the same in every rule set (A-113)."""
BOT_NAMES = ("Otto", "Nina", "Pip", "Momo", "Kira", "Bela")
"""In the order in which bots come to a table."""
MAX_NAME_LENGTH = 24
"""In characters, and in columns of a terminal."""
WIDE_SCRIPTS = frozenset({"Han", "Hiragana", "Katakana", "Hangul", "Bopomofo"})
"""Their letters take two columns each."""
SCRIPT_GROUPS = (
    frozenset({"Latin", "Han", "Hiragana", "Katakana"}),
    frozenset({"Latin", "Han", "Hangul"}),
    frozenset({"Latin", "Han", "Bopomofo"}),
)
"""The scripts that one name may mix: what UTS 39 calls highly restrictive."""
MAX_MARKS = 4
"""How many marks may follow a letter: Burmese needs four."""
MAX_LATIN_MARKS = 2
"""The limit for the marks of Latin, Greek and Cyrillic, most of which stand above one another."""
_DIGITS = "0123456789"
_BETWEEN = " '-._\u200c"
"""What may stand between letters and digits. No look has any of it."""
_UNIT = f"(?:[0-9]|L(?:A{{0,{MAX_LATIN_MARKS}}}|M{{0,{MAX_MARKS}}}))"
_SHAPE = re.compile(rf"{_UNIT}(?:(?:[ '_.\u200c-]|\. )?{_UNIT})*\.?")
"""The form of a name in which L stands for each letter, A for each mark of Latin, Greek and
Cyrillic, and M for each other mark."""
_TYPED = {
    ord(typed): plain
    for plain, others in (
        ("'", "\u2018\u2019\u02b9\u02bb\u02bc`\u00b4"),
        ("-", "\u2010\u2011\u2013\u2014"),
    )
    for typed in others
}
"""What keyboards give for an apostrophe or a hyphen."""
_MAX_TYPED = 200
_LOOKS_KEPT = 256
"""How many characters are cached with their looks: the names of a table share most of theirs, and
each name is looked at three times."""


RESERVED_BEGINNINGS = (
    "all players", "anybody", "anyone", "everybody", "everyone", "no one", "nobody", "somebody",
    "someone", "the game", "the host", "the others", "the players", "the table", "you", "your",
    "yours", "yourself",
)  # fmt: skip
"""No name is like one of these, nor is what precedes one of its spaces: in a sentence about its
player, `Nobody` or `You too` would say something else."""
RESERVED_NAMES = (
    "game", "host", "none", "nothing", "others", "players", "seat", "table", "tokyo", "tokyo bay",
    "tokyo city",
)  # fmt: skip
"""No name is like one of these, also with a number after it. More words may follow."""
MAX_NAME_NUMBER = 101
"""More than the others at one table can have after one name."""


@dataclass(frozen=True, slots=True)
class NameSign:
    """A character as part of a name."""

    kind: str
    """As in `_SHAPE`: L, A, M, or the character itself."""
    scripts: frozenset[str] = frozenset()
    """The scripts that it belongs to: several if it is written in several."""


@dataclass(frozen=True, slots=True)
class NameCharacters:
    """The characters in `kotp2p/names.txt`."""

    starts: tuple[int, ...]
    """The first code point of each range of letters or marks, ascending."""
    ranges: tuple[tuple[int, NameSign], ...]
    """For each start: the last code point, and what all the characters are."""
    look_points: dict[str, list[str]]
    """For a character that looks like others: the code points of its looks, as in the file."""

    def find(self, sign: str) -> NameSign | None:
        """Return the character as part of a name; None if no name has it."""
        if sign in _DIGITS or sign in _BETWEEN:
            return NameSign(sign)
        i = bisect_right(self.starts, ord(sign)) - 1
        return self.ranges[i][1] if i >= 0 and ord(sign) <= self.ranges[i][0] else None


@functools.cache
def name_characters() -> NameCharacters:
    ranges: dict[int, tuple[int, NameSign]] = {}
    look_points: dict[str, list[str]] = {}
    for line in read_table("names").splitlines():
        word, _space, rest = line.partition(" ")
        if word == "look":
            sign, *points = rest.split()
            look_points[chr(int(sign, 16))] = points
        elif word in ("letters", "marks"):
            scripts, *parts = rest.split()
            kind = "L" if word == "letters" else "A" if "Latin" in scripts else "M"
            all_of_them = NameSign(kind, frozenset(scripts.split(",")))
            for first, _dash, last in (part.partition("-") for part in parts):
                ranges[int(first, 16)] = (int(last or first, 16), all_of_them)
    starts = tuple(sorted(ranges))
    return NameCharacters(starts, tuple(ranges[start] for start in starts), look_points)


# -- what is a name ----------------------------------------------------------------------


def is_name(text: str) -> bool:
    return _has_form(text) and not is_reserved(text)


def _has_form(text: str) -> bool:
    if not 0 < len(text) <= MAX_NAME_LENGTH:
        return False
    signs = [found for found in map(name_characters().find, text) if found is not None]
    letters = [sign for sign in signs if sign.kind == "L"]
    wide = sum(1 for letter in letters if not letter.scripts.isdisjoint(WIDE_SCRIPTS))
    return (
        len(signs) == len(text)
        and len(signs) + wide <= MAX_NAME_LENGTH
        and bool(letters)
        and _SHAPE.fullmatch("".join(sign.kind for sign in signs)) is not None
        and bool(_common_groups(letters))
        and _marks_fit(text, signs)
        and is_clean_text(text)
    )


def is_reserved(text: str) -> bool:
    """Return whether it reads as a word that the sentences use for players or things."""
    if _is_like_one_of(text, RESERVED_NAMES):
        return True
    return begins_like(text, RESERVED_BEGINNINGS)


def begins_like(text: str, phrases: tuple[str, ...]) -> bool:
    """Return whether a phrase could be read at the beginning of `text`, as whole words."""
    ends = [n for n, sign in enumerate(text) if sign == " "]
    return any(_is_like_one_of(text[:end], phrases) for end in (*ends, len(text)))


def _is_like_one_of(words: str, phrases: tuple[str, ...]) -> bool:
    """Return whether the words look like a phrase, also with digits and signs after it."""
    looks = _looks_of_all(phrases)
    return any(not looks.isdisjoint(looks_of(w)) for w in {words, words.rstrip(_DIGITS + _BETWEEN)})


@functools.cache
def _looks_of_all(phrases: tuple[str, ...]) -> frozenset[str]:
    return frozenset(look for phrase in phrases for look in looks_of(phrase))


def _common_groups(letters: Iterable[NameSign]) -> list[frozenset[str]]:
    """Return the groups of scripts (single ones, SCRIPT_GROUPS) that have all letters."""
    groups: list[frozenset[str]] | None = None
    for letter in letters:
        if groups is None:
            groups = [*SCRIPT_GROUPS, *(frozenset({script}) for script in letter.scripts)]
        groups = [group for group in groups if group & letter.scripts]
    return groups or []


def _marks_fit(text: str, signs: Sequence[NameSign]) -> bool:
    """Return whether each mark fits its letter's script, and differs from the one before."""
    letter = NameSign("")
    for n, sign in enumerate(signs):
        if sign.kind == "L":
            letter = sign
        elif sign.kind in "AM" and (text[n] == text[n - 1] or not sign.scripts & letter.scripts):
            return False
    return True


def read_name(value: object) -> str:
    if type(value) is not str or not is_name(value):
        raise BadBytes("no name")
    return value


def read_label(value: object) -> str:
    """Return the name of a monster, which may be empty; raise BadBytes for anything else."""
    return "" if value == "" and type(value) is str else read_name(value)


# -- what looks alike --------------------------------------------------------------------


def looks_of(text: str) -> tuple[str, str]:
    """Return how any text looks, and its small letters, without accents and spaces."""
    apart = unicodedata.normalize("NFD", text)
    bare = [s for s in apart if not is_passed_over(s) and s not in _BETWEEN]
    looks = [looks_of_sign(sign) for sign in bare]
    return "".join(look for look, _small in looks), "".join(small for _look, small in looks)


def is_passed_over(sign: str) -> bool:
    """Return whether it is a mark that no look has: an accent, or an Arabic madda or hamza."""
    return "\u0300" <= sign <= "\u036f" or "\u0653" <= sign <= "\u0655"


@functools.lru_cache(_LOOKS_KEPT)
def looks_of_sign(sign: str) -> tuple[str, str]:
    points = name_characters().look_points.get(sign)
    if points is None:
        return sign, sign
    looks = ["".join(chr(int(p, 16)) for p in part.split(".")) for part in points]
    return looks[0], looks[-1]


def are_alike(one: str, other: str) -> bool:
    """Return whether people could take the one name for the other."""
    return not set(looks_of(one)).isdisjoint(looks_of(other))


def check_unlike(names: Sequence[str]) -> None:
    """Raise BadBytes if two of these names are alike."""
    taken = set[str]()
    for name in names:
        looks = looks_of(name)
        if not taken.isdisjoint(looks):
            raise BadBytes("two names that look alike")
        taken.update(looks)


def find_seat(wanted: str, names: Sequence[str | None]) -> int | None:
    """Return the seat that is meant by its number, from 1, or by a name; None is free."""
    if wanted.isascii() and wanted.isdigit():
        seat = int(wanted[:3]) - 1
        return seat if 0 <= seat < len(names) and names[seat] is not None else None
    return next((n for n, name in enumerate(names) if name and are_alike(name, wanted)), None)


# -- names that are wanted ---------------------------------------------------------------


def clean_name(wanted: str, otherwise: str) -> str:
    """Return the name nearest to what was typed, else `otherwise`; reserved words are joined."""
    formed = _form_name(wanted)
    names = (formed, _shorten(re.sub(r"\.? ", "-", formed)))
    return next(filter(is_name, names), otherwise)


def is_reserved_wish(wanted: str) -> bool:
    return is_reserved(_form_name(wanted))


def _form_name(wanted: str) -> str:
    """Return the nearest text with the form of a name, in the scripts of its first letter."""
    typed = unicodedata.normalize("NFKC", wanted[:_MAX_TYPED].translate(_TYPED)).translate(_TYPED)
    kept = ""
    letters: list[NameSign] = []
    for sign in typed:
        found = name_characters().find(sign)
        if found is None:
            kept += "" if unicodedata.category(sign) in ("Cf", "Mn") else " "
        elif found.kind != "L":
            kept += sign
        elif _common_groups([*letters, found]):
            letters.append(found)
            kept += sign
    return _shorten(unicodedata.normalize("NFC", _join_words(drop_stray_joiners(kept))))


def is_changed(typed: str, name: str) -> bool:
    """Return whether the name differs from the typed text in more than spaces and signs."""
    plain = unicodedata.normalize("NFKC", typed.translate(_TYPED)).translate(_TYPED)
    return " ".join(plain.split()) != name


def _join_words(kept: str) -> str:
    """Return the text with one sign at most between two letters: a space, or the first one."""

    def join(found: re.Match[str]) -> str:
        between = found.group()
        if between.startswith(".") and " " in between:
            return ". "
        return " " if " " in between else between[0]

    joined = re.sub(r"[ '_.-]+", join, kept)
    return joined.lstrip(_BETWEEN).rstrip(" '-_")


def _shorten(name: str) -> str:
    """Return the longest beginning of `name` that has the form of a name; it may be empty."""
    while name and not _has_form(name):
        name = name[:-1].rstrip(" '-_")
    return name


def free_name(wanted: str, taken: Collection[str]) -> str:
    """Return the name `wanted`, followed by a number if it looks like one of `taken`."""
    name, number = wanted, 2
    while any(are_alike(name, other) for other in taken):
        name, number = _numbered_name(wanted, number), number + 1
    return name


def is_free_name_of(wanted: str, given: str) -> bool:
    number = given.rpartition(" ")[2]
    is_number = number.isascii() and number.isdecimal() and len(number) <= 3
    return given == wanted or (
        is_number
        and 2 <= int(number) <= MAX_NAME_NUMBER
        and given == _numbered_name(wanted, int(number))
    )


def _numbered_name(wanted: str, number: int) -> str:
    tail, stem = f" {number}", wanted
    while not is_name(stem + tail):
        stem = stem[:-1].rstrip(_BETWEEN) or "Guest"  # of a name of digits with one letter
    return stem + tail


def free_monster(wanted: str, taken: Collection[str]) -> str:
    """Return `wanted` if it is a free monster (in any case), else the first free one."""
    free = [monster for monster in MONSTERS if monster not in taken]
    for monster in free:
        if are_alike(monster, wanted):
            return monster
    return free[0]
