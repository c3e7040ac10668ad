"""`kotp2p bots run` as a person runs it: interrupted, and on a real Dask cluster on loopback."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path

import pytest

from tests.support.dask_cluster import OWN_SESSION, cluster
from tests.support.program import Program

GAMES = "200"
ONE_LEVEL = ("bots", "run", "easy", "easy", "easy", "--games", GAMES)


def test_ctrl_c_in_a_terminal_prints_the_games_that_are_done_and_leaves_no_process(
    tmp_path: Path,
) -> None:
    words = ("bots", "run", "easy", "easy", "--games", "1000", "--jobs", "2", "--plain")
    run = Program(tmp_path, *words, before=OWN_SESSION)
    run.wait_for("100 of 1000 are done")
    os.killpg(run.pid, signal.SIGINT)
    assert run.wait() == 5  # its pipes are closed, so no process of it is left that holds them
    played = re.match(r"(\d+) games with the rule set second", run.out[0])
    assert played is not None and 100 <= int(played[1]) < 1000
    assert all(re.fullmatch(r"\d+ of 1000 are done\.", line) for line in run.err)


@pytest.mark.parametrize(
    ("levels", "games", "jobs"),
    [(("easy", "easy", "easy"), "30", "3"), (("normal", "easy", "normal"), "6", "2")],
)
def test_the_games_of_several_processes_are_those_of_one(
    tmp_path: Path, levels: tuple[str, ...], games: str, jobs: str
) -> None:
    words = ("bots", "run", *levels, "--games", games, "--json")
    alone = Program(tmp_path / "one", *words, "--jobs", "1")
    shared = Program(tmp_path / "two", *words, "--jobs", jobs, before=OWN_SESSION)
    assert (alone.wait(), shared.wait()) == (0, 0)
    assert alone.out == shared.out
    assert json.loads(alone.out[0])["contests"][0]["complete"]


def test_a_cluster_that_loses_a_worker_plays_the_games_of_one_core(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="there is no kotp2p[dask] here")
    alone = Program(tmp_path / "one", *ONE_LEVEL, "--jobs", "1", "--json")
    with cluster(tmp_path) as (address, workers):
        run = Program(
            tmp_path / "run", *ONE_LEVEL, "--dask", address, "--json", "--plain",
            before=OWN_SESSION,
        )  # fmt: skip
        run.wait_for(f"{int(GAMES) // 10} of {GAMES} are done")
        workers[0].kill()
        workers[0].wait()
        assert not any(line.startswith(f"{GAMES} of") for line in run.lines)  # in the middle
        assert run.wait() == 0
    assert alone.wait() == 0
    assert run.out == alone.out
