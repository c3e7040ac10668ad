"""Some games of real peers under faults and cheats; `python -m tests.tools.sim` plays more."""

import subprocess
import sys

import pytest

from tests.support.paths import ROOT
from tests.support.program import PATIENCE
from tests.tools.sim.walk import cheat_mix, mix, walk

FAULTS = {
    1: "kept gathers", 4: "again", 6: "back", 7: "back", 10: "again", 15: "absent",
    36: "refused rolls", 367: "kept gathers", 9_100_025: "absent", 9_100_670: "absent",
}  # fmt: skip
CHEATS = {
    0: "back", 4_011_240: "absent", 3: "refused rolls", 8: "left", 10: "absent",
    8_300_028: "cheated", 69: "kept gathers", 8_000_340: "absent", 8_100_089: "back",
    8_300_068: "kept gathers", 9_924_839: "back", 10_200_275: "again",
    10_230_212: "cheated",
}  # fmt: skip
"""Seeds, and what they come to. 6, 10, 15 and from 367 on, and 0, 10 and from 69 on of the cheats
have found something once."""


@pytest.mark.parametrize(("seed", "change"), FAULTS.items())
def test_whatever_happens_no_promise_is_broken(seed: int, change: str) -> None:
    """`python -m tests.tools.sim --seed SEED --trace` shows the game."""
    outcome = walk(mix(seed))
    assert outcome.violations == ()
    assert outcome.reached[change]


@pytest.mark.parametrize(("seed", "change"), CHEATS.items())
def test_whatever_others_do_no_promise_is_broken(seed: int, change: str) -> None:
    outcome = walk(cheat_mix(seed))
    assert outcome.violations == ()
    assert outcome.reached[change]


def test_a_seed_gives_the_same_walk_again() -> None:
    assert walk(cheat_mix(3), in_words=True) == walk(cheat_mix(3), in_words=True)


def test_two_processes_play_side_by_side() -> None:
    words = [sys.executable, "-m", "tests.tools.sim", "--first", "6", "--games", "2", "--jobs", "2"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert "laws broken: 0" in done.stdout and done.returncode == 0, done.stderr
