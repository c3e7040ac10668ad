"""`kotp2p doctor` and failed joins on machines of their own."""

from pathlib import Path

import pytest

from tests.support.machines import three_machines
from tests.support.program import Program


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
