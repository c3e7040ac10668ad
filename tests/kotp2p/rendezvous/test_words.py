"""Codes as people type them: what is taken, and what is said of the rest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kotp2p.rendezvous import words
from kotp2p.wire.addresses import FIRST_CODE_NUMBER as FIRST
from kotp2p.wire.addresses import LAST_CODE_NUMBER as LAST

WORDS = words.code_words()
CODE = words.Code(7412, WORDS.index("carpet"), WORDS.index("arctic"))
CODES = st.builds(words.Code, st.integers(FIRST, LAST), st.integers(0, 2047), st.integers(0, 2047))


def test_a_code_is_a_number_and_two_words_in_their_order() -> None:
    assert CODE.spelled == "7412-carpet-arctic"
    assert words.read_code("7412-arctic-carpet") != CODE


@given(CODES)
def test_what_the_screen_shows_is_read_back(code: words.Code) -> None:
    assert words.read_code(code.spelled) == code
    assert words.read_code(code.in_numbers) == code
    assert words.Code.of(code.told()) == code


@pytest.mark.parametrize(
    "typed",
    [
        "7412-carpet-arctic", "  7412 CARPET Arctic ", "７４１２－ｃａｒｐｅｔ－ａｒｃｔｉｃ",
        "7412–carpet—arctic", "7412_carpet  -  arctic", "7412, carpet, arctic",
        "7412.carpet.arctic", "7412carpetarctic", "۷۴۱۲-carpet-arctic",
    ],
)  # fmt: skip
def test_a_code_is_taken_as_people_type_it(typed: str) -> None:
    assert words.is_like_code(typed)
    assert words.read_code(typed) == CODE


def test_a_word_is_taken_as_its_number_in_any_digits() -> None:
    place = WORDS.index("carpet") + 1
    in_persian = "".join(chr(0x06F0 + int(digit)) for digit in str(place))
    assert words.read_code(f"7412-{in_persian}-arctic") == CODE
    assert (words.read_word("1"), words.read_word("2048")) == (0, 2047)


def test_four_letters_are_enough_where_they_begin_one_word() -> None:
    alone = [word for word in WORDS if sum(w.startswith(word[:4]) for w in WORDS) == 1]
    assert alone
    for word in alone:
        assert WORDS[words.read_word(word[: words.LETTERS_OF_WORD])] == word


UNKNOWN, SHORT = words.CodeFault.UNKNOWN, words.CodeFault.SHORT


@pytest.mark.parametrize(
    ("typed", "fault", "near"),
    [("ca", SHORT, "ca"), ("c", SHORT, "c"), ("carppet", UNKNOWN, "carpet"), ("0", UNKNOWN, ""),
     ("2049", UNKNOWN, ""), ("99999", UNKNOWN, "")],
)  # fmt: skip
def test_a_wrong_word_is_named_with_its_nearest(typed: str, fault: object, near: str) -> None:
    with pytest.raises(words.BadCode) as bad:
        words.read_code(f"7412-{typed}-arctic")
    assert (bad.value.word, bad.value.fault) == (typed, fault)
    assert bad.value.nearest.startswith(near)


@pytest.mark.parametrize(
    "typed",
    ["7412-carpet", "7412-carpet-arctic-acorn", "741-carpet-arctic", "carpet arctic 7412",
     "74120-CARPET-arctic"],
)  # fmt: skip
def test_a_code_that_is_typed_wrong_is_no_machine(typed: str) -> None:
    assert words.is_like_code(typed)
    with pytest.raises(words.BadCode) as fault:
        words.read_code(typed)
    assert fault.value.fault is words.CodeFault.FORM


@pytest.mark.parametrize(
    "typed",
    ["", "192.168.1.20", "192.168.1.20:4243", "kotp2p://10.0.0.1/abc", "balloon brook", "0412-a-b",
     "kitchen", "::1", "7412", "7412nas", "7412.carpet.org", "carpet-arctic", "pc-carpet-7",
     "carpet-arctic-pc"],
)  # fmt: skip
def test_what_is_meant_otherwise_is_like_no_code(typed: str) -> None:
    assert not words.is_like_code(typed)
    with pytest.raises(words.BadCode, match="form"):
        words.read_code(typed)


@given(st.text())
def test_any_text_is_read_or_refused(typed: str) -> None:
    try:
        code = words.read_code(typed)
    except words.BadCode:
        return
    assert words.read_code(code.spelled) == code
