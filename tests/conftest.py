"""No test speaks on the network of the machine it runs on, or reads what its user has set. Several
workers begin with the slow folders, so that no slow test is left when all else is done."""

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


SLOW_FOLDERS = ("simulated", "processes", "whole_tables")
"""The slowest first."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    workers: int = getattr(config, "workerinput", {}).get("workercount", 1)
    if workers > 1:
        items[:] = deal_slow_tests(items, workers)


def deal_slow_tests(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """`--dist worksteal` gives each worker one block of the list, all of the same length but for a
    test, and moves tests from the end of a long block when a worker runs out. So each block
    begins with its share of the slow tests. The quick tests keep their order, as neighbours use
    the same caches."""
    slow: list[pytest.Item] = []
    quick: list[pytest.Item] = []
    for item in items:
        (slow if folder_rank(item) < len(SLOW_FOLDERS) else quick).append(item)
    slow.sort(key=folder_rank)
    # Tests that wait for one another belong to one worker.
    alone = [item for item in slow if waits_for_loopback(item)]
    slow = [item for item in slow if not waits_for_loopback(item)]
    dealt: list[pytest.Item] = []
    for worker in range(workers):
        share = slow[workers - 1 - worker :: workers] + (alone if worker == 0 else [])
        length = (len(items) - len(dealt)) // (workers - worker)
        dealt += share + quick[: max(0, length - len(share))]
        del quick[: max(0, length - len(share))]
    return dealt + quick


def folder_rank(item: pytest.Item) -> int:
    folder = item.path.relative_to(Path(__file__).parent).parts[0]
    return SLOW_FOLDERS.index(folder) if folder in SLOW_FOLDERS else len(SLOW_FOLDERS)


def waits_for_loopback(item: pytest.Item) -> bool:
    return "loopback_alone" in getattr(item, "fixturenames", ())


@pytest.fixture
def loopback_alone() -> Iterator[None]:
    """Tables on loopback are seen by every process of the machine: one run of the tests at a
    time uses it."""
    fcntl = pytest.importorskip("fcntl")
    with (Path(tempfile.gettempdir()) / "kotp2p-tests-on-loopback").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
