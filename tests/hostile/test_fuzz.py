"""A few seconds of every target; `python -m tests.tools.fuzz` runs for as long as one likes."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from tests.tools.fuzz import decoders, seeds
from tests.tools.fuzz.mutate import nodes
from tests.tools.fuzz.targets import TARGETS

SAMPLE = {
    "frames": 20_000,
    "bodies": 20_000,
    "pieces": 5_000,
    "reader": 4_000,
    "verifier": 40,
    "evidence": 500,
    "ledger": 3_000,
    "peer": 500,
    "lobby": 500,
    "export": 100,
    "watching": 60,
}


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_nothing_comes_out_but_what_is_documented(name: str) -> None:
    taken = TARGETS[name].run(random.Random(f"suite {name}"), SAMPLE[name])
    assert 0 < taken <= SAMPLE[name]


def test_all_seeds_are_well_formed_and_their_nodes_are_found() -> None:
    for data in seeds.frames():
        assert decoders.frame(data)
        assert nodes(data)[0] == (0, len(data))
    for signed in seeds.bodies():
        assert decoders.body(signed), signed.kind
    assert decoders.places(seeds.places())


def test_the_command_prints_its_seed_and_its_figures() -> None:
    command = [sys.executable, "-m", "tests.tools.fuzz", "--seed", "3", "--inputs", "3000"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True)
    assert done.stdout.startswith("seed 3\n")
    assert "0 of 11 chunks with trouble" in done.stdout
