"""In a new checkout each test module is compiled by one worker, not by all of them.

Scope: each worker imports its share of the modules before it collects the tests; the others then
find the compiled file. They would otherwise compile the same modules side by side.
"""

import contextlib
import importlib
from collections.abc import Sequence
from pathlib import Path

from tests.support.paths import ROOT


def share_of_worker(arguments: Sequence[str], worker: int, workers: int) -> list[str]:
    """Names of modules below the folders that are tested, every other one for two workers."""
    folders = [Path(argument) for argument in arguments if Path(argument).is_dir()]
    files = {path.resolve() for folder in folders for path in folder.rglob("test_*.py")}
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in sorted(files)]
    return names[worker::workers]


def import_share(names: Sequence[str]) -> None:
    for name in names:
        # Collecting imports it again, and reports why it cannot.
        with contextlib.suppress(Exception):
            importlib.import_module(name)
