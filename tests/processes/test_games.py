"""Games between separate processes on real sockets."""

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kotp2p.game.verify import Result, verify_log
from tests.support.machines import networks, three_machines
from tests.support.processes import QUICK, finished, guest, host, resumed, three
from tests.support.program import Program
from tests.support.pseudo import CODE, OPEN, write_pseudo_language
from tests.support.recorded import golden_log
from tests.tools.siege import Siege

OWN_SESSION = (
    sys.executable, "-c",
    "import os, sys; os.setsid(); os.execv(sys.argv[1], sys.argv[1:])",
)  # fmt: skip
"""As a terminal has it: Ctrl-C goes to all processes of the command."""


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[Program]]]:
    quiet = ("--host", "127.0.0.1", "--no-dashboard")
    scheduler = Program(
        folder / "scheduler", "scheduler", *quiet, "--port", "0", module="dask", before=OWN_SESSION
    )
    address = scheduler.wait_for(r"Scheduler at: +(tcp://127\.0\.0\.1:\d+)")[1]
    worker = ("worker", address, *quiet, "--no-nanny", "--nthreads", "1", "--local-directory")
    workers = [
        Program(folder / name, *worker, str(folder / name), module="dask", before=OWN_SESSION)
        for name in ("first", "second")
    ]
    try:
        for one in workers:
            one.wait_for(r"Registered to: +tcp://")
        yield address, workers
    finally:
        for one in (*workers, scheduler):
            one.kill()


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


# -- resume ----------------------------------------------------------------------------------------

# Processes that are killed, and a table that goes on from its files afterwards.


def test_a_guest_that_is_killed_and_joins_again_at_once_stops_nobody(tmp_path: Path) -> None:
    homes, table, port = three(tmp_path)
    table[1].kill()
    table[1] = guest(homes[1], "127.0.0.1", port)
    table[1].wait_for("You are back at the table")
    finished(table)


def test_a_solo_game_goes_on_with_its_bots(tmp_path: Path) -> None:
    home = tmp_path / "ana"
    solo = Program(home, "solo", "--bot", "normal", "--bots", "3")
    solo.wait_for("^Turn 3,")
    solo.kill()
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


# -- ipv6 ------------------------------------------------------------------------------------------

# Tables over IPv6: on one machine, and in a network without IPv4.


ANA, REX = "fd77::1", "fd77::2"
COMMAND = r"kotp2p join (\[[0-9a-f:]+\]:\d+)$"
LINK = r"kotp2p://(\S+)/\w+"


def join_as_shown(folder: Path, target: str, before: tuple[str, ...] = ()) -> Program:
    return Program(folder / "rex", "join", target, "--bot", QUICK, before=before)


def test_two_processes_on_the_loopback_address_of_ipv6(tmp_path: Path) -> None:
    ana = host(tmp_path / "ana", 2, "--bind", "::1", bot=QUICK)
    target = ana.wait_for(COMMAND)[1]
    assert target == f"[::1]:{ana.port()}"
    finished([ana, join_as_shown(tmp_path, target)])


@pytest.mark.netns
@pytest.mark.parametrize("words", [(), ("--invite-only",)], ids=["open", "invited"])
def test_without_ipv4_they_play_by_what_is_shown(tmp_path: Path, words: tuple[str, ...]) -> None:
    with networks() as net:
        near, far = net.machine(ANA, prefix=64), net.machine(REX, prefix=64)
        ana = host(tmp_path / "ana", 2, *words, bot=QUICK, before=near.inside)
        target = ana.wait_for(LINK)[0] if words else ana.wait_for(COMMAND)[1]
        assert f"[{ANA}]:" in target
        finished([ana, join_as_shown(tmp_path, target, far.inside)])


# -- languages -------------------------------------------------------------------------------------

# One table in two languages: what is signed, stored and counted is the same.


def test_two_languages_at_one_table_have_one_log(tmp_path: Path) -> None:
    catalogues = tmp_path / "catalogues"
    write_pseudo_language(catalogues)
    ana = host(tmp_path / "ana", 2, "--bind", "127.0.0.1", bot=QUICK)
    rex = guest(
        tmp_path / "rex", "127.0.0.1", ana.port(), "--lang", CODE, bot=QUICK,
        catalogues=catalogues,
    )  # fmt: skip
    reports = finished([ana, rex])
    assert reports[0].head == reports[1].head
    assert not any(OPEN in line for line in ana.lines)
    assert sum(OPEN in line for line in rex.lines) > 20
    (log,) = ana.logs()
    said = []
    for words in ((), ("--lang", CODE)):
        for command in (["verify", "--json"], ["export", "--json"]):
            program = Program(
                tmp_path / "ana", *command, str(log), *words, catalogues=catalogues
            )  # fmt: skip
            assert program.wait() == 0, program.lines
            assert program.out
            said.append([json.loads(line) for line in program.out])
    assert said[:2] == said[2:]


# -- verifying -------------------------------------------------------------------------------------

# `kotp2p verify` over many logs as a person runs it: interrupted.


LOGS = 120


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """Copies of one game, which cost as much as other logs."""
    folder = tmp_path / "club"
    folder.mkdir()
    for n in range(LOGS):
        (folder / f"{n:03}.kotlog").write_bytes(golden_log("second"))
    (folder / f"{LOGS // 2:03}.kotlog").write_bytes(golden_log("second")[:-40])
    return folder


def test_ctrl_c_says_how_many_logs_are_checked(tmp_path: Path, club: Path) -> None:
    run = Program(tmp_path / "me", "verify", str(club), before=OWN_SESSION)
    run.wait_for("003.kotlog: sound")
    os.killpg(run.pid, signal.SIGINT)
    assert run.wait() == 5
    assert run.err[-1].startswith("Stopped: ")
    assert run.err[-1].endswith(f" of {LOGS} logs are checked.")


# -- siege -----------------------------------------------------------------------------------------

# Twelve times somebody is killed, and comes back. The long run: `tests.tools.siege`.


def test_twelve_kills_lose_no_game(tmp_path: Path) -> None:
    siege = Siege(tmp_path, kills=12)
    siege.run()
    assert siege.done >= 12
    assert siege.left_behind <= siege.tables


# -- windows that are closed --------------------------------------------------------------


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


# -- games of the bench -------------------------------------------------------------------


BOTS = "bench.bots"
GAMES = "200"
ONE_LEVEL = ("easy,easy,easy", "--rules", "second", "--games", GAMES)


def test_the_games_of_several_processes_are_those_of_one(tmp_path: Path) -> None:
    games = "30"
    words = ("easy,easy,easy", "--rules", "second", "--games", games)
    alone = Program(tmp_path / "one", *words, "--jobs", "1", module=BOTS)
    shared = Program(tmp_path / "two", *words, "--jobs", "3", module=BOTS, before=OWN_SESSION)
    assert (alone.wait(), shared.wait()) == (0, 0)
    assert alone.out == shared.out
    assert alone.out[0].startswith(f"{games} games, rule set second, seed 1: ")


def test_a_cluster_that_loses_a_worker_plays_the_games_of_one_core(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    alone = Program(tmp_path / "one", *ONE_LEVEL, "--jobs", "1", module=BOTS)
    with cluster(tmp_path) as (address, workers):
        run = Program(tmp_path / "run", *ONE_LEVEL, "--dask", address, module=BOTS,
                      before=OWN_SESSION)  # fmt: skip
        run.wait_for(f"{int(GAMES) // 10} of {GAMES} games")
        workers[0].kill()
        assert not any(line.startswith(f"{GAMES} of") for line in run.lines)  # in the middle
        assert run.wait() == 0
    assert alone.wait() == 0
    assert run.out == alone.out


def test_a_cluster_that_does_not_answer_is_named(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    run = Program(tmp_path, *ONE_LEVEL, "--dask", "127.0.0.1:1", module=BOTS)
    assert run.wait() == 1
    assert run.err[-1].startswith("No Dask scheduler answers at 127.0.0.1:1")
