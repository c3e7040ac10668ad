"""A file of settings for a program of a test."""

from pathlib import Path

NO_SERVERS = {"mailbox": "", "relay": ""}
"""No test asks a server of others."""


def write_settings(home: Path, **values: str) -> str:
    """Write the settings, without a server unless one is named; return `KOTP2P_CONFIG`."""
    home.mkdir(parents=True, exist_ok=True)
    path = home / "settings.toml"
    given = {name: value for name, value in values.items() if value}
    lines = [f'{name} = "{value}"\n' for name, value in {**NO_SERVERS, **given}.items()]
    path.write_text("".join(lines), encoding="utf-8")
    return str(path)
