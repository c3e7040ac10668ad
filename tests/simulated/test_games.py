"""Some dozens of games under the faults of their seeds; `python -m tests.sim` plays more."""

from __future__ import annotations

import pytest

from tests.tools.sim.__main__ import Batch, outcomes
from tests.tools.sim.mix import mix
from tests.tools.sim.run import simulate

SEEDS = range(48)
JOBS = 2
FOUND = (9301153, 9964519, 10500167)
"""Seeds that have found something once."""


@pytest.mark.parametrize("seed", FOUND)
def test_what_faults_have_broken_once_holds(seed: int) -> None:
    assert simulate(mix(seed)).violations == ()


def test_whatever_happens_every_game_comes_to_its_end_and_nothing_is_lost() -> None:
    """A line that this shows names a seed: `python -m tests.sim --seed S --trace`."""
    batch = Batch()
    for outcome in outcomes(SEEDS, JOBS):
        batch.add(outcome)
    assert batch.games == len(SEEDS)
    assert batch.judge() == []
    assert batch.unreached() == []
