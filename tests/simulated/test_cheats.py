"""Some dozens of games in which seats cheat; `python -m tests.sim --cheats` plays more."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from tests.tools.sim.__main__ import Batch, outcomes
from tests.tools.sim.cheat_mix import cheat_mix
from tests.tools.sim.mix import SECOND_PROCESS, Mix
from tests.tools.sim.planted_proofs import CHEAT_BUGS, aimed
from tests.tools.sim.run import simulate

SEEDS = range(18)
FOUND_FIRST = (
    1023, 1097, 2145, 2196, 10544, 10674, 10851, 12346, 12411, 12886, 21296, 21441, 30211, 40035,
    50143, 60491, 80462, 83423, 200468, 300923, 301969, 303433, 306469,
    306714, 307431, 311530, 320609, 504501, 710104, 830019,
)  # fmt: skip
FOUND_LATER = (
    1600036, 1600109, 1600226, 1900085, 1900173, 3001403, 3002809, 7000366, 7000416, 7001057,
    7001539, 8002074, 8301531, 8301730, 9002508,
)  # fmt: skip
"""Seeds that have found something once, before there were second processes. What the first ones
have found has tests of its own by now."""
FOUND_SINCE = (
    8000328, 9300530, 9302077, 9500242, 9952225, 9952228, 10001531, 10403240, 10600268, 10600463,
    12010394, 12014635, 13001352, 13004780,
)  # fmt: skip
"""Seeds that have found something once, with second processes."""
AIMED = {8240009: ("another digest", "two farewells", "passes nothing on")}
"""The same where all cheats have just these tricks."""
JOBS = 2
TRIED = 80


def test_the_honest_end_their_game_and_nobody_honest_is_accused() -> None:
    """A line that this shows names a seed: `python -m tests.sim --cheats --seed S --trace`."""
    batch = Batch()
    for outcome in outcomes(SEEDS, JOBS, cheats=True):
        batch.add(outcome)
    assert batch.games == len(SEEDS)
    assert batch.violations == []
    assert batch.reached["convicted"] > 10


@pytest.mark.parametrize(
    "seed", [*FOUND_LATER, *(pytest.param(seed, marks=pytest.mark.soak) for seed in FOUND_FIRST)]
)
def test_what_cheats_have_broken_once_holds(seed: int) -> None:
    mix = cheat_mix(seed)
    as_it_was = replace(mix, weights={**mix.weights, SECOND_PROCESS: 0.0})
    assert simulate(as_it_was).violations == ()


@pytest.mark.parametrize("seed", FOUND_SINCE)
def test_what_cheats_and_second_processes_have_broken_once_holds(seed: int) -> None:
    assert simulate(cheat_mix(seed)).violations == ()


@pytest.mark.parametrize("seed", AIMED)
def test_what_certain_tricks_have_broken_once_holds(seed: int) -> None:
    mix = cheat_mix(seed)
    with_these = replace(mix, cheats=dict.fromkeys(mix.cheats, AIMED[seed]), host_lies=())
    assert simulate(replace(with_these, looks=False)).violations == ()


@pytest.mark.parametrize("name", CHEAT_BUGS)
def test_a_planted_bug_about_proofs_is_caught(name: str) -> None:
    bug = CHEAT_BUGS[name]
    known, mixes = ([aimed(name, seed) for seed in seeds] for seeds in (bug.seeds, range(TRIED)))
    for mix in (*known, *sorted(mixes, key=lambda mix: mix.players)):  # the quick games first
        outcome = simulate(mix, planted=bug.plant())
        if {violation.number for violation in outcome.violations} & bug.caught_by:
            return
    pytest.fail(f"{bug.words}: not caught in {TRIED} seeds")


def test_the_known_games_of_planted_bugs_about_proofs_are_harmless_without_them() -> None:
    for name, bug in CHEAT_BUGS.items():
        for seed in bug.seeds:
            assert simulate(aimed(name, seed)).violations == ()


def test_a_host_that_lies_in_its_lobby_gets_no_signature_for_its_lies() -> None:
    told = Counter[str]()
    for made in filter(has_lying_host, map(cheat_mix, range(4_000_000, 4_000_050))):
        outcome = simulate(made)
        assert outcome.violations == ()
        told += outcome.faults
    assert sum(n for kind, n in told.items() if kind.startswith("host: ")) > 4


def has_lying_host(mix: Mix) -> bool:
    return bool(mix.host_lies)
