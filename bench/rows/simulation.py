"""What the project's own runs cost: the simulation with cheats, and the suite.

Scope: CPU seconds. They say something beside those of another version only.
"""

from __future__ import annotations

import os
import sys
import tempfile
from functools import partial
from itertools import count
from pathlib import Path

from bench.clock import cpu_of, cpu_of_process
from bench.program import Program
from bench.row import Row, Sample, Samples

GAMES = 10
"""In a repetition. Another repetition plays others, as one game can cost many times another one."""


def measure_cheats(program: Program, tiny: bool) -> Samples:
    program.simulate(0)  # imports what is imported late
    for rounds in count():
        games = range(1) if tiny else range(rounds * GAMES, (rounds + 1) * GAMES)
        spent = sum(cpu_of(partial(program.simulate, seed)) for seed in games)
        yield Sample(spent / len(games), {"games": len(games)})


def measure_suite(program: Program, tiny: bool) -> Samples:
    """Measure all tests, one after the other, with the processes that they wait for."""
    tests = ["tests/test_documents.py"] if tiny else []
    command = (sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *tests)
    while True:
        with tempfile.TemporaryDirectory() as folder:
            env = {**os.environ, "HOME": folder}
            yield Sample(cpu_of_process(command, Path(program.tree), env, codes=(0, 1)))


SIMULATION_ROWS = (
    Row("simulation.cheats", "a simulated game with cheats", "CPU seconds", measure_cheats),
    Row("simulation.suite", "the suite", "CPU seconds", measure_suite, repetitions=1,
        is_usual=False),
)  # fmt: skip
