"""Checkouts that the benchmark measures: its own, and one of an earlier commit.

Scope: an earlier one is unpacked into a folder that goes when the run ends.
"""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class NoSuchCommit(Exception):
    """There is no such commit; the message has its name and what git reports."""


@dataclass(frozen=True, slots=True)
class Tree:
    folder: Path
    commit: str
    """Empty without git; followed by `-changed` if files differ from it."""


def own_tree() -> Tree:
    try:
        commit = _git("describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=-changed")
    except (OSError, subprocess.CalledProcessError):
        commit = b""
    return Tree(ROOT, commit.decode().strip())


@contextmanager
def earlier_tree(name: str) -> Iterator[Tree]:
    """Unpack an earlier commit for the block; raise NoSuchCommit."""
    try:
        commit = _git("rev-parse", "--short=12", "--verify", f"{name}^{{commit}}").decode().strip()
        archive = _git("archive", commit)
    except OSError as fault:
        raise NoSuchCommit(f"{name}: {fault}") from fault
    except subprocess.CalledProcessError as fault:
        raise NoSuchCommit(f"{name}: {fault.stderr.decode().strip()}") from fault
    with tempfile.TemporaryDirectory(prefix="kotp2p-bench-") as folder:
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(folder, filter="data")
        yield Tree(Path(folder), commit)


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout
