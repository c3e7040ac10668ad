"""One value, one encoding; everything else is refused."""

import sys
import unicodedata
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kotp2p.wire import encoding
from kotp2p.wire.encoding import INVISIBLE_CODE_POINTS, clean_text, is_clean_text
from tests.support.two_verifiers import vectors
from tests.tools.independent.wire import printable, readable
from tests.tools.text_table import FILE, UNICODE, make_table

TYPED = st.text(max_size=40) | st.text("\u0628\u0627\u064b\u0653\u0308\u200c\u200d a1")
REFUSED_TEXTS = list(map(bytes.fromhex, vectors("texts")["refused"].values()))

values = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2**53 - 1) | st.binary(max_size=40),
    lambda inner: st.lists(inner, max_size=5).map(tuple),
    max_leaves=12,
)


@given(values)
def test_a_value_survives_the_wire(value: object) -> None:
    packed = msgpack.packb(value, use_bin_type=True)
    try:
        assert encoding.unpack(packed) == value
    except encoding.BadBytes as fault:
        assert "nested" in str(fault)


@pytest.mark.parametrize("value", [msgpack.ExtType(1, b"x"), {1: 1}])
def test_no_reader_is_given_a_value_of_another_kind(value: object) -> None:
    with pytest.raises(encoding.BadBytes):
        encoding.unpack_for_readers(msgpack.packb(value))


@given(st.binary(max_size=200))
def test_bytes_are_refused_or_canonical(data: bytes) -> None:
    try:
        value = encoding.unpack(data)
    except encoding.BadBytes:
        return
    assert encoding.pack(value) == data


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("nothing", b""),
        ("a map", b"\x81\x01\x02"),
        ("an empty map", b"\x80"),
        ("a float", msgpack.packb(1.0)),
        ("a timestamp", b"\xd6\xff\x00\x00\x00\x00"),
        ("a negative number", msgpack.packb(-1)),
        ("a number beyond 2^53", msgpack.packb(2**53)),
        ("1 as uint16", b"\xcd\x00\x01"),
        ("a string as str8", b"\xd9\x01a"),
        ("trailing bytes", b"\x01\x01"),
        ("an unfinished array", b"\x92\x01"),
        ("a promise of 2^32 items", b"\xdd\xff\xff\xff\xff"),
        ("a tower of arrays", b"\x91" * 1000 + b"\x01"),
        ("invalid UTF-8", b"\xa2\xff\xff"),
        (
            "too much",
            b"\xc6" + encoding.MAX_FRAME_BYTES.to_bytes(4, "big") + bytes(encoding.MAX_FRAME_BYTES),
        ),
    ],
)
def test_bytes_that_no_peer_writes_are_refused(name: str, data: bytes) -> None:
    with pytest.raises(encoding.BadBytes):
        encoding.unpack(data)


@pytest.mark.parametrize("data", REFUSED_TEXTS)
def test_a_text_that_could_deceive_a_terminal_is_refused(data: bytes) -> None:
    with pytest.raises(encoding.BadBytes):
        encoding.text(encoding.unpack(data), 24)


@given(TYPED)
def test_any_typed_text_can_be_made_clean(words: str) -> None:
    assert encoding.is_clean_text(encoding.clean_text(words))
    if encoding.is_clean_text(words):
        assert encoding.clean_text(words) == words


@pytest.mark.parametrize("data", REFUSED_TEXTS)
def test_nothing_that_deceives_survives_cleaning(data: bytes) -> None:
    words = str(msgpack.unpackb(data, unicode_errors="surrogateescape"))
    assert encoding.is_clean_text(encoding.clean_text(words))


def test_words_of_all_languages_are_texts() -> None:
    for words in vectors("texts")["accepted"]:
        assert (
            encoding.pack(encoding.text(encoding.unpack(bytes.fromhex(words)), 24)).hex() == words
        )


def nested(depth: int) -> encoding.Value:
    value: encoding.Value = ()
    for _ in range(depth - 1):
        value = (value,)
    return value


BOUNDS: dict[str, tuple[encoding.Value, encoding.Value]] = {
    "an integer": (2**53 - 1, 2**53),
    "an integer in an array": ((2**53 - 1,), (2**53,)),
    "a negative integer": (0, -1),
    "an array": ((0,) * 4096, (0,) * 4097),
    "arrays in arrays": (nested(6), nested(7)),
    "all in all": (bytes(encoding.MAX_FRAME_BYTES - 3), bytes(encoding.MAX_FRAME_BYTES - 2)),
}
"""By name: the last value that travels, and the first that does not (PROTOCOL.md 2)."""


@pytest.mark.parametrize("name", BOUNDS)
def test_a_writer_has_the_bounds_of_a_reader(name: str) -> None:
    last, beyond = BOUNDS[name]
    assert encoding.unpack(encoding.pack(last)) == last
    with pytest.raises(encoding.BadBytes):
        encoding.unpack(msgpack.packb(beyond, use_bin_type=True))
    with pytest.raises(encoding.Unwritable):
        encoding.pack(beyond)


@pytest.mark.parametrize("value", [1.0, {}, {1: 2}, (1, (2, 0.5)), {1}])
def test_what_no_reader_takes_is_not_written(value: Any) -> None:
    with pytest.raises(encoding.Unwritable):
        encoding.pack(value)


def test_a_text_has_its_greatest_length() -> None:
    assert encoding.text("abc", 3) == "abc"
    with pytest.raises(encoding.BadBytes):
        encoding.text("abcd", 3)


def test_both_booleans_travel_in_arrays() -> None:
    values = (True, False, None, "a", b"b", 1)
    assert encoding.unpack(encoding.pack(values)) == values


# -- clean text ---------------------------------------------------------------------------


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


@given(TYPED)
def test_both_readers_know_a_text(words: str) -> None:
    assert is_clean_text(words) == readable(words)
    assert readable(clean_text(words))


def test_an_invisible_sign_leaves_nothing_in_its_place() -> None:
    invisible = map(chr, INVISIBLE_CODE_POINTS - {ord(encoding.NON_JOINER)})
    assert {clean_text(f"a{sign}b") for sign in invisible} == {"ab"}
