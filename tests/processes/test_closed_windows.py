"""A window that is closed keeps its seat, whenever it is closed."""

import os
import signal
from pathlib import Path

import pytest

from tests.support.machines import three_machines
from tests.support.processes import finished, guest, host, resumed
from tests.support.program import Program

HUNG_UP = 128 + signal.SIGHUP


def close(program: Program) -> None:
    os.kill(program.pid, signal.SIGHUP)
    assert program.wait() == HUNG_UP


def test_in_the_lobby_it_closes_the_table(tmp_path: Path) -> None:
    keeper = host(tmp_path / "ana", 3, "--bind", "127.0.0.1")
    waiting = guest(tmp_path / "rex", "127.0.0.1", keeper.port())
    waiting.wait_for("1 ana")
    close(keeper)
    assert waiting.wait() == 4
    waiting.wait_for("The host has closed the table")


def test_on_the_players_turn_the_same_question_is_asked_again(tmp_path: Path) -> None:
    """A person at a pipe, who has been asked and has not answered."""
    home = tmp_path / "ana"
    keeper = Program(home, "host", "--players", "2", "--port", "0", "--bind", "127.0.0.1", stdin="")
    other = guest(tmp_path / "rex", "127.0.0.1", keeper.port())
    asked = keeper.wait_for("^Your roll 1 of 3: .*").group(0)
    close(keeper)
    keeper.wait_for("The game is saved. To go on: kotp2p resume")
    back = Program(home, "resume", stdin="")
    assert back.wait_for("^Your roll 1 of 3: .*").group(0) == asked
    close(back)
    finished([resumed(home), other])


@pytest.mark.netns
def test_a_living_player_whose_address_changes_is_found_again(tmp_path: Path) -> None:
    import subprocess

    with three_machines() as machines:
        inside = [("ip", "netns", "exec", machine) for machine in machines]
        table = [host(tmp_path / "ana", 3, before=inside[0])]
        port = table[0].port()
        for n, name in ((1, "rex"), (2, "mia")):
            table.append(guest(tmp_path / name, "10.77.0.1", port, before=inside[n]))
        table[1].wait_for("^Turn 2,")
        for words in (
            ("addr", "add", "10.77.0.99/24", "dev", "eth0"),
            ("addr", "del", "10.77.0.2/24", "dev", "eth0"),
            ("addr", "add", "10.77.0.99/24", "dev", "eth0"),
        ):
            subprocess.run(["ip", "-n", machines[1], *words], check=False, capture_output=True)
        finished(table)
        assert not any("votes to go on" in line for p in table for line in p.lines)
