"""Signals and terminals that are gone: the seat is kept, and the game goes on afterwards."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest

from kotp2p.game.verify import Result, verify_log
from tests.support.person import Person
from tests.support.processes import finished, guest, host, resumed, three

KEPT = "The game is saved. To go on: kotp2p resume"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_host_that_is_told_to_end_keeps_its_seat_and_comes_back(
    number: signal.Signals, tmp_path: Path
) -> None:
    homes, table, _ = three(tmp_path)
    os.kill(table[0].pid, number)
    assert table[0].wait() == 128 + number
    assert table[0].out[-1] == KEPT
    assert verify_log(table[0].logs()[0].read_bytes()).result is Result.UNFINISHED
    table[1].wait_for("connection to ana is lost")
    table[0] = resumed(homes[0])
    table[0].wait_for("You are back at the table")
    finished(table)
    assert not any("has left" in line for program in table for line in program.lines)


def test_the_bots_of_a_closed_host_come_back_with_it(tmp_path: Path) -> None:
    homes = [tmp_path / name for name in ("ana", "rex")]
    table = [host(homes[0], 4, "--bots", "2", "--bind", "127.0.0.1")]
    table.append(guest(homes[1], "127.0.0.1", table[0].port()))
    table[1].wait_for("^Turn 3,")
    os.kill(table[0].pid, signal.SIGHUP)
    assert table[0].wait() == 129
    table[0] = resumed(homes[0])
    reports = finished(table)
    assert reports[0].confirmed_by == (0, 3)


def test_a_second_ctrl_c_keeps_the_seat_and_the_same_is_asked_again(tmp_path: Path) -> None:
    ana = Person(tmp_path / "ana", "solo", "--name", "Ana", "--plain")
    first = ana.prompted()
    assert first is not None
    ana.child.sendintr()
    asked = ana.prompted()
    assert asked is not None
    assert "Ctrl-C" in asked
    ana.child.sendintr()
    while ana.prompted() is not None:
        pass
    assert KEPT in ana.said
    assert ana.ended() == 130
    again = Person(tmp_path / "ana", "resume", "--plain")
    second = again.prompted()
    assert second is not None
    assert _question(second) == _question(first)
    again.child.sendeof()
    again.prompted()
    again.type("y")
    while again.prompted() is not None:
        pass
    assert again.ended() == 0


def _question(text: str) -> str:
    return text.rstrip().rpartition("\n")[2]


def test_a_terminal_that_is_gone_keeps_the_seat(tmp_path: Path) -> None:
    ana = Person(tmp_path / "ana", "solo", "--name", "Ana", "--plain")
    assert ana.prompted() is not None
    ana.child.close(force=False)  # the terminal hangs up
    ana.child.wait()
    again = Person(tmp_path / "ana", "resume", "--plain")
    assert again.prompted() is not None
    assert re.search("You are back at the table", again.said)
    again.child.sendeof()
    again.prompted()
    again.type("y")
    while again.prompted() is not None:
        pass


def test_a_signal_before_anybody_has_answered_ends_at_once(tmp_path: Path) -> None:
    table = host(tmp_path / "ana", 2, "--bind", "127.0.0.1")
    table.port()
    os.kill(table.pid, signal.SIGTERM)
    assert table.wait() == 143


def test_a_host_that_comes_back_at_another_address_finds_the_others(tmp_path: Path) -> None:
    """They know neither his address nor his port any more; he knows theirs, and tells his."""
    homes = [tmp_path / name for name in ("ana", "rex")]
    table = [host(homes[0], 2, "--bind", "127.0.0.2")]
    table.append(guest(homes[1], "127.0.0.2", table[0].port()))
    table[1].wait_for("^Turn 3,")
    os.kill(table[0].pid, signal.SIGHUP)
    assert table[0].wait() == 129
    table[0] = resumed(homes[0], "--bind", "127.0.0.3", "--port", "0")
    table[0].wait_for("You are back at the table")
    finished(table)


def test_a_player_whose_process_stands_still_is_told_as_quiet(tmp_path: Path) -> None:
    table = [host(tmp_path / "ana", 2, "--bind", "127.0.0.1")]
    table.append(guest(tmp_path / "rex", "127.0.0.1", table[0].port()))
    table[0].wait_for("^Turn 2,")
    table[1].stop(signal.SIGSTOP)
    table[0].wait_for(r"For [5-9] seconds nothing has come from rex\.")
    table[1].stop(signal.SIGCONT)
    finished(table)
