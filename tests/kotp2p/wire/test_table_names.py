"""Two words by which a table is found on the LAN: which there are, how they are drawn and read."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kotp2p.wire.addresses import Poster, parse_poster, txt_properties
from kotp2p.wire.names import draw_table_name, name_words, read_table_name
from tests.support.memory_world import seeded
from tests.support.paths import ROOT
from tests.support.table_names import NO_TABLE_NAMES, TABLE_NAMES

POSTER = Poster("Ana", "second", 6, 4, 4242)


def record_with_name(name: bytes) -> dict[bytes, bytes | None]:
    pairs: dict[bytes, bytes | None] = {
        key.encode(): value.encode() for key, value in txt_properties(POSTER).items()
    }
    return pairs | {b"name": name}


def test_there_are_256_words_of_plain_letters() -> None:
    words = name_words()
    assert len(words) == 256
    assert list(words) == sorted(set(words))
    for word in words:
        assert re.fullmatch("[a-z]{8,10}", word), word


def test_no_word_can_be_one_of_the_table_phrase() -> None:
    """The words of the phrase are shorter, so nobody takes the one for the other."""
    phrase = (ROOT / "kotp2p" / "words.txt").read_text(encoding="ascii").split()
    assert not set(phrase) & set(name_words())
    assert max(map(len, phrase)) < min(map(len, name_words()))


def test_no_two_words_differ_by_one_letter() -> None:
    """A slip of the finger leads to no other word."""
    for one, other in combinations(name_words(), 2):
        gone = {one[:i] + one[i + 1 :] for i in range(len(one))}
        assert not gone & {other, *(other[:i] + other[i + 1 :] for i in range(len(other)))}
        assert one not in {other[:i] + other[i + 1 :] for i in range(len(other))}


def test_a_name_is_drawn_from_the_bytes_and_its_words_stand_in_order() -> None:
    words = name_words()
    assert draw_table_name(lambda count: bytes([255, 0])[:count]) == f"{words[0]} {words[255]}"
    assert draw_table_name(lambda count: bytes([3, 7])[:count]) == f"{words[3]} {words[7]}"


def test_a_word_drawn_twice_is_drawn_again() -> None:
    drawn = iter([bytes([5, 5]), bytes([9, 9]), bytes([2, 1])])
    words = name_words()
    assert draw_table_name(lambda count: next(drawn)) == f"{words[1]} {words[2]}"


def test_two_lobbies_have_different_names() -> None:
    entropy = seeded("tables")
    drawn = {draw_table_name(entropy) for _ in range(20)}
    assert len(drawn) == 20
    assert all(read_table_name(name) == name for name in drawn)


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_a_name_of_the_list_is_read_from_a_record(name: str) -> None:
    found = parse_poster(record_with_name(name.encode()), 4242)
    assert found == replace(POSTER, table_name=name)


@pytest.mark.parametrize("name", NO_TABLE_NAMES.values(), ids=NO_TABLE_NAMES)
def test_a_record_with_another_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no name of a table"):
        read_table_name(name)
    assert parse_poster(record_with_name(name.encode()), 4242) is None


@given(st.binary(max_size=255))
def test_no_bytes_of_strangers_become_a_name(name: bytes) -> None:
    found = parse_poster(record_with_name(name), 4242)
    assert found is None or found.table_name == ""


def test_a_record_may_have_no_name() -> None:
    for pairs in (record_with_name(b""), {**record_with_name(b""), b"name": None}):
        found = parse_poster(pairs, 4242)
        assert found is not None
        assert found.table_name == ""
