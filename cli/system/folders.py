"""Where this system keeps a user's data."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

DATA_VARIABLE = "KOTP2P_DATA"
"""Names another data folder, for tests and for two players on one account."""


def data_folder() -> Path:
    named = os.environ.get(DATA_VARIABLE)
    return Path(named) if named else platformdirs.user_data_path("kotp2p", appauthor=False)


def log_folder(data: Path) -> Path:
    return data / "logs"
