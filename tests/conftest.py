"""No test speaks on the network of the machine it runs on, or reads what its user has set."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ["KOTP2P_LAN_INTERFACES"] = ""
os.environ["KOTP2P_CONFIG"] = os.devnull
# The programs that tests start are compiled once, not at each of some hundred starts.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.fixture
def loopback_alone() -> Iterator[None]:
    """Tables on loopback are seen by every process of the machine: one run of the tests at a
    time uses it."""
    fcntl = pytest.importorskip("fcntl")
    with (Path(tempfile.gettempdir()) / "kotp2p-tests-on-loopback").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
