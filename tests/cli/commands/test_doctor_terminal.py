"""`kotp2p doctor terminal` and `network`: what is fit, and what is broken in each way."""

from dataclasses import replace
from pathlib import Path

import pytest

from kotp2p.cli.extras.doctor import machine, network
from kotp2p.cli.extras.doctor.finding import Finding, Severity, sum_up
from kotp2p.cli.system.options import Bidi, Palette, Symbols
from kotp2p.cli.ui.screen.draw import SMALLEST_SIZE
from kotp2p.seams.endings import Ending, EndKind
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


@pytest.mark.parametrize(
    ("used", "severity", "other"),
    [(Bidi.OFF, Severity.NOTE, "program"), (Bidi.PROGRAM, Severity.OK, "terminal")],
)
def test_who_puts_text_into_order_is_told_and_that_nobody_does_is_noted(
    used: Bidi, severity: Severity, other: str
) -> None:
    found = judge(replace(FIT, is_right_to_left=True, bidi_used=used), DIRECTION)
    assert found.severity is severity
    assert f"kotp2p config set bidi {other}" in found.todo


def test_a_pipe_has_no_size() -> None:
    out = run("doctor", "terminal").printed()
    assert out.startswith("Terminal:\n  note: What is printed here does not go to a terminal.")


def test_settings_that_are_not_understood_do_not_keep_it_from_looking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KOTP2P_CONFIG", write_settings(tmp_path, symbols="runes"))
    assert "The set of symbols in use is" in run("doctor", "terminal").printed()


def test_one_who_plays_line_by_line_is_told_no_problem_of_drawing() -> None:
    facts = replace(with_variables(TERM="dumb"), is_plain_set=True)
    assert judge(facts, DRAWING).severity is Severity.OK


# -- network ------------------------------------------------------------------------------


TARGET = network.Target("kitchen", 4242)
FINE = [
    network.judge_address("eth0", "192.168.1.20"),
    network.judge_address("docker0", "172.17.0.1"),
    network.judge_address("wan0", "44.128.0.5"),
    network.judge_multicast("eth0", is_heard=True),
]
NOTES = [
    network.judge_ending(Ending(kind, ""), TARGET)
    for kind in (EndKind.NOT_INVITED, EndKind.BUSY, EndKind.STARTED)
]
PROBLEMS = [
    network.no_address(),
    network.judge_multicast("eth0"),
    network.judge_multicast("eth0", fault="Address already in use"),
    *(network.judge_ending(Ending(kind, "9.1 6.1"), TARGET) for kind in network.WITHOUT_A_WAY),
]


@pytest.mark.parametrize(
    ("address", "is_public"),
    [
        ("192.168.1.20", False), ("169.254.7.1", False), ("fe80::1", False), ("100.64.0.7", False),
        ("44.128.0.5", True), ("2d00:77::1", True),
    ],
)  # fmt: skip
def test_only_an_address_all_can_dial_is_said_to_be_public(address: str, is_public: bool) -> None:
    """Those of Tailscale, and of providers that masquerade, are not: 100.64.0.0/10."""
    assert ("It is public" in network.judge_address("eth0", address).line()) is is_public


def test_every_finding_is_said_differently() -> None:
    lines = [one.line() for one in (*FINE, *NOTES, *PROBLEMS)]
    assert len(set(lines)) == len(lines)


@pytest.mark.parametrize("one", PROBLEMS, ids=lambda one: one.what)
def test_what_stands_in_the_way_says_whether_it_matters_and_what_to_do(one: Finding) -> None:
    assert one.severity is Severity.PROBLEM
    assert one.what
    assert one.todo
    assert one.line().startswith("PROBLEM: ")


def test_the_severity_is_said_in_words() -> None:
    assert {one.line().split()[0] for one in FINE} == {"ok:"}
    assert {one.line().split()[0] for one in NOTES} == {"note:"}


def test_only_problems_are_counted() -> None:
    assert sum_up([*FINE, *NOTES]) == "Nothing that was looked at stands in the way."
    assert sum_up([*FINE, network.no_address()]) == "1 thing stands in the way."
