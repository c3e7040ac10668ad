"""Some dozens of games of real peers under faults and cheats; `python -m tests.sim` plays more."""

from __future__ import annotations

import pytest

from tests.tools.sim.__main__ import Batch, outcomes
from tests.tools.sim.walk import cheat_mix, mix, walk

PLAIN, CHEATS = range(16), range(10)
JOBS = 2
FOUND = (6, 10, 15, 367)
CHEATS_FOUND = (0, 10, 69)
"""Seeds that have found something once."""


@pytest.mark.parametrize("seed", FOUND)
def test_what_faults_have_broken_once_holds(seed: int) -> None:
    assert walk(mix(seed)).violations == ()


@pytest.mark.parametrize("seed", CHEATS_FOUND)
def test_what_cheats_have_broken_once_holds(seed: int) -> None:
    assert walk(cheat_mix(seed)).violations == ()


def test_whatever_happens_no_promise_is_broken() -> None:
    """A line that this shows names a seed: `python -m tests.sim --seed S --trace`."""
    batch = Batch()
    for outcome in outcomes(PLAIN, JOBS, cheats=False):
        batch.add(outcome)
    assert batch.games == len(PLAIN)
    assert batch.broken == []
    for change in ("absent", "again", "back", "kept gathers"):
        assert batch.reached[change], change


def test_whatever_others_do_no_promise_is_broken() -> None:
    batch = Batch()
    for outcome in outcomes(CHEATS, JOBS, cheats=True):
        batch.add(outcome)
    assert batch.broken == []
    assert batch.reached["cheated"]


def test_a_seed_gives_the_same_walk_again() -> None:
    assert walk(cheat_mix(3), in_words=True) == walk(cheat_mix(3), in_words=True)
