"""A file of settings for a program of a test."""

from __future__ import annotations

from pathlib import Path


def write_settings(home: Path, **values: str) -> str:
    """Write the settings; return the path, for `KOTP2P_CONFIG`."""
    home.mkdir(parents=True, exist_ok=True)
    path = home / "settings.toml"
    lines = [f'{name} = "{value}"\n' for name, value in values.items() if value]
    path.write_text("".join(lines), encoding="utf-8")
    return str(path)
