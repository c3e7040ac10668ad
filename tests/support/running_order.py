"""The order in which tests run: slow ones first on each worker, or at random (`--order`)."""

import random
from pathlib import Path

import pytest

from tests.support.paths import ROOT

WAITING_FOLDERS = ("processes",)
"""Their tests are slow, and half of the time they wait for something else than a core."""
BUSY_FOLDERS = ("simulated", "whole_tables")
"""Their tests are slow and keep a core busy; the slowest first."""


def choose_seed(order: str) -> int:
    """The seed of `--order`, which is one or "random"."""
    return random.SystemRandom().randrange(1 << 32) if order == "random" else int(order)


def shuffle_tests(items: list[pytest.Item], seed: int) -> list[pytest.Item]:
    """All files in another order, and all tests of a file. The tests of a file stay together, as
    they use the same caches. A test that is to run twice does so in one worker, unless a block of
    `deal_tests` ends between its two runs."""
    chance = random.Random(seed)
    by_file: dict[Path, list[pytest.Item]] = {}
    for item in items:
        by_file.setdefault(item.path, []).append(item)
    files = list(by_file.values())
    chance.shuffle(files)
    for tests in files:
        chance.shuffle(tests)
    return [item for tests in files for item in tests]


def deal_tests(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """`--dist worksteal` gives each worker one block of the list, all of the same length but for a
    test, and moves tests from the end of a long block when a worker runs out. So each block
    begins with slow tests: with tests that wait for every other worker, and with busy ones for
    those in between, so that no core is idle. The quick ones keep their order, as caches help."""
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
    below: dict[str, Path] = {folder: ROOT / "tests" / folder for folder in folders}
    return [item for folder in folders for item in items if below[folder] in item.path.parents]


def waits_for_loopback(item: pytest.Item) -> bool:
    return "loopback_alone" in getattr(item, "fixturenames", ())
