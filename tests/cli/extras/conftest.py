"""A data folder of its own for each test of a command."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KOTP2P_DATA", str(tmp_path))
    return tmp_path
