"""Announcements on the LAN, and the names that tables have there (PROTOCOL.md 6.4)."""

from __future__ import annotations

import hashlib

from kotp2p.wire.addresses import Poster, txt_properties
from kotp2p.wire.names import name_words, read_table_name
from tests.support.table_names import NO_TABLE_NAMES, TABLE_NAMES


def announcements() -> dict[str, object]:
    for text in NO_TABLE_NAMES.values():
        try:
            read_table_name(text)
        except ValueError:
            continue
        raise AssertionError(text)
    words = "".join(f"{word}\n" for word in name_words())
    poster = Poster("Ana", "second", 6, 4, 4242, table_name=read_table_name(TABLE_NAMES[0]))
    return {
        "SHA-256 of the list": hashlib.sha256(words.encode()).hexdigest(),
        "record": txt_properties(poster),
        "names": [read_table_name(name) for name in TABLE_NAMES],
        "refused names": NO_TABLE_NAMES,
    }
