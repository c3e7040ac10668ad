"""`kotp2p doctor` and failed joins on machines of their own."""

from pathlib import Path

import pytest

from tests.support.machines import three_machines
from tests.support.program import Program
from tests.support.window import Window


def severities(program: Program) -> list[str]:
    """The word with which each finding begins: how much it matters."""
    return [line.split()[0] for line in program.lines if line.startswith("  ")]


@pytest.mark.netns
def test_the_way_to_a_table_is_looked_at_step_by_step(tmp_path: Path) -> None:
    with three_machines() as machines:
        inside = [("ip", "netns", "exec", machine) for machine in machines]
        ana = Program(tmp_path / "ana", "host", "--bot", "easy", "--players", "2", before=inside[0])
        ana.wait_for("type this command")
        look = ("doctor", "--peer")
        rex = Program(tmp_path / "rex", *look, "10.77.0.1", before=inside[1])
        assert rex.wait() == 0
        assert severities(rex) == ["ok:"] * 3  # TCP, TLS, version
        ana.kill()
        ana.wait()
        rex = Program(tmp_path / "rex", *look, "10.77.0.1", before=inside[1])
        assert rex.wait() == 3
        assert severities(rex) == ["PROBLEM:"]
        rex = Program(tmp_path / "rex", *look, "198.51.100.7", before=inside[1])
        assert rex.wait() == 3
        assert severities(rex) == ["PROBLEM:"]


@pytest.mark.netns
def test_a_machine_hears_its_own_question(tmp_path: Path) -> None:
    with three_machines() as machines:
        inside = ("ip", "netns", "exec", machines[0])
        rex = Program(
            tmp_path / "rex", "doctor", "network", before=inside, lan=None
        )  # fmt: skip
        assert rex.wait() == 0
        said = " ".join(rex.lines)
        assert "PROBLEM:" not in said
        assert "ok: TCP port 4242 is free." in said


@pytest.mark.netns
def test_silence_on_the_own_network_is_told_from_a_missing_route(tmp_path: Path) -> None:
    with three_machines() as machines:
        inside = ("ip", "netns", "exec", machines[1])
        near = Program(tmp_path / "rex", "join", "10.77.0.9", "--bot", "easy", before=inside)
        far = Program(tmp_path / "mia", "join", "198.51.100.7", "--bot", "easy", before=inside)
        assert (near.wait(), far.wait()) == (3, 3)
        assert any("keep its devices apart" in line for line in near.lines)
        assert any("There is no route" in line for line in far.lines)


def said_in_window(window: Window) -> str:
    """All that was printed, with spaces where lines were broken, once the program has ended."""
    window.until(lambda: "in the way." in " ".join(window.raw.split()), "the last line")
    window.child.wait()
    return " ".join(window.raw.split())


def test_a_window_of_the_usual_size_is_fit(tmp_path: Path) -> None:
    window = Window(tmp_path / "ana", "doctor", "terminal", symbols="")
    said = said_in_window(window)
    assert "ok: The window has 80 columns and 24 rows." in said
    assert "ok: Letters are written in utf-8." in said
    assert "■| □| ─|" in said
    assert window.child.exitstatus == 0


def test_a_small_window_without_utf_8_is_told_so(tmp_path: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    window = Window(
        tmp_path / "ana", "doctor", "terminal", "--lang", "fa", columns=50, rows=15,
        environment={**plain, "PYTHONIOENCODING": "ascii"}, symbols="",
    )  # fmt: skip
    window.until(lambda: not window.child.isalive(), "the end")
    assert window.child.exitstatus == 3
    window = Window(
        tmp_path / "ana", "doctor", "terminal", columns=50, rows=15,
        environment={**plain, "PYTHONIOENCODING": "ascii"}, symbols="",
    )  # fmt: skip
    said = said_in_window(window)
    assert "PROBLEM: The window has 50 columns and 15 rows." in said
    assert "note: Letters are written in ascii, which is not UTF-8." in said
    assert "The set of symbols in use is ascii." in said
    assert window.child.exitstatus == 3
