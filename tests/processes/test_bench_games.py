"""`python -m bench.bots` as a developer runs it: on several cores, and on a Dask cluster."""

from pathlib import Path

import pytest

from tests.support.dask_cluster import OWN_SESSION, cluster
from tests.support.program import Program

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
        workers[0].wait()
        assert not any(line.startswith(f"{GAMES} of") for line in run.lines)  # in the middle
        assert run.wait() == 0
    assert alone.wait() == 0
    assert run.out == alone.out


def test_a_cluster_that_does_not_answer_is_named(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    run = Program(tmp_path, *ONE_LEVEL, "--dask", "127.0.0.1:1", module=BOTS)
    assert run.wait() == 1
    assert run.err[-1].startswith("No Dask scheduler answers at 127.0.0.1:1")
