"""Some games of real peers under faults and cheats; `python -m tests.tools.sim` plays more."""

import json
import subprocess
import sys

import pytest

from tests.support.paths import ROOT
from tests.support.program import PATIENCE
from tests.tools.sim.__main__ import RECORDED
from tests.tools.sim.walk import cheat_mix, walk, walk_seed

WALKS = [
    pytest.param(kind == "cheats", int(seed), change, digest, id=f"{kind} {seed}")
    for kind, seeds in json.loads(RECORDED.read_text()).items()
    for seed, (change, digest) in seeds.items()
]


@pytest.mark.parametrize(("cheats", "seed", "change", "digest"), WALKS)
def test_no_promise_is_broken_and_peers_do_what_they_did(
    cheats: bool, seed: int, change: str, digest: str
) -> None:
    """Up to 10,230,212 each has found something once; from 20,000 on they reach most code.

    `python -m tests.tools.sim --seed SEED --effects` shows all that the peers do. Compare it with
    what it showed before; `--record` takes what they do now for right.
    """
    outcome = walk_seed(cheats, seed)
    assert outcome.violations == ()
    assert outcome.reached[change]
    assert outcome.digest.startswith(digest), "the peers do something else than was recorded"


def test_a_seed_gives_the_same_walk_again() -> None:
    assert walk(cheat_mix(3), in_words=True) == walk(cheat_mix(3), in_words=True)


def test_two_processes_play_side_by_side() -> None:
    words = [sys.executable, "-m", "tests.tools.sim", "--first", "6", "--games", "2", "--jobs", "2"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert "laws broken: 0" in done.stdout and done.returncode == 0, done.stderr
