"""Names of players: clean ones, free ones, and names that look alike.

Scope: text only. Which names a table has taken is an argument.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection

from kotp2p.wire.encoding import cleaned, is_clean
from kotp2p.wire.genesis import MAX_NAME_LENGTH

_CAPITALS = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX")
"""Greek letters whose small ones look otherwise."""


_LOOK_ALIKES = str.maketrans(
    "01|!35" + "іаеорсухѕԁ" + "вгзкмнтјһԛԝү" + "οανκτιρυγ" + "օսհոցյ" + "ıɑɡɩ",
    "oiiies" + "iaeopcyxsd" + "brekmhtjhqwy" + "oavktipuy" + "ouhngj" + "iagi",
)
"""Digits and strokes; Cyrillic, twice; Greek; Armenian; rare Latin: what is read as a Latin letter,
as a capital or as a small one."""


def fold_name(name: str) -> str:
    """Names with equal folds are taken for one another: case, width, look-alikes, spaces."""
    seen = cleaned(unicodedata.normalize("NFKC", name)).translate(_CAPITALS)
    plain = seen.casefold().translate(_LOOK_ALIKES)
    return "".join(plain.split()).replace("l", "i").replace("rn", "m")


def clean_name(wanted: str, otherwise: str) -> str:
    """`wanted` as a label may be: NFC, printable, single spaces, at most 24 characters."""
    text = " ".join(cleaned(wanted).split())[:MAX_NAME_LENGTH].strip()
    return text if text and is_clean(text) else otherwise


def free_name(wanted: str, taken: Collection[str]) -> str:
    """`wanted`, or with the first number behind it that makes it unlike all of `taken`."""
    folds = {fold_name(name) for name in taken}
    name, number = wanted, 2
    while fold_name(name) in folds:
        tail = f" {number}"
        name, number = wanted[: MAX_NAME_LENGTH - len(tail)].strip() + tail, number + 1
    return name
