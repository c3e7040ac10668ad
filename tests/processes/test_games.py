"""Games between separate processes on real sockets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kotp2p.game.verify import Result, verify_log
from tests.support.machines import three_machines
from tests.support.processes import QUICK, finished, guest, host
from tests.support.program import Program


def test_six_processes_finish_a_game_with_one_log(tmp_path: Path) -> None:
    programs = [host(tmp_path / "ana", 6, "--bind", "127.0.0.1", bot=QUICK)]
    port = programs[0].port()
    for name in ("rex", "mia", "lena", "otto", "sam"):
        programs.append(guest(tmp_path / name, "127.0.0.1", port, bot=QUICK))
    reports = finished(programs)
    assert len(reports[0].players) == 6
    assert reports[0].confirmed_by == tuple(range(6))
    names = {p.name for p in reports[0].players}
    assert names == {"ana", "rex", "mia", "lena", "otto", "sam"}


def test_a_host_is_joined_by_all_its_loopback_addresses_in_one_game(tmp_path: Path) -> None:
    programs = [host(tmp_path / "ana", 4, bot=QUICK)]
    port = programs[0].port()
    for name, address in (("rex", "127.0.0.1"), ("mia", "127.0.0.2"), ("lena", "::1")):
        programs.append(guest(tmp_path / name, address, port, bot=QUICK))
    finished(programs)


def test_a_game_in_which_no_guest_can_be_dialled(tmp_path: Path) -> None:
    programs = [host(tmp_path / "ana", 4, "--bind", "127.0.0.1", bot=QUICK)]
    port = programs[0].port()
    for name in ("rex", "mia", "lena"):
        home = tmp_path / name
        programs.append(
            Program(
                home, "honest", "join", "--deaf", "--home", str(home), "--port", str(port),
                "--name", name, module="tests.support.cheaters",
            )
        )  # fmt: skip
    finished(programs)


@pytest.mark.netns
def test_three_machines_with_addresses_of_their_own(tmp_path: Path) -> None:
    with three_machines() as machines:
        inside = [("ip", "netns", "exec", machine) for machine in machines]
        programs = [host(tmp_path / "ana", 3, bot=QUICK, before=inside[0])]
        shown = programs[0].wait_for(r"kotp2p join (10\.77\.0\.1\S*)").group(1)
        port = programs[0].port()
        assert shown in ("10.77.0.1", f"10.77.0.1:{port}")
        assert not any("join 127." in line for line in programs[0].lines)
        for n, name in ((1, "rex"), (2, "mia")):
            home = tmp_path / name
            programs.append(guest(home, "10.77.0.1", port, bot=QUICK, before=inside[n]))
        finished(programs)


def test_solo_without_a_terminal_ends_with_winners_and_log(tmp_path: Path) -> None:
    solo = Program(tmp_path / "ana", "solo", "--bot", "normal", "--bots", "3", "--rules", "second")
    assert solo.wait() == 0
    (log,) = solo.logs()
    assert solo.out[-1] == f"Log: {log}"
    assert "win" in solo.out[-2].lower()
    assert verify_log(log.read_bytes()).result is Result.SOUND


def test_solo_gives_one_json_object(tmp_path: Path) -> None:
    solo = Program(
        tmp_path / "ana", "solo", "--bot", "easy", "--bots", "1", "--json", "--log-dir", "here"
    )
    assert solo.wait() == 0
    document = json.loads("\n".join(solo.out))
    assert set(document) == {"winners", "log", "turns", "phrase", "rules", "players"}
    (log,) = (tmp_path / "ana" / "here").glob("*.kotlog")
    assert Path(document["log"]).name == log.name
    check = Program(tmp_path / "ana", "verify", "--json", str(log))
    assert check.wait() == 0
    report, _total = map(json.loads, check.out)
    assert report["result"] == "sound"
    assert report["phrase"] == document["phrase"]
    assert report["turns"] == document["turns"]
    assert report["winners"] == document["winners"]


def test_two_terminals_of_one_person_simply_work(tmp_path: Path) -> None:
    home = tmp_path / "ana"
    one = host(home, 2, "--bind", "127.0.0.1", "--log-dir", str(tmp_path / "one"))
    port = one.port()
    two = guest(home, "127.0.0.1", port, "--log-dir", str(tmp_path / "two"))
    assert [one.wait(), two.wait()] == [0, 0]
    assert any("profile" in line for line in two.lines)
    reports = [
        verify_log(next((tmp_path / n).glob("*.kotlog")).read_bytes()) for n in ("one", "two")
    ]
    assert {r.result for r in reports} == {Result.SOUND}
    assert {p.name for p in reports[0].players} == {"ana", "ana 2"}
