"""Some hundred games under the faults of their seeds; `python -m tests.sim` plays more."""

from __future__ import annotations

from tests.tools.sim.__main__ import Batch, outcomes

SEEDS = range(120)
JOBS = 2


def test_whatever_happens_every_game_comes_to_its_end_and_nothing_is_lost() -> None:
    """A line that this shows names a seed: `python -m tests.sim --seed S --trace`."""
    batch = Batch()
    for outcome in outcomes(SEEDS, JOBS):
        batch.add(outcome)
    assert batch.games == len(SEEDS)
    assert batch.judge() == []
    assert batch.unreached() == []
