"""What `kotp2p doctor --report` adds for a report of a bug: versions, and the end of a debug log.

Scope: plain lines, which may be sent to a stranger as they are.
Not here: what is written to the log (`cli.system.debug_log`), and the findings (`doctor`).
"""

from __future__ import annotations

import platform
from collections import deque
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from kotp2p.cli.system.options import VERSION
from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.wire.genesis import PROTOCOL_VERSION

LAST_LINES = 200
MAX_LINE_SIGNS = 300
LIBRARIES = ("trio", "cryptography", "msgpack", "prompt_toolkit", "typer", "zeroconf")


def version_lines() -> list[str]:
    """Return the versions of all that takes part in a game."""
    return [
        f"kotp2p {VERSION}, protocol {PROTOCOL_VERSION}, rules {RULES_VERSION}",
        f"Python {platform.python_version()}, {platform.platform()}",
        ", ".join(f"{name} {_version_of(name)}" for name in LIBRARIES),
    ]


def _version_of(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "?"


def last_lines(path: Path) -> list[str]:
    """Return the end of a debug log; raise OSError."""
    with path.open(encoding="utf-8", errors="replace") as file:
        return [line.rstrip("\n")[:MAX_LINE_SIGNS] for line in deque(file, LAST_LINES)]
