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


WAITING_FOLDERS = ("processes",)
"""Their tests are slow, and half of the time they wait for something else than a core."""
BUSY_FOLDERS = ("simulated", "whole_tables")
"""Their tests are slow and keep a core busy; the slowest first."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    workers: int = getattr(config, "workerinput", {}).get("workercount", 1)
    if workers > 1:
        items[:] = deal_tests(items, workers)


def deal_tests(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """`--dist worksteal` gives each worker one block of the list, all of the same length but for a
    test, and moves tests from the end of a long block when a worker runs out. So each block
    begins with slow tests: with tests that wait for every other worker, and with busy ones for
    those in between, so that no core is idle. The quick tests keep their order, as neighbours
    use the same caches."""
    waiting, busy = of_folders(items, WAITING_FOLDERS), of_folders(items, BUSY_FOLDERS)
    slow = {*waiting, *busy}
    quick = [item for item in items if item not in slow]
    # Tests that wait for one another belong to one worker.
    alone = [item for item in waiting if waits_for_loopback(item)]
    apart = [item for item in waiting if not waits_for_loopback(item)]
    dealt: list[pytest.Item] = []
    for worker in range(workers):
        alike = len(range(worker % 2, workers, 2))
        share = (busy if worker % 2 else apart)[worker // 2 :: alike]
        share += alone if worker == 0 else []
        length = (len(items) - len(dealt)) // (workers - worker)
        dealt += share + quick[: max(0, length - len(share))]
        del quick[: max(0, length - len(share))]
    return dealt + quick


def of_folders(items: list[pytest.Item], folders: tuple[str, ...]) -> list[pytest.Item]:
    """In the order of the folders."""
    below = {folder: Path(__file__).parent / folder for folder in folders}
    return [item for folder in folders for item in items if below[folder] in item.path.parents]


def waits_for_loopback(item: pytest.Item) -> bool:
    return "loopback_alone" in getattr(item, "fixturenames", ())


@pytest.fixture(scope="session", autouse=True)
def signatures_checked_once() -> Iterator[None]:
    """A signature is right or wrong for all peers in one process, and in all copies of a log."""
    from tests.tools.sim.run import quick_signatures

    with quick_signatures():
        yield


@pytest.fixture
def loopback_alone() -> Iterator[None]:
    """Tables on loopback are seen by every process of the machine: one run of the tests at a
    time uses it."""
    fcntl = pytest.importorskip("fcntl")
    with (Path(tempfile.gettempdir()) / "kotp2p-tests-on-loopback").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
