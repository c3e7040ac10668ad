"""`kotp2p verify` over many logs as a person runs it: interrupted, and on a real cluster."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.support.dask_cluster import OWN_SESSION, cluster
from tests.support.program import Program
from tests.support.recorded import golden_log

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


def test_ctrl_c_says_how_many_logs_are_checked_and_leaves_no_process(
    tmp_path: Path, club: Path
) -> None:
    run = Program(tmp_path / "me", "verify", str(club), "--jobs", "2", before=OWN_SESSION)
    run.wait_for("003.kotlog: Sound")
    os.killpg(run.pid, signal.SIGINT)
    assert run.wait() == 5  # its pipes are closed, so no process of it is left that holds them
    assert run.err[-1].startswith("Stopped: ")
    assert run.err[-1].endswith(f" of {LOGS} logs are checked.")


def test_a_cluster_that_loses_a_worker_finds_what_one_core_finds(
    tmp_path: Path, club: Path
) -> None:
    pytest.importorskip("distributed", reason="there is no kotp2p[dask] here")
    alone = Program(tmp_path / "one", "verify", str(club), "--json", "--jobs", "1")
    with cluster(tmp_path) as (address, workers):
        run = Program(
            tmp_path / "run", "verify", str(club), "--json", "--dask", address, before=OWN_SESSION
        )
        run.wait_for("003.kotlog")
        workers[0].kill()
        workers[0].wait()
        assert not any(f"{LOGS - 1:03}.kotlog" in line for line in run.lines)  # in the middle
        assert run.wait() == 7
    assert alone.wait() == 7
    assert run.out == alone.out
