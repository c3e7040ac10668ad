"""Names of players: clean names, free names, and names that look alike.

Scope: functions over text.
Not here: the names that a table has taken; they come in as an argument.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection

from kotp2p.wire.encoding import clean_text, is_clean_text
from kotp2p.wire.genesis import MAX_NAME_LENGTH

_CAPITALS = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX")
"""Greek capitals that look Latin although their small letters do not."""


_LOOK_ALIKES = str.maketrans(
    "01|!35" + "іаеорсухѕԁ" + "вгзкмнтјһԛԝү" + "οανκτιρυγ" + "օսհոցյ" + "ıɑɡɩ",
    "oiiies" + "iaeopcyxsd" + "brekmhtjhqwy" + "oavktipuy" + "ouhngj" + "iagi",
)
"""Characters that are read as Latin letters: digits and strokes, Cyrillic (two rows), Greek,
Armenian, rare Latin letters."""


def fold_name(name: str) -> str:
    """A form that names have in common if people could take one for the other.

    It ignores case, width, look-alikes and spaces.
    """
    seen = clean_text(unicodedata.normalize("NFKC", name)).translate(_CAPITALS)
    plain = seen.casefold().translate(_LOOK_ALIKES)
    return "".join(plain.split()).replace("l", "i").replace("rn", "m")


def clean_name(wanted: str, otherwise: str) -> str:
    """`wanted` as a name may be: clean, with single spaces, at most `MAX_NAME_LENGTH` characters.

    Gives `otherwise` if nothing is left.
    """
    text = " ".join(clean_text(wanted).split())[:MAX_NAME_LENGTH].strip()
    return text if text and is_clean_text(text) else otherwise


def free_name(wanted: str, taken: Collection[str]) -> str:
    """`wanted`, with a number behind it if it looks like one of `taken`."""
    folds = {fold_name(name) for name in taken}
    name, number = wanted, 2
    while fold_name(name) in folds:
        tail = f" {number}"
        name, number = wanted[: MAX_NAME_LENGTH - len(tail)].strip() + tail, number + 1
    return name
