"""The characters of texts are those of Unicode 14, whatever the interpreter knows."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kotp2p.wire.encoding import INVISIBLE_CODE_POINTS, clean_text, is_clean_text
from tests.tools.independent.wire import printable, readable
from tests.tools.text_table import FILE, UNICODE, make_table

LATER = {
    "Unicode 15": "\U0001fae8",
    "Unicode 15.1": "\u2ffc",
    "Unicode 16": "\U0001fae9",
    "not assigned yet": "\u0378",
}


@pytest.mark.parametrize("name", LATER)
def test_a_character_of_a_later_unicode_is_no_text(name: str) -> None:
    """Python 3.12 knows Unicode 15, and a text that only some peers read would part them."""
    assert not is_clean_text(f"a{LATER[name]}")
    assert not readable(f"a{LATER[name]}")
    assert clean_text(f"a{LATER[name]}b") == "a b"


def test_every_character_of_the_list_can_be_seen_and_is_known_to_every_python() -> None:
    for point in sorted(printable()):
        assert unicodedata.category(chr(point)) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    assert printable().isdisjoint(INVISIBLE_CODE_POINTS)
    assert " " in map(chr, printable())


def test_the_list_is_what_its_tool_writes() -> None:
    if unicodedata.unidata_version == UNICODE:
        assert FILE.read_text("ascii") == make_table()


@pytest.mark.parametrize("point", [0, 0x1F, 0x20, 0x7E, 0x7F, 0xA0, 0xA1, 0xAD, sys.maxunicode])
def test_the_bounds_of_ranges(point: int) -> None:
    assert is_clean_text(chr(point)) == (point in (0x20, 0x7E, 0xA1))


@given(st.text(max_size=40))
def test_both_readers_know_a_text(words: str) -> None:
    assert is_clean_text(words) == readable(words)
    assert readable(clean_text(words))
