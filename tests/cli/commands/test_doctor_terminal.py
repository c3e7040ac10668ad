"""`kotp2p doctor terminal` on a terminal that is fit, and on one that is broken in each way."""

from dataclasses import replace
from pathlib import Path

import pytest

from kotp2p.cli.extras.doctor import machine
from kotp2p.cli.extras.doctor.finding import Finding, Severity
from kotp2p.cli.system.options import Bidi, Palette, Symbols
from kotp2p.cli.ui.screen.draw import SMALLEST_SIZE
from tests.support.command_line import run
from tests.support.settings import write_settings

FIT = machine.TerminalFacts(
    size=(80, 24),
    encoding="utf-8",
    environment={"TERM": "xterm-256color"},
    is_plain_set=False,
    palette=Palette.DEFAULT,
    palette_origin="",
    symbols=Symbols.AUTO,
    bidi_used=Bidi.OFF,
    is_right_to_left=False,
)
SIZE, DRAWING, COLOURS, ENCODING, SYMBOLS, DIRECTION = range(6)
"""The findings, in their order."""


def judge(facts: machine.TerminalFacts, part: int) -> Finding:
    found = machine.judge_terminal(facts)[part]
    assert found.severity is not Severity.PROBLEM or (found.matters and found.todo)
    return found


def with_variables(**variables: str) -> machine.TerminalFacts:
    return replace(FIT, environment={**FIT.environment, **variables})


def test_a_fit_terminal_has_no_problem_and_nothing_to_note() -> None:
    assert [one.severity for one in machine.judge_terminal(FIT)] == [Severity.OK] * 5


@pytest.mark.parametrize(
    ("size", "severity"),
    [
        ((80, 24), Severity.OK), ((79, 24), Severity.NOTE), ((80, 23), Severity.NOTE),
        ((60, 20), Severity.NOTE), ((59, 24), Severity.PROBLEM), ((80, 19), Severity.PROBLEM),
    ],
)  # fmt: skip
def test_a_small_window_matters(size: tuple[int, int], severity: Severity) -> None:
    found = judge(replace(FIT, size=size), SIZE)
    assert found.severity is severity
    assert f"{size[0]} columns and {size[1]} rows" in found.what


def test_the_smallest_window_is_the_one_that_is_drawn() -> None:
    assert machine.SMALLEST_WINDOW == SMALLEST_SIZE


@pytest.mark.parametrize("term", ["", "dumb"])
def test_a_terminal_that_can_do_nothing_is_told_so(term: str) -> None:
    facts = with_variables(TERM=term)
    assert judge(facts, DRAWING).severity is Severity.NOTE
    assert "because of TERM" in judge(facts, COLOURS).what


def test_colours_are_those_of_the_drawn_table() -> None:
    assert "256 colours" in judge(FIT, COLOURS).what
    assert "all colours" in judge(with_variables(COLORTERM="truecolor"), COLOURS).what
    assert "16 colours" in judge(with_variables(TERM="linux"), COLOURS).what
    mono = replace(FIT, palette=Palette.MONO, palette_origin="NO_COLOR")
    assert "because of NO_COLOR" in judge(mono, COLOURS).what


def test_without_utf_8_letters_are_missed() -> None:
    assert judge(replace(FIT, encoding="ascii"), ENCODING).severity is Severity.NOTE


def test_symbols_that_the_encoding_lacks_are_replaced() -> None:
    found = judge(replace(FIT, encoding="latin-1", symbols=Symbols.EMOJI), SYMBOLS)
    assert "in use is ascii" in found.what
    assert "in use is emoji" in judge(replace(FIT, symbols=Symbols.EMOJI), SYMBOLS).what


def test_a_language_that_nothing_puts_into_order_is_noted() -> None:
    found = judge(replace(FIT, is_right_to_left=True), DIRECTION)
    assert found.severity is Severity.NOTE
    assert "kotp2p config set bidi program" in found.todo


def test_who_puts_text_into_order_and_what_to_type_if_it_is_not() -> None:
    found = judge(replace(FIT, is_right_to_left=True, bidi_used=Bidi.PROGRAM), DIRECTION)
    assert found.severity is Severity.OK
    assert "kotp2p config set bidi terminal" in found.todo


def test_a_pipe_has_no_size() -> None:
    code, out, _err = run("doctor", "terminal")
    assert code == 0
    assert out.startswith("Terminal:\n  note: What is printed here does not go to a terminal.")


def test_settings_that_are_not_understood_do_not_keep_it_from_looking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KOTP2P_CONFIG", write_settings(tmp_path, symbols="runes"))
    code, out, _err = run("doctor", "terminal")
    assert code == 0
    assert "The set of symbols in use is" in out


def test_one_who_plays_line_by_line_is_told_no_problem_of_drawing() -> None:
    facts = replace(with_variables(TERM="dumb"), is_plain_set=True)
    assert judge(facts, DRAWING).severity is Severity.OK
