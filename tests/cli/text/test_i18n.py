"""Sentences, lists, and what is cleaned out of them."""

from kotp2p.cli.text import i18n
from kotp2p.cli.text.i18n import _, ascii_digits, clean_line, list_with_and, list_with_or, plural


def test_fields_are_filled_in() -> None:
    assert _("{name} wins.", name="Ana") == "Ana wins."
    assert plural("{n} point", "{n} points", 1) == "1 point"
    assert plural("{n} point", "{n} points", 2) == "2 points"


def test_a_name_with_braces_is_only_a_name() -> None:
    assert _("{name} wins.", name="{other}") == "{other} wins."


def test_of_a_word_longer_than_any_path_the_middle_is_left_out() -> None:
    assert len(_("{file} is there.", file="a" * 4096)) == 4106
    assert _("{file}: {n}", file="a" * 4097, n=7) == f"{'a' * 40}...{'a' * 40}: 7"


def test_lists() -> None:
    assert list_with_and([]) == ""
    assert list_with_and(["a", "b", "c"]) == "a, b and c"
    assert list_with_or(["a", "b"]) == "a or b"


def test_nothing_that_moves_a_cursor_gets_through() -> None:
    assert clean_line("A\x1b[2Jn\na\r\x9b1m\u202e\u2028") == "A?[2Jn?a??1m??"


def test_letters_of_all_languages_get_through() -> None:
    for let_through in (clean_line, i18n.typed_signs):
        assert let_through("نی\u200cها Ünïcode 猫") == "نی\u200cها Ünïcode 猫"


def test_digits_of_any_script_are_read() -> None:
    assert ascii_digits("۳٣3cc") == "333cc"
