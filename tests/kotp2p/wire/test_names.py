"""What a name may be, and which names look alike: the same on every machine."""

import itertools
import re
import unicodedata
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kotp2p.cli.text.i18n import line_width
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes, array, is_clean_text, pack, unpack
from kotp2p.wire.frames import FRESH_BYTES, Lobby, TakenSeat
from kotp2p.wire.genesis import Charter, LobbyOptions
from kotp2p.wire.names import (
    MAX_NAME_LENGTH,
    WIDE_SCRIPTS,
    are_alike,
    check_unlike,
    clean_name,
    find_seat,
    free_name,
    is_changed,
    is_free_name_of,
    is_name,
    is_reserved_wish,
    looks_of,
    looks_of_sign,
    name_characters,
    read_label,
    read_name,
)
from tests.support.names import ALIKE, LOOKS, NAMES, NO_NAMES
from tests.support.paths import ROOT
from tests.support.two_verifiers import vectors
from tests.tools.vector_table import small_genesis

TYPED = st.text(max_size=40) | st.text("".join(NAMES) + "".join(NO_NAMES.values()), max_size=40)


def listed_characters() -> list[str]:
    table = name_characters()
    return [
        chr(point)
        for first, (last, _sign) in zip(table.starts, table.ranges, strict=True)
        for point in range(first, last + 1)
    ]


def test_the_looks_of_the_vectors_are_those_of_the_table() -> None:
    table = (ROOT / "kotp2p" / "names.txt").read_bytes()
    found = vectors("names")
    assert found["SHA-256 of kotp2p/names.txt"] == sha256(table).hexdigest()
    assert {name: list(looks_of(name)) for name in NAMES} == LOOKS
    for one, other, *looks in found["alike"]:
        assert is_name(one) and is_name(other)
        assert looks == [list(looks_of(one)), list(looks_of(other))]


@pytest.mark.parametrize("name", NAMES)
def test_people_of_many_scripts_can_sit_down(name: str) -> None:
    assert is_name(name)
    assert read_name(name) == clean_name(name, "") == name


@pytest.mark.parametrize("why", NO_NAMES)
def test_a_name_hides_nothing_and_says_nothing_else(why: str) -> None:
    text = NO_NAMES[why]
    assert not is_name(text)
    with pytest.raises(BadBytes):
        read_name(text)
    assert is_name(clean_name(text, "Guest"))


@pytest.mark.parametrize("value", [None, 1, True, b"Ana", ("Ana",)])
def test_a_name_is_a_string(value: object) -> None:
    with pytest.raises(BadBytes):
        read_name(value)
    with pytest.raises(BadBytes):
        read_label(value)


def test_a_monster_has_a_name_or_none() -> None:
    assert read_label("") == ""
    assert read_label("Meka Dragon") == "Meka Dragon"
    with pytest.raises(BadBytes):
        read_label("Gigazaur (you)")


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_a_look_alike_is_no_other_name(one: str, other: str) -> None:
    assert are_alike(one, other)
    assert are_alike(other, one)
    assert not are_alike(free_name(other, [one]), one)
    with pytest.raises(BadBytes):
        check_unlike(["Nobody", one, "Somebody", other])


def test_different_names_stay_different() -> None:
    check_unlike(NAMES)
    for one, other in itertools.combinations(["Ana", "Anna", "Hana", "Ani", "An", "Ana 2"], 2):
        assert not are_alike(one, other)


def seat(name: str, key: int, monster: str = "") -> TakenSeat:
    owner = Signer(bytes((key,)) * 32).key
    return TakenSeat(owner, name, monster, host=key == 1, fresh=bytes(FRESH_BYTES))


@pytest.mark.parametrize(
    "seats",
    [
        (seat("Ana", 1), seat("A.na", 2)),
        (seat("Ana", 1), None, seat("ANA", 2)),
        (seat("\u13aana", 1), seat("Rex", 2)),
        (seat("Ana", 1), seat("Rex (you)", 2)),
        (seat("Ana", 1), seat("Rex", 2, "Gigazaur, host")),
        (seat("Ana", 1), seat("", 2)),
    ],
)
def test_no_host_shows_names_that_deceive(seats: tuple[TakenSeat | None, ...]) -> None:
    read_lobby(seat("Ana", 1), None, seat("Rex", 2))
    with pytest.raises(BadBytes):
        read_lobby(*seats)


def read_lobby(*seats: TakenSeat | None) -> Lobby:
    lobby = Lobby(seats, "second", LobbyOptions())
    return Lobby.parse(array(unpack(pack(lobby.value())))[1:])


def charter_of(*names: str) -> Charter:
    charter = small_genesis()[0].charter
    assert len(charter.players) == len(names)
    players = (replace(p, name=name) for p, name in zip(charter.players, names, strict=True))
    return Charter.parse(replace(charter, players=tuple(players)).value())


def test_no_charter_has_names_that_deceive() -> None:
    assert charter_of("Ana", "Rex", "Mia").players[1].name == "Rex"
    for deceiving in ("ANA", "A na", "Rex!", "", "R\u0435x", "\u0391\u03bf\u03b7"):
        with pytest.raises(BadBytes):
            charter_of("Ana" if deceiving != "\u0391\u03bf\u03b7" else "Aon", deceiving, "Mia")


def test_every_character_is_known_to_every_supported_python() -> None:
    """Unicode never changes the normal forms of a character that version 14 has assigned."""
    for sign in listed_characters():
        assert unicodedata.category(sign) in ("Lu", "Ll", "Lo", "Lm", "Mn", "Mc"), hex(ord(sign))
        assert unicodedata.normalize("NFKC", sign) == sign
        assert is_clean_text(sign)
        assert unicodedata.bidirectional(sign) in ("L", "R", "AL", "NSM"), hex(ord(sign))


def test_the_columns_of_a_name_are_those_that_the_program_draws() -> None:
    table = name_characters()
    for first, (last, sign) in zip(table.starts, table.ranges, strict=True):
        wide = not sign.scripts.isdisjoint(WIDE_SCRIPTS)
        for point in range(first, last + 1):
            assert line_width(chr(point)) == 2 if wide else line_width(chr(point)) <= 1


def test_a_look_of_a_look_is_itself() -> None:
    for seen, small in map(looks_of_sign, name_characters().look_points):
        assert looks_of(seen)[0] == seen
        assert looks_of(small)[0] == small


def test_no_name_is_a_number_so_a_number_is_a_seat() -> None:
    names = ["Ana", None, "l", "3rd Rex"]
    assert [find_seat(word, names) for word in ("1", "2", "3", "4", "5", "0", "99999999999")] == [
        0, None, 2, 3, None, None, None,
    ]  # fmt: skip
    assert find_seat("ANA", names) == 0
    assert find_seat("I", names) == 2
    assert find_seat("3RD rex", names) == 3
    assert find_seat("Otto", names) is None
    assert not any(is_name(str(number)) for number in range(100))


def test_only_more_than_spaces_and_apostrophes_is_a_change() -> None:
    for typed in (" Ana  Maria ", "O\u2019Neil", "\uff21\uff4e\uff41", "e\u0301"):
        assert not is_changed(typed, clean_name(typed, ""))
    for typed in ("Rex!", "x" * 25, "Rex, Ana", "R\u0435x"):
        assert is_changed(typed, clean_name(typed, ""))


@given(TYPED)
def test_whatever_is_typed_becomes_a_name(typed: str) -> None:
    name = clean_name(typed, "Guest")
    assert is_name(name)
    assert clean_name(name, "") == name
    assert line_width(name) <= MAX_NAME_LENGTH


@given(st.lists(TYPED, max_size=6))
def test_a_table_gives_names_that_nobody_takes_for_another(typed: list[str]) -> None:
    taken: list[str] = []
    for words in typed:
        name = free_name(clean_name(words, "Guest"), taken)
        assert is_name(name)
        taken.append(name)
    check_unlike(taken)


@given(TYPED)
def test_a_name_is_clean_text(typed: str) -> None:
    """So a reader that checks the text first refuses no name."""
    if is_name(typed):
        assert is_clean_text(typed)
        assert unicodedata.normalize("NFKC", typed) == typed


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("You Know Who", "You-Know-Who"),
        ("the host. of it", "the-host-of-it"),
        ("Nobody, Rex", "Nobody-Rex"),
        ("You!", ""),
        ("nobody", ""),
        ("Seat 2", ""),
        ("N0b0dy 7", ""),
    ],
)
def test_reserved_words_are_joined_to_a_name_or_are_none(typed: str, name: str) -> None:
    assert is_reserved_wish(typed)
    assert clean_name(typed, "") == name
    assert is_name(clean_name(typed, "Guest"))


@pytest.mark.parametrize("typed", ["Rex", "42", "", "x" * 30, "Rex!", "Mr Nobody"])
def test_a_wish_that_is_not_reserved_is_none_for_another_reason(typed: str) -> None:
    assert not is_reserved_wish(typed)


def test_a_number_behind_a_name_makes_it_no_reserved_one() -> None:
    assert free_name("Tabl", ["tabl"]) == "Tabl 2"
    assert is_name(free_name("x" * 23 + "y", ["x" * 23 + "y"]))


@pytest.mark.parametrize(
    ("given", "is_given"),
    [("Ana", True), ("Ana 2", True), ("Ana 101", True), ("Ana 1", False), ("Ana 102", False),
     ("Ana 02", False), ("Ana Bob", False), ("Ana \u0662", False), ("Bob 2", False), ("", False)],
)  # fmt: skip
def test_a_host_gives_the_name_that_was_wanted_or_a_numbered_one(
    given: str, is_given: bool
) -> None:
    assert is_free_name_of("Ana", given) is is_given


@pytest.mark.parametrize(
    ("typed", "name"),
    [("Ana/Bea", "Ana Bea"), ("Ana\tBea", "Ana Bea"), ("Ana\u200bBea", "AnaBea"), ("//", "Guest")],
)
def test_what_is_in_no_name_parts_words_unless_nobody_can_see_it(typed: str, name: str) -> None:
    assert clean_name(typed, "Guest") == name


def test_a_latin_small_capital_looks_as_its_letter() -> None:
    """UTS 39 keeps the two apart, and people do not."""
    front = "LATIN LETTER SMALL CAPITAL "
    found = [chr(point) for point in range(0x80, 0x2000) if is_name(chr(point))]
    capitals = [s for s in found if re.fullmatch(front + "[A-Z]", unicodedata.name(s))]
    assert "ʀ" in capitals
    for sign in capitals:
        assert are_alike(sign, unicodedata.name(sign).removeprefix(front)), sign
