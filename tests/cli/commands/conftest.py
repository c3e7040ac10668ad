"""A data folder of its own for each test of a command."""

from pathlib import Path

import pytest

from tests.support.recorded import golden_log


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KOTP2P_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def log(data: Path) -> Path:
    (data / "logs").mkdir()
    path = data / "logs" / "2026-11-20-chisel-lemon-fabric-onion.kotlog"
    path.write_bytes(golden_log("second"))
    return path
