"""Findings of `kotp2p doctor`: what stands in the way says what to do."""

from __future__ import annotations

import pytest

from kotp2p.cli.extras.doctor_network import NoAddress, Version, is_answer, make_question
from kotp2p.cli.extras.doctor_terminal import Sign, SymbolsDrawn
from kotp2p.cli.extras.finding import Finding, Severity, sum_up
from tests.support.findings import FINDINGS

ALL = [one for part in FINDINGS.values() for one in part]


def test_every_finding_is_said_differently() -> None:
    lines = [one.line() for one in ALL]
    assert len(set(lines)) == len(lines)
    kinds = {kind.__name__ for kind in Finding.__subclasses__()}
    assert kinds == {type(one).__name__ for one in ALL}


@pytest.mark.parametrize("one", [f for f in ALL if f.severity is Severity.PROBLEM], ids=str)
def test_what_stands_in_the_way_says_whether_it_matters_and_what_to_do(one: Finding) -> None:
    words = one.words()
    assert words.what
    assert words.matters
    assert words.todo
    assert one.line().startswith("PROBLEM: ")


def test_the_severity_is_said_in_words() -> None:
    assert {one.line().split()[0] for one in ALL} == {"ok:", "note:", "PROBLEM:"}


def test_the_older_program_is_to_be_updated() -> None:
    assert Version("6.1", "5.2").words().todo == "Update kotp2p on this machine."
    assert Version("4.9", "5.2").words().todo == "Ask the host to update kotp2p."


def test_only_problems_are_counted() -> None:
    fine = [one for one in ALL if one.severity is not Severity.PROBLEM]
    assert sum_up(fine) == "Nothing that was looked at stands in the way."
    assert sum_up([*fine, NoAddress()]) == "1 thing stands in the way."


def test_each_symbol_stands_over_a_ruler_of_its_columns() -> None:
    signs = (Sign("■", 1), Sign("╱╱╱", 3), Sign("□", 1))
    found = SymbolsDrawn("auto", "unicode", signs)
    assert found.rows(80) == ["■| ╱╱╱| □|", "-| ---| -|"]
    assert found.rows(9) == ["■| ╱╱╱|", "-| ---|", "□|", "-|"]


def test_a_question_is_no_answer() -> None:
    question = make_question(("doctor-00._kotp2p._tcp.local",))
    assert question[12:].startswith(b"\x09doctor-00\x07_kotp2p")
    assert not is_answer(question)
    assert is_answer(b"\0\0\x84" + question[3:])
    assert not is_answer(b"\0\0\x84")
