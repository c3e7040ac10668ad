"""Instructions of a piece of work, counted by valgrind.

Scope: what a machine does beside the work does not change them, so two counts of one version are
equal to a thousandth. The work runs in a process of its own (`bench.counted`), once with one
repetition and once with two: what they differ by is one repetition.
Known limitation: an instruction is not a second. One that waits for memory takes as long as many.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.row import Missing
from bench.trees import ROOT

INSTRUCTIONS = re.compile(r"I\s+refs:\s+([\d,]+)")


@dataclass(frozen=True, slots=True)
class Counted:
    moves: int
    """Of one repetition."""
    instructions: int

    @property
    def for_each(self) -> float:
        return self.instructions / self.moves


def count_work(work: str, tree: Path, *, tiny: bool) -> Counted:
    """Count one repetition of a work that `bench.counted` knows by this name.

    Raise Missing if it cannot be counted.
    """
    once, moves = _run_counted(work, tree, 1, tiny=tiny)
    twice, _moves = _run_counted(work, tree, 2, tiny=tiny)
    return Counted(moves, twice - once)


def _run_counted(work: str, tree: Path, times: int, *, tiny: bool) -> tuple[int, int]:
    """Return all instructions of the process, and the moves of one repetition."""
    words = [sys.executable, "-m", "bench.counted", work, str(tree), str(times)]
    counted, said = count_instructions([*words, *(["--tiny"] if tiny else [])])
    return counted, int(said)


def count_instructions(command: Sequence[str]) -> tuple[int, str]:
    """Count the instructions of a process without children; return its output, too.

    Raise Missing without valgrind.
    """
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise Missing("valgrind is not installed")
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        counting = [valgrind, "--tool=cachegrind", "--cache-sim=no", f"--log-file={log}"]
        # The order of sets is that of their hashes: it must be the same in each run.
        run = subprocess.run(
            [*counting, f"--cachegrind-out-file={os.devnull}", *command], cwd=ROOT, text=True,
            env={**os.environ, "PYTHONHASHSEED": "0"}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )  # fmt: skip
        found = INSTRUCTIONS.search(log.read_text(errors="replace"))
    if run.returncode or found is None:
        raise Missing(f"valgrind has ended with {run.returncode} and no count")
    return int(found[1].replace(",", "")), run.stdout
