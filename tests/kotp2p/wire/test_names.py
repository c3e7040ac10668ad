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
from kotp2p.wire import names
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes, array, is_clean_text, pack, unpack
from kotp2p.wire.frames import FRESH_BYTES, Lobby, TakenSeat
from kotp2p.wire.genesis import Charter, LobbyOptions
from tests.support.names import ALIKE, LOOKS, NAMES, NO_NAMES
from tests.support.paths import ROOT
from tests.support.two_verifiers import vectors
from tests.tools.vector_table import small_genesis

TYPED = st.text(max_size=40) | st.text("".join(NAMES) + "".join(NO_NAMES.values()), max_size=40)


def listed_characters() -> list[str]:
    table = names.name_characters()
    return [
        chr(point)
        for first, (last, _sign) in zip(table.starts, table.ranges, strict=True)
        for point in range(first, last + 1)
    ]


def test_the_looks_of_the_vectors_are_those_of_the_table() -> None:
    table = (ROOT / "kotp2p" / "names.txt").read_bytes()
    found = vectors("names")
    assert found["SHA-256 of kotp2p/names.txt"] == sha256(table).hexdigest()
    read = names.name_characters.__wrapped__()
    pairs = zip(read.starts, read.ranges, strict=True)
    signs = [(first, last, sign.kind, sorted(sign.scripts)) for first, (last, sign) in pairs]
    told = repr((signs, sorted(read.look_points.items()))).encode()
    assert sha256(told).hexdigest()[:32] == "8199f84209881c9be66fb830653d2ff3", "as it is read"
    assert {name: list(names.looks_of(name)) for name in NAMES} == LOOKS
    for one, other, *looks in found["alike"]:
        assert names.is_name(one) and names.is_name(other)
        assert looks == [list(names.looks_of(one)), list(names.looks_of(other))]


@pytest.mark.parametrize("name", NAMES)
def test_people_of_many_scripts_can_sit_down(name: str) -> None:
    assert names.is_name(name)
    assert names.read_name(name) == names.clean_name(name, "") == name


@pytest.mark.parametrize("why", NO_NAMES)
def test_a_name_hides_nothing_and_says_nothing_else(why: str) -> None:
    text = NO_NAMES[why]
    assert not names.is_name(text)
    with pytest.raises(BadBytes):
        names.read_name(text)
    assert names.is_name(names.clean_name(text, "Guest"))


def test_a_monster_has_a_name_or_none() -> None:
    assert names.read_label("") == ""
    assert names.read_label("Meka Dragon") == "Meka Dragon"
    with pytest.raises(BadBytes):
        names.read_label("Gigazaur (you)")


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_a_look_alike_is_no_other_name(one: str, other: str) -> None:
    assert names.are_alike(one, other)
    assert names.are_alike(other, one)
    assert not names.are_alike(names.free_name(other, [one]), one)
    with pytest.raises(BadBytes):
        names.check_unlike(["Nobody", one, "Somebody", other])


def test_different_names_stay_different() -> None:
    names.check_unlike(NAMES)
    for one, other in itertools.combinations(["Ana", "Anna", "Hana", "Ani", "An", "Ana 2"], 2):
        assert not names.are_alike(one, other)


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
    table = names.name_characters()
    for first, (last, sign) in zip(table.starts, table.ranges, strict=True):
        wide = not sign.scripts.isdisjoint(names.WIDE_SCRIPTS)
        for point in range(first, last + 1):
            assert line_width(chr(point)) == 2 if wide else line_width(chr(point)) <= 1


def test_a_look_of_a_look_is_itself() -> None:
    for seen, small in map(names.looks_of_sign, names.name_characters().look_points):
        assert names.looks_of(seen)[0] == seen
        assert names.looks_of(small)[0] == small


def test_no_name_is_a_number_so_a_number_is_a_seat() -> None:
    seated = ["Ana", None, "l", "3rd Rex"]
    words = ("1", "2", "3", "4", "5", "0", "99999999999")
    assert [names.find_seat(word, seated) for word in words] == [0, None, 2, 3, None, None, None]
    assert names.find_seat("ANA", seated) == 0
    assert names.find_seat("I", seated) == 2
    assert names.find_seat("3RD rex", seated) == 3
    assert names.find_seat("Otto", seated) is None
    assert not any(names.is_name(str(number)) for number in range(100))


def test_only_more_than_spaces_and_apostrophes_is_a_change() -> None:
    for typed in (" Ana  Maria ", "O\u2019Neil", "\uff21\uff4e\uff41", "e\u0301"):
        assert not names.is_changed(typed, names.clean_name(typed, ""))
    for typed in ("Rex!", "x" * 25, "Rex, Ana", "R\u0435x"):
        assert names.is_changed(typed, names.clean_name(typed, ""))


@given(TYPED)
def test_whatever_is_typed_becomes_a_name(typed: str) -> None:
    name = names.clean_name(typed, "Guest")
    assert names.is_name(name)
    assert names.clean_name(name, "") == name
    assert line_width(name) <= names.MAX_NAME_LENGTH


@given(st.lists(TYPED, max_size=6))
def test_a_table_gives_names_that_nobody_takes_for_another(typed: list[str]) -> None:
    taken: list[str] = []
    for words in typed:
        name = names.free_name(names.clean_name(words, "Guest"), taken)
        assert names.is_name(name)
        taken.append(name)
    names.check_unlike(taken)


@given(TYPED)
def test_a_name_is_clean_text(typed: str) -> None:
    """So a reader that checks the text first refuses no name."""
    if names.is_name(typed):
        assert is_clean_text(typed)
        assert unicodedata.normalize("NFKC", typed) == typed


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("You Know Who", "You-Know-Who"), ("the host. of it", "the-host-of-it"),
        ("Nobody, Rex", "Nobody-Rex"), ("You!", ""), ("nobody", ""), ("Seat 2", ""),
        ("N0b0dy 7", ""),
    ],
)  # fmt: skip
def test_reserved_words_are_joined_to_a_name_or_are_none(typed: str, name: str) -> None:
    assert names.is_reserved_wish(typed)
    assert names.clean_name(typed, "") == name
    assert names.is_name(names.clean_name(typed, "Guest"))


@pytest.mark.parametrize("typed", ["Rex", "42", "", "x" * 30, "Rex!", "Mr Nobody"])
def test_a_wish_that_is_not_reserved_is_none_for_another_reason(typed: str) -> None:
    assert not names.is_reserved_wish(typed)


def test_a_wish_that_is_too_long_becomes_the_longest_name_that_it_begins_with() -> None:
    assert [names.clean_name("x" * n, "") for n in (29, 30)] == ["x" * 24] * 2


def test_a_number_behind_a_name_makes_it_no_reserved_one() -> None:
    assert names.free_name("Tabl", ["tabl"]) == "Tabl 2"
    assert names.is_name(names.free_name("x" * 23 + "y", ["x" * 23 + "y"]))


@pytest.mark.parametrize(
    ("given", "is_given"),
    [("Ana", True), ("Ana 2", True), ("Ana 101", True), ("Ana 1", False), ("Ana 102", False),
     ("Ana 02", False), ("Ana Bob", False), ("Ana \u0662", False), ("Bob 2", False), ("", False)],
)  # fmt: skip
def test_a_host_gives_the_name_that_is_wanted_or_a_numbered_one(given: str, is_given: bool) -> None:
    assert names.is_free_name_of("Ana", given) is is_given


@pytest.mark.parametrize(
    ("typed", "name"),
    [("Ana/Bea", "Ana Bea"), ("Ana- Bea", "Ana Bea"), ("Ana\u200bBea", "AnaBea"), ("//", "Guest")],
)
def test_what_is_in_no_name_parts_words_unless_nobody_can_see_it(typed: str, name: str) -> None:
    assert names.clean_name(typed, "Guest") == name


def test_a_latin_small_capital_looks_as_its_letter() -> None:
    """UTS 39 keeps the two apart, and people do not."""
    front = "LATIN LETTER SMALL CAPITAL "
    found = [chr(point) for point in range(0x80, 0x2000) if names.is_name(chr(point))]
    capitals = [s for s in found if re.fullmatch(front + "[A-Z]", unicodedata.name(s))]
    assert "ʀ" in capitals
    for sign in capitals:
        assert names.are_alike(sign, unicodedata.name(sign).removeprefix(front)), sign
