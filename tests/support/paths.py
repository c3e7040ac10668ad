"""Where the project stands on this machine, whatever the depth of the module that asks."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The folder of pyproject.toml."""
VECTORS = ROOT / "docs" / "vectors"
LOGS = ROOT / "tests" / "logs"
"""Golden logs of every published version."""
