"""`kotp2p doctor` and failed joins on machines of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.machines import three_machines
from tests.support.program import Program


def severities(program: Program) -> dict[str, str]:
    """How much each kind of finding in the document matters."""
    text = next(line for line in program.lines if line.startswith("{"))
    document = json.loads(text)
    assert document["version"] == 2
    return {one["kind"]: one["severity"] for one in document["findings"]}


@pytest.mark.netns
def test_the_way_to_a_table_is_looked_at_step_by_step(tmp_path: Path) -> None:
    with three_machines() as machines:
        inside = [("ip", "netns", "exec", machine) for machine in machines]
        ana = Program(tmp_path / "ana", "host", "--bot", "easy", "--players", "2", before=inside[0])
        ana.wait_for("type this command")
        look = ("doctor", "--json", "--peer")
        rex = Program(tmp_path / "rex", *look, "10.77.0.1", before=inside[1])
        assert rex.wait() == 0
        assert severities(rex) == dict.fromkeys(("route", "tcp", "tls", "version"), "ok")
        ana.kill()
        ana.wait()
        rex = Program(tmp_path / "rex", *look, "10.77.0.1", before=inside[1])
        assert rex.wait() == 3
        assert severities(rex) == {"route": "ok", "no-tcp": "problem"}
        rex = Program(tmp_path / "rex", *look, "198.51.100.7", before=inside[1])
        assert rex.wait() == 3
        assert severities(rex) == {"route": "problem"}


@pytest.mark.netns
def test_a_machine_hears_its_own_question(tmp_path: Path) -> None:
    with three_machines() as machines:
        inside = ("ip", "netns", "exec", machines[0])
        rex = Program(
            tmp_path / "rex", "doctor", "--network", "--json", before=inside, lan=None
        )  # fmt: skip
        assert rex.wait() == 0
        found = severities(rex)
        assert (found["address"], found["port"], found["multicast"]) == ("ok", "ok", "ok")


@pytest.mark.netns
def test_silence_on_the_own_network_is_told_from_a_missing_route(tmp_path: Path) -> None:
    with three_machines() as machines:
        inside = ("ip", "netns", "exec", machines[1])
        near = Program(tmp_path / "rex", "join", "10.77.0.9", "--bot", "easy", before=inside)
        far = Program(tmp_path / "mia", "join", "198.51.100.7", "--bot", "easy", before=inside)
        assert (near.wait(), far.wait()) == (3, 3)
        assert any("keeps its devices apart" in line for line in near.lines)
        assert any("There is no route" in line for line in far.lines)
