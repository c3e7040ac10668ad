"""Lines are whole, clean, and in their stream."""

import io
import os
from itertools import pairwise

import pytest
from prompt_toolkit.utils import get_cwidth

from kotp2p.cli.system.output import Output, terminal_columns, wrap_line
from kotp2p.cli.text.i18n import line_width
from tests.support.printed import printed


def make(terminal: bool = False) -> Output:
    return Output(io.StringIO(), io.StringIO(), terminal)


def test_the_game_and_its_hints_have_their_own_streams() -> None:
    output = make()
    output.say_line("one")
    output.note_line("two")
    assert printed(output.out) == "one\n"
    assert printed(output.err) == "two\n"


def test_a_line_cannot_hold_another_or_an_escape() -> None:
    output = make()
    output.say_line("Ana\nYour turn\x1b[2J")
    assert printed(output.out) == "Ana?Your turn?[2J\n"


def test_news_at_an_open_prompt_come_on_a_line_of_their_own() -> None:
    output = make(terminal=True)
    output.show_prompt()
    output.say_line("news")
    output.show_prompt()
    output.echo_line("33")
    output.say_line("rolled")
    assert printed(output.out) == "> \nnews\n> rolled\n"


def test_a_pipe_sees_what_was_typed_and_no_bell() -> None:
    output = make()
    output.ring_bell()
    output.show_prompt()
    output.echo_line("33")
    assert printed(output.out) == "> 33\n"


def test_a_person_is_called_by_a_bell() -> None:
    output = make(terminal=True)
    output.ring_bell()
    assert printed(output.out) == "\a"


LINE = "For sale now: (a) We're Only Making It Stronger, 3 energy, keep."


@pytest.mark.parametrize("most", range(1, 70))
def test_a_long_line_is_broken_at_spaces_only(most: int) -> None:
    parts = wrap_line(LINE, most)
    assert " ".join(parts) == LINE
    for part, following in pairwise(parts):
        assert line_width(f"{part} {following.split()[0]}") > most
        assert line_width(part) <= most or " " not in part


def test_the_rest_of_an_indented_line_is_indented() -> None:
    assert wrap_line("  one two three", 10) == ["  one two", "  three"]
    assert wrap_line(" - one two three", 10) == [" - one two", "   three"]
    assert wrap_line("1. one two three", 10) == ["1. one two", "   three"]


def test_what_fits_stays_as_it_is() -> None:
    assert wrap_line("", 80) == [""]
    assert wrap_line("12345 78", 8) == ["12345 78"]


def test_wide_and_combining_signs_are_counted_in_columns() -> None:
    assert line_width("e\u0301") == 1
    assert line_width("\u6771\u4eac") == 4
    for text in ("\u2764\ufe0f", "\u200c\u0646\u0627\u0645", "\U0001f468\u200d\U0001f469"):
        assert line_width(text) == get_cwidth(text)  # as the table is drawn
    assert wrap_line("\u6771\u4eac \u6771\u4eac", 8) == ["\u6771\u4eac", "\u6771\u4eac"]


def test_a_terminal_is_asked_how_wide_it_is() -> None:
    termios = pytest.importorskip("termios")
    ours, theirs = os.openpty()
    with os.fdopen(ours, "w"), os.fdopen(theirs, "w") as terminal:
        termios.tcsetwinsize(theirs, (24, 30))
        assert terminal_columns(terminal) == 30
        termios.tcsetwinsize(theirs, (0, 0))
        assert terminal_columns(terminal) == 80


def test_a_terminal_gets_lines_broken_and_commands_whole() -> None:
    termios = pytest.importorskip("termios")
    ours, theirs = os.openpty()
    with os.fdopen(ours, "rb", 0) as screen, os.fdopen(theirs, "w") as terminal:
        termios.tcsetwinsize(theirs, (24, 10))
        output = Output(terminal, terminal, True)
        output.say_line("one two three")
        output.note_line("four five six")
        output.say_unbroken("kotp2p verify a b")
        shown = ""
        while "a b\r\n" not in shown:
            shown += screen.read(200).decode()
    assert shown.split("\r\n") == [
        "one two", "three", "four five", "six", "kotp2p verify a b", ""
    ]  # fmt: skip


def test_a_pipe_gets_lines_whole() -> None:
    read, write = os.pipe()
    with os.fdopen(read) as seen, os.fdopen(write, "w") as stream:
        assert terminal_columns(stream) is None
        Output(stream, stream).say_line("word " * 100 + "end")
        stream.close()
        assert seen.read() == "word " * 100 + "end\n"
