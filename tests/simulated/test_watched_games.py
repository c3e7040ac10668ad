"""Watched games under faults: what watchers hold is right, and players notice nothing of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.tools.sim.__main__ import Batch, outcomes
from tests.tools.sim.hostile_watchers import ATTACKS
from tests.tools.sim.mix import Mix
from tests.tools.sim.planted_watching import WATCH_BUGS, lied_to_mix, restored_mix, watched_mix
from tests.tools.sim.run import simulate
from tests.tools.sim.watchers import Kind

SEEDS = range(10)
JOBS = 2
TRIED = 25


@pytest.mark.parametrize("cheats", [False, True])
def test_watched_games_keep_all_laws(cheats: bool) -> None:
    """A line that this shows names a seed: `python -m tests.sim --watchers --seed S --trace`, with
    `--cheats` where somebody cheats."""
    batch = Batch()
    for outcome in outcomes(SEEDS, JOBS, cheats, watchers=True):
        batch.add(outcome)
    assert batch.violations == []
    assert batch.reached["watcher: finished"] > 3


def is_noticed(mix: Mix) -> bool:
    """W6: whether players are shown anything, or at another time, because somebody watches."""
    alone = simulate(replace(mix, watchers=()), in_order=True)
    return simulate(mix, in_order=True).shown != alone.shown


@pytest.mark.parametrize("kind", [*Kind, *ATTACKS])
def test_players_notice_nothing_of_a_watcher(kind: str) -> None:
    assert not is_noticed(replace(watched_mix(ATTACKS.index(kind) if kind in ATTACKS else 7),
                                  watchers=(kind, Kind.FOLLOWS, kind)))  # fmt: skip


def test_a_watcher_is_told_of_what_a_restored_disk_has_lost() -> None:
    reached = simulate(restored_mix(4)).reached
    assert reached["watcher: begins again"]
    assert reached["watcher: finished"] == 2


def test_a_watcher_holds_no_byte_of_a_lie() -> None:
    outcome = simulate(lied_to_mix(2))
    assert outcome.violations == ()
    assert outcome.reached["watcher: wrong-log"]


@pytest.mark.parametrize("name", WATCH_BUGS)
def test_a_planted_bug_about_watchers_is_caught(name: str) -> None:
    bug = WATCH_BUGS[name]
    for seed in (*bug.seeds, *range(TRIED)):
        mix = bug.of_seed(seed)
        if "W6" in bug.caught_by:
            with bug.plant():
                if is_noticed(mix):
                    return
        elif {v.number for v in simulate(mix, planted=bug.plant()).violations} & bug.caught_by:
            return
    pytest.fail(f"{bug.words}: not caught in {TRIED} seeds")
