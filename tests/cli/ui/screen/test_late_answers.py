"""What a terminal answers too late never reaches the line."""

import pytest

from kotp2p.cli.ui.screen.stage import MAX_ANSWER, AnswerFilter
from tests.support.screen_table import Asked, played, roll
from tests.support.screen_terminal import ESC, UP, Terminal

ANSWERS = "\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\\x1b[?62;22c"


@pytest.mark.parametrize("end", ["\x1b\\", "\x07"])
def test_answers_are_dropped_and_keys_pass(end: str) -> None:
    kept = AnswerFilter()
    assert kept.drop_answers(f"3\x1b]11;rgb:0/0/0{end}3\x1b[?1;2cc") == "33c"


def test_an_answer_in_pieces_is_dropped() -> None:
    for at in range(2, len(ANSWERS)):
        kept = AnswerFilter()
        first = kept.drop_answers("3" + ANSWERS[:at])
        typed = first + kept.drop_answers(ANSWERS[at:] + "c")
        # These ends of a piece are keys, or the beginning of one, as far as anybody can tell.
        assert typed == "3c" or ANSWERS[:at].endswith(("\x1b", "\x1b["))


@pytest.mark.parametrize("keys", [ESC, UP, "\x1bOP", "\x1b[15~", "\x1b[200~hello\x1b[201~", "?"])
def test_a_key_passes_at_once(keys: str) -> None:
    assert AnswerFilter().drop_answers(keys) == keys


def test_what_never_ends_is_no_answer() -> None:
    kept = AnswerFilter()
    typed = kept.drop_answers("\x1b]11;" + "x" * (MAX_ANSWER + 1))
    assert typed.endswith("x")


@played(lambda: Asked(roll()))
async def test_the_line_of_the_table_stays_as_it_was(asked: Asked, terminal: Terminal) -> None:
    terminal.press("3" + ANSWERS + "3")
    await terminal.see("> 33")
    assert asked.screen.input.text == "33"
