"""The one door of every sentence for people: translation in, clean text out.

Scope: a message id is a whole English sentence with named fields, so that a translator may order
the words. Some fields are clauses of their own (a list of outcomes, an amount with its unit).
Names that other players type and text that other programs send are cleaned where they are printed
(`clean_line`), nowhere else.
Known limitation: there is no catalogue yet, and card names and texts do not pass here.
"""

from __future__ import annotations

import gettext
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from wcwidth import wcwidth

_catalogue = gettext.translation(
    "kotp2p", localedir=Path(__file__).parent.parent / "locale", fallback=True
)

MAX_MARKS = 4
"""How many marks may stand over one letter, as in a name."""
HARMLESS_FORMAT_SIGNS = "\u200c\u200d"
"""Format characters that words of some languages need."""


def _(message: str, **fields: object) -> str:
    """The sentence in the reader's language, with its fields filled in."""
    return _catalogue.gettext(message).format(**fields)


def plural(one: str, many: str, n: int, **fields: object) -> str:
    """Like `_`, for a sentence that counts; `{n}` is the number."""
    return _catalogue.ngettext(one, many, n).format(n=n, **fields)


def list_with_and(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return _("{first} and {last}", first=", ".join(parts[:-1]), last=parts[-1])


def list_with_or(parts: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    if len(parts) < 2:
        return "".join(parts)
    return _("{first} or {last}", first=", ".join(parts[:-1]), last=parts[-1])


def clean_line(line: str) -> str:
    """One line without anything that moves a cursor or turns the reading direction. Marks that
    would pile up over other lines are left out."""
    kept, marks = [], 0
    for sign in line:
        marks = marks + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
        if marks <= MAX_MARKS:
            kept.append("?" if _harmful(sign) else sign)
    return "".join(kept)


def line_width(line: str) -> int:
    """The columns that it takes on a terminal, as the table's own drawing counts them: sign by
    sign."""
    return sum(max(0, wcwidth(sign)) for sign in line)


def _harmful(sign: str) -> bool:
    kind = unicodedata.category(sign)
    return kind in ("Cc", "Cs", "Zl", "Zp") or (kind == "Cf" and sign not in HARMLESS_FORMAT_SIGNS)


def ascii_digits(text: str) -> str:
    """Digits of any script as ASCII: a Persian keyboard types other ones."""
    return "".join(str(unicodedata.digit(s)) if s.isdigit() and s > "\x7f" else s for s in text)


def N_(message: str) -> str:
    """Marks a message for the translators; it is translated where it is used."""
    return message
