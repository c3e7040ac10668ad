"""Table names: two words by which an open table is found on the LAN (PROTOCOL.md 6.4).

Scope: which words there are, the drawing of a name, and its strict reading. A name proves nothing:
anybody may announce any name. It is not the table phrase, and no word is in both lists: those of
the phrase have at most seven letters, these have at least eight.
Not here: what a person may type in place of a name (`cli.text.join_target`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from kotp2p.wire.text_tables import read_table


@functools.cache
def name_words() -> tuple[str, ...]:
    """The 256 words, ascending."""
    return tuple(read_table("table_names").split())


def draw_table_name(entropy: Callable[[int], bytes]) -> str:
    """Two different words from random bytes, ascending."""
    while True:
        first, second = sorted(entropy(2))
        if first != second:
            return f"{name_words()[first]} {name_words()[second]}"


def read_table_name(text: str) -> str:
    """A name as a record has it, or the empty text of a table that has none. Raises ValueError."""
    words = text.split(" ") if text else []
    if words and not (len(words) == 2 and words[0] < words[1] and set(words) <= set(name_words())):
        raise ValueError("no name of a table")
    return text
