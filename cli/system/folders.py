"""Where this system keeps a user's data and settings."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

DATA_VARIABLE = "KOTP2P_DATA"
"""Names another data folder, for tests and for two players on one account."""

CONFIG_VARIABLE = "KOTP2P_CONFIG"
"""Names another file of settings, likewise."""
CATALOGUES_VARIABLE = "KOTP2P_CATALOGUES"
"""Names a folder with further languages, for translators and tests."""
CONFIG_FILE_NAME = "config.toml"


def data_folder() -> Path:
    named = os.environ.get(DATA_VARIABLE)
    return Path(named) if named else platformdirs.user_data_path("kotp2p", appauthor=False)


def log_folder(data: Path) -> Path:
    return data / "logs"


def config_file() -> Path:
    named = os.environ.get(CONFIG_VARIABLE)
    if named:
        return Path(named)
    return platformdirs.user_config_path("kotp2p", appauthor=False) / CONFIG_FILE_NAME
