"""Some hundred games under the faults of their seeds; `python -m tests.sim` plays more."""

from __future__ import annotations

import pytest

from tests.sim.__main__ import Batch
from tests.sim.run import simulate

SEEDS = range(40)
CHUNK = 20


@pytest.fixture(scope="module")
def batch() -> Batch:
    return Batch()


@pytest.mark.parametrize("first", SEEDS[::CHUNK])
def test_whatever_happens_the_game_goes_on_and_nothing_is_lost(first: int, batch: Batch) -> None:
    for seed in range(first, first + CHUNK):
        outcome = simulate(seed)
        batch.add(outcome)
        assert not outcome.violations, f"python -m tests.sim --seed {seed} --trace"


def test_every_fault_was_dealt_and_the_dice_were_fair(batch: Batch) -> None:
    if batch.games < len(SEEDS):
        pytest.skip("needs all games of this file")
    assert not batch.judge()
