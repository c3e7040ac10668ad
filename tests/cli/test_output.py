"""Lines are whole, clean, and in their stream."""

import io
import os

from cli.output import Output


def make(terminal: bool = False) -> Output:
    return Output(io.StringIO(), io.StringIO(), terminal)


def test_the_game_and_its_hints_have_their_own_streams() -> None:
    output = make()
    output.say("one")
    output.note("two")
    assert output.out.getvalue() == "one\n"
    assert output.err.getvalue() == "two\n"


def test_a_line_cannot_hold_another_or_an_escape() -> None:
    output = make()
    output.say("Ana\nYour turn\x1b[2J")
    assert output.out.getvalue() == "Ana?Your turn?[2J\n"


def test_news_at_an_open_prompt_come_on_a_line_of_their_own() -> None:
    output = make(terminal=True)
    output.prompt()
    output.say("news")
    output.prompt()
    output.typed("33")
    output.say("rolled")
    assert output.out.getvalue() == "> \nnews\n> rolled\n"


def test_a_pipe_sees_what_was_typed_and_no_bell() -> None:
    output = make()
    output.ring()
    output.prompt()
    output.typed("33")
    assert output.out.getvalue() == "> 33\n"


def test_a_person_is_called_by_a_bell() -> None:
    output = make(terminal=True)
    output.ring()
    assert output.out.getvalue() == "\a"


def test_a_reader_that_hangs_up_does_not_end_the_game() -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as stream:
        output = Output(stream, io.StringIO())
        output.say("one")
        output.say("two")
