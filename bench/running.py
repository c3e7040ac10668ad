"""The measuring of rows one after the other, and of two versions in turn within a row.

Scope: the processes that measure, and what they answer. Not here: how it is shown (`bench.report`).
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import Any

from bench.row import Missing, Row, Sample, Spread, spread
from bench.trees import ROOT, Tree

Progress = Callable[[Row, int, int], None]
"""A function that is called with a row, the number of samples done, and that of all."""


class Broken(Exception):
    """A process that measures has ended; its output is on stderr."""


@dataclass(slots=True)
class Measured:
    """A row of one version."""

    tree: Tree
    samples: list[Sample] = field(default_factory=list)
    missing: str = ""

    @property
    def spread(self) -> Spread | None:
        return spread([sample.figure for sample in self.samples]) if self.samples else None


class _Worker:
    """A process that measures one row of one version."""

    def __init__(self, row: Row, tree: Tree, *, tiny: bool) -> None:
        command = [sys.executable, "-m", "bench.worker", row.name, str(tree.folder)]
        self._row = row
        self._process = subprocess.Popen(
            [*command, *(["--tiny"] if tiny else [])], cwd=ROOT, text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )  # fmt: skip

    def sample(self) -> Sample:
        """Return the next sample; raise Missing or Broken."""
        wishes, answers = self._process.stdin, self._process.stdout
        assert wishes is not None and answers is not None, "both are pipes"
        with suppress(BrokenPipeError):  # it may have answered before it ended
            wishes.write("again\n")
            wishes.flush()
        line = answers.readline()
        if not line:
            raise Broken(self._row.name)
        answer: dict[str, Any] = json.loads(line)
        if "missing" in answer:
            raise Missing(answer["missing"])
        return Sample(answer["figure"], answer["parts"])

    def end(self) -> None:
        """Wait for the end of the process, which removes its files; Ctrl-C has reached it, too."""
        self._process.communicate()


def measure_row(
    row: Row, trees: Sequence[Tree], repetitions: int, progress: Progress, *, tiny: bool
) -> list[Measured]:
    """Measure each version in turn, sample by sample; raise Broken."""
    found = [Measured(tree) for tree in trees]
    total = repetitions * len(trees)
    with ExitStack() as workers_end:
        workers = [_Worker(row, tree, tiny=tiny) for tree in trees]
        for worker in workers:
            workers_end.callback(worker.end)
        for number in range(total):
            progress(row, number, total)
            measured, worker = found[number % len(trees)], workers[number % len(trees)]
            if not measured.missing:
                try:
                    measured.samples.append(worker.sample())
                except Missing as why:
                    measured.missing = str(why)
    progress(row, total, total)
    return found
