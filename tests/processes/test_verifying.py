"""`kotp2p verify` over many logs as a person runs it: interrupted."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.support.dask_cluster import OWN_SESSION
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
