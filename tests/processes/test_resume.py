"""Processes that are killed, and a table that goes on from its files afterwards."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kotp2p.game.verify import Result, verify_log
from tests.support.processes import finished, guest, host, resumed, three
from tests.support.program import Program


@pytest.mark.parametrize("victim", [0, 1])
def test_a_process_that_is_killed_and_comes_back_at_once_stops_nobody(
    victim: int, tmp_path: Path
) -> None:
    homes, table, port = three(tmp_path)
    table[victim].kill()
    table[victim].wait()
    if victim:
        table[victim] = guest(homes[victim], "127.0.0.1", port)  # the same join again
    else:
        table[victim] = resumed(homes[victim])
    table[victim].wait_for("You are back at the table")
    finished(table)


def test_a_table_that_has_stopped_goes_on_when_all_come_back(tmp_path: Path) -> None:
    homes, table, _ = three(tmp_path)
    for program in table:
        program.kill()
        program.wait()
    again = [resumed(homes[n]) for n in (1, 2, 0)]
    again[0].wait_for("You are back at the table")
    reports = finished([again[2], again[0], again[1]])
    assert reports[0].confirmed_by == (0, 1, 2)
    assert not any(re.search("against the rules|two different", x) for p in again for x in p.lines)


def test_a_solo_game_goes_on_with_its_bots(tmp_path: Path) -> None:
    home = tmp_path / "ana"
    solo = Program(home, "solo", "--bot", "normal", "--bots", "3")
    solo.wait_for("^Turn 3,")
    solo.kill()
    solo.wait()
    (log,) = solo.logs()
    assert verify_log(log.read_bytes()).result is Result.UNFINISHED
    finished([resumed(home)])
    nothing = resumed(home)
    assert nothing.wait() == 8
    assert any("no unfinished game" in line for line in nothing.lines)


def test_the_same_join_comes_back_to_a_table_that_was_resumed(tmp_path: Path) -> None:
    homes = [tmp_path / name for name in ("ana", "rex")]
    table = [host(homes[0], 2, "--bind", "127.0.0.1")]
    port = table[0].port()
    table.append(guest(homes[1], "127.0.0.1", port))
    table[0].wait_for("^Turn 3,")
    for program in table:
        program.kill()
        program.wait()
    back = resumed(homes[0])
    back.wait_for("Not back yet: rex")
    finished([back, guest(homes[1], "127.0.0.1", port)])


def test_two_players_of_one_home_come_back_to_their_own_seats(tmp_path: Path) -> None:
    home = tmp_path / "ana"
    table = [host(home, 2, "--bind", "127.0.0.1", "--log-dir", str(tmp_path / "one"))]
    table.append(guest(home, "127.0.0.1", table[0].port(), "--log-dir", str(tmp_path / "two")))
    table[0].wait_for("^Turn 3,")
    for program in table:
        program.kill()
        program.wait()
    one = resumed(home)
    one.wait_for("You are back at the table")
    two = resumed(home)
    assert (one.wait(), two.wait()) == (0, 0)
    reports = [
        verify_log(next((tmp_path / n).glob("*.kotlog")).read_bytes()) for n in ("one", "two")
    ]
    assert {r.result for r in reports} == {Result.SOUND}
    assert reports[0].canonical == reports[1].canonical
    third = resumed(home)
    assert third.wait() == 8
