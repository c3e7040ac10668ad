"""Nothing is written into a line that is being typed."""

import io
import os
import pty
import termios

import pytest

from kotp2p.cli.system.output import Output
from kotp2p.cli.ui.plain import HalfTyped, key_mode, without_last_letter

Line = tuple[str | None, int]


def terminal() -> tuple[Output, HalfTyped]:
    paper = io.StringIO()
    output = Output(paper, paper, terminal=True)
    return output, HalfTyped(output)


def text_of(output: Output) -> str:
    assert isinstance(output.out, io.StringIO)
    return output.out.getvalue()


def typed(keys: HalfTyped, text: str, number: int = 1) -> list[Line]:
    return list(keys.read_keys(text.encode(), number))


def test_what_happens_meanwhile_is_said_after_enter() -> None:
    output, keys = terminal()
    output.show_prompt()
    assert typed(keys, "say hel") == []
    output.say_line("Rex rolls 1, 2, 3.")
    output.note_line("Mia is back.")
    assert text_of(output) == "> say hel"
    assert typed(keys, "lo\n") == [("say hello", 1)]
    assert text_of(output) == "> say hello\nRex rolls 1, 2, 3.\nMia is back.\n"
    output.show_prompt()
    assert text_of(output).endswith("\n> ")


def test_what_happens_meanwhile_is_said_when_all_is_erased() -> None:
    output, keys = terminal()
    output.show_prompt()
    typed(keys, "ab")
    output.say_line("Rex rolls.")
    typed(keys, "\x7f")
    assert text_of(output) == "> ab\b \b"
    typed(keys, "\x7f")
    assert text_of(output) == "> ab\b \b\b \b\nRex rolls.\n> "


def test_a_prompt_that_is_due_meanwhile_stands_below_what_is_said() -> None:
    output, keys = terminal()
    typed(keys, "a")
    output.say_line("Keep which?")
    output.show_prompt()
    typed(keys, "\x15")
    assert text_of(output) == "a\b \b\nKeep which?\n> "


def test_the_bell_does_not_wait() -> None:
    output, keys = terminal()
    typed(keys, "a")
    output.ring_bell()
    assert text_of(output) == "a\a"


def test_a_line_belongs_to_the_prompt_under_which_it_was_begun() -> None:
    _output, keys = terminal()
    assert typed(keys, "33", 1) == []
    assert typed(keys, "cc\n", 2) == [("33cc", 1)]
    assert typed(keys, "y\ny\n", 2) == [("y", 2), ("y", 2)]


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("33d\x7fc\n", "33c"), ("say hello\x17\x17stay\n", "stay"), ("abc\x15s\n", "s"),
        ("\x7f\x7fa\n", "a"), ("a\x1b[A\x1bOPb\x1b\n", "ab"), ("é\u0301\x7fe\n", "e"),
        ("龍\x7fr\r", "r"), ("a\x04\n", "a"), ("a\x00\n", "a"),
    ],
)  # fmt: skip
def test_keys_edit_the_line(keys: str, line: str) -> None:
    output, half = terminal()
    assert typed(half, keys) == [(line, 1)]
    assert "\x1b" not in text_of(output)


def test_a_letter_may_come_in_two_parts() -> None:
    _output, keys = terminal()
    data = "é\n".encode()
    assert list(keys.read_keys(data[:1], 1)) == []
    assert list(keys.read_keys(data[1:], 1)) == [("é", 1)]


def test_the_end_of_the_input_is_no_part_of_a_line() -> None:
    _output, keys = terminal()
    assert typed(keys, "\x04") == [(None, 1)]


def test_ctrl_c_takes_the_half_typed_line_away() -> None:
    output, keys = terminal()
    typed(keys, "33")
    output.let_go(entered=True)
    assert typed(keys, "y\n", 2) == [("y", 2)]


def test_a_wide_letter_is_erased_with_both_columns() -> None:
    output, keys = terminal()
    typed(keys, "龍\x7f")
    assert text_of(output) == "龍" + "\b \b" * 2
    assert without_last_letter("ab\u0301") == "a"
    assert without_last_letter("") == ""


def test_the_terminal_is_left_as_it_was() -> None:
    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    with key_mode(slave) as mode:
        assert mode is not None
        assert mode.echoes
        assert not termios.tcgetattr(slave)[3] & (termios.ICANON | termios.ECHO)
        assert not mode.renew()
        termios.tcsetattr(slave, termios.TCSADRAIN, before)  # as a shell does after Ctrl-Z
        assert mode.renew()
        assert not termios.tcgetattr(slave)[3] & termios.ICANON
    assert termios.tcgetattr(slave) == before
    os.close(master)
    os.close(slave)


def test_a_pipe_has_no_such_mode() -> None:
    read, write = os.pipe()
    with key_mode(read) as mode:
        assert mode is None
    os.close(read)
    os.close(write)
