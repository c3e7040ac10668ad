"""`kotp2p doctor --terminal` on a terminal that is fit, and on one that is broken in each way."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from kotp2p.cli.extras.doctor_terminal import (
    RIGHT_TO_LEFT_SAMPLE,
    SMALLEST_WINDOW,
    WINDOW_KEYS,
    ColourDepth,
    Colours,
    Drawing,
    Encoding,
    Keys,
    ReadingOrder,
    Size,
    SymbolsDrawn,
    TerminalFacts,
    TerminalProgram,
    judge_terminal,
    rows_below,
    tell_program,
)
from kotp2p.cli.extras.finding import Finding, Severity, count_problems
from kotp2p.cli.system.languages import speak
from kotp2p.cli.system.options import Bidi, Palette, Symbols
from kotp2p.cli.ui.screen.draw import SMALLEST_SIZE
from tests.support.command_line import run
from tests.support.settings import write_settings

FIT = TerminalFacts(
    size=(80, 24),
    encoding="utf-8",
    environment={"TERM": "xterm-256color"},
    is_plain_set=False,
    palette=Palette.DEFAULT,
    palette_origin="",
    symbols=Symbols.AUTO,
    bidi="auto",
    bidi_used=Bidi.OFF,
    is_right_to_left=False,
)
One = TypeVar("One", bound=Finding)


def only(kind: type[One], facts: TerminalFacts) -> One:
    (found,) = [one for one in judge_terminal(facts) if isinstance(one, kind)]
    return found


def with_variables(**variables: str) -> TerminalFacts:
    return replace(FIT, environment={**FIT.environment, **variables})


def test_a_fit_terminal_has_no_problem_and_nothing_to_note() -> None:
    assert {one.severity for one in judge_terminal(FIT)} == {Severity.OK}


@pytest.mark.parametrize(
    ("size", "severity"),
    [
        ((80, 24), Severity.OK), ((79, 24), Severity.NOTE), ((80, 23), Severity.NOTE),
        ((60, 20), Severity.NOTE), ((59, 24), Severity.PROBLEM), ((80, 19), Severity.PROBLEM),
    ],
)  # fmt: skip
def test_a_small_window_matters(size: tuple[int, int], severity: Severity) -> None:
    found = only(Size, replace(FIT, size=size))
    assert found.severity is severity
    assert f"{size[0]} columns and {size[1]} rows" in found.words().what


def test_the_smallest_window_is_the_one_that_is_drawn() -> None:
    assert SMALLEST_WINDOW == SMALLEST_SIZE


@pytest.mark.parametrize("term", ["", "dumb"])
def test_a_terminal_that_can_do_nothing_is_told_so(term: str) -> None:
    facts = with_variables(TERM=term)
    assert only(Drawing, facts).severity is Severity.NOTE
    assert only(Colours, facts).depth is ColourDepth.NONE


def test_colours_are_those_of_the_drawn_table() -> None:
    assert only(Colours, FIT).depth is ColourDepth.MANY
    assert only(Colours, with_variables(COLORTERM="truecolor")).depth is ColourDepth.ALL
    assert only(Colours, with_variables(TERM="linux")).depth is ColourDepth.FEW
    mono = replace(FIT, palette=Palette.MONO, palette_origin="NO_COLOR")
    assert "because of NO_COLOR" in only(Colours, mono).words().what


def test_without_utf_8_letters_of_the_language_are_missed() -> None:
    facts = replace(FIT, encoding="ascii")
    assert only(Encoding, facts).severity is Severity.NOTE
    speak("fa")
    try:
        found = only(Encoding, facts)
        assert only(Encoding, FIT).severity is Severity.OK
    finally:
        speak("en")
    assert found.severity is Severity.PROBLEM


def test_every_symbol_of_the_table_is_shown_once_over_its_ruler() -> None:
    found = only(SymbolsDrawn, FIT)
    texts = [one.text for one in found.signs]
    assert len(set(texts)) == len(texts)
    assert {"■", "♡", "╱╱╱", "█"} <= {text.strip() for text in texts}
    rows = rows_below(found, 76)
    assert all(len(row) <= 76 for row in rows)
    above, below = "".join(rows[::2]), "".join(rows[1::2])
    assert above.count("|") == below.count("|") == len(texts)


def test_symbols_that_the_encoding_lacks_are_replaced_and_told() -> None:
    found = only(SymbolsDrawn, replace(FIT, encoding="latin-1", symbols=Symbols.EMOJI))
    assert (found.drawn, found.signs, found.severity) == ("ascii", (), Severity.NOTE)
    assert rows_below(found, 76) == []
    emoji = only(SymbolsDrawn, replace(FIT, symbols=Symbols.EMOJI))
    assert any(one.columns == 3 and "🐾" in one.text for one in emoji.signs)


def test_a_language_that_nothing_puts_into_order_is_noted() -> None:
    wrong = replace(FIT, is_right_to_left=True)
    found = only(ReadingOrder, wrong)
    assert found.severity is Severity.NOTE
    assert "kotp2p config set bidi program" in found.words().todo
    assert only(ReadingOrder, FIT).severity is Severity.OK


def test_the_sample_is_put_into_order_where_the_program_does_it() -> None:
    assert only(ReadingOrder, FIT).sample == RIGHT_TO_LEFT_SAMPLE
    turned = only(ReadingOrder, replace(FIT, bidi_used=Bidi.PROGRAM))
    assert turned.sample != RIGHT_TO_LEFT_SAMPLE
    assert "Tokyo" in turned.sample
    assert rows_below(turned, 76) == [turned.sample]


@pytest.mark.parametrize(
    ("variables", "program"),
    [
        ({"TMUX": "/tmp/tmux-1/default,1,0", "VTE_VERSION": "7006"}, TerminalProgram.TMUX),
        ({"STY": "1.pts"}, TerminalProgram.SCREEN),
        ({"VTE_VERSION": "7006"}, TerminalProgram.VTE),
        ({"KONSOLE_VERSION": "230800"}, TerminalProgram.KONSOLE),
        ({"TERM_PROGRAM": "Apple_Terminal"}, TerminalProgram.APPLE),
        ({"WT_SESSION": "1"}, TerminalProgram.WINDOWS),
        ({"TERM": "linux"}, TerminalProgram.CONSOLE),
        ({}, TerminalProgram.OTHER),
    ],
)
def test_the_program_that_may_swallow_keys_is_told_by_its_variables(
    variables: dict[str, str], program: TerminalProgram
) -> None:
    assert tell_program(variables) is program


def test_where_a_key_is_swallowed_a_word_does_the_same() -> None:
    found = only(Keys, with_variables(VTE_VERSION="7006"))
    words = found.words()
    assert "F1 and F10" in words.matters
    assert "F1 is help" in words.todo
    assert "F10 leave" in words.todo
    assert found.keys == WINDOW_KEYS


def test_a_pipe_has_no_size() -> None:
    code, out, _err = run("doctor", "terminal")
    assert code == 0
    assert out.startswith("Terminal:\n  note: What is printed here does not go to a terminal.")
    assert RIGHT_TO_LEFT_SAMPLE in out


def test_settings_that_are_not_understood_do_not_keep_it_from_looking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KOTP2P_CONFIG", write_settings(tmp_path, symbols="runes"))
    code, out, _err = run("doctor", "terminal")
    assert code == 0
    assert "The set of symbols in use is" in out


def test_one_who_plays_line_by_line_is_told_no_problem_of_drawing() -> None:
    facts = replace(with_variables(TERM="dumb"), is_plain_set=True)
    assert count_problems(judge_terminal(facts)) == 0
    assert only(Drawing, facts).severity is Severity.OK
