"""A simulation that cannot fail proves nothing: it finds what was planted."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.tools.sim.invariants import i11_fair_dice
from tests.tools.sim.mix import mix
from tests.tools.sim.planted import BUGS, Bug
from tests.tools.sim.planted_copies import COPY_BUGS
from tests.tools.sim.planted_proofs import CHEAT_BUGS
from tests.tools.sim.run import simulate

SEEDS = sorted(range(60), key=lambda seed: mix(seed).players)
"""The quick games first: a bug that needs no more than two players is caught by them."""
TRIED = 40


@pytest.mark.parametrize("bug", [*BUGS.values(), *CHEAT_BUGS.values()], ids=lambda bug: bug.words)
def test_a_bug_finds_what_it_is_planted_in(bug: Bug) -> None:
    """A bug patches the program by names in strings, which no rename follows."""
    with bug.plant():
        pass


@pytest.mark.parametrize("name", BUGS)
def test_a_planted_bug_is_caught(name: str) -> None:
    bug = BUGS[name]
    rolled: Counter[int] = Counter()
    for seed in (*bug.seeds, *SEEDS):
        outcome = simulate(bug.of_seed(seed), planted=bug.plant())
        rolled += outcome.rolled
        found = {violation.number for violation in outcome.violations}
        if i11_fair_dice(rolled)[1] < 1e-4:
            found.add("I11")
        if found & bug.caught_by:
            return
    pytest.fail(f"{bug.words}: not caught in {len(SEEDS)} seeds")


def test_the_known_games_of_planted_bugs_are_harmless_without_them() -> None:
    for bug in BUGS.values():
        for seed in bug.seeds:
            assert simulate(bug.of_seed(seed)).violations == ()


@pytest.mark.parametrize("name", COPY_BUGS)
def test_a_planted_bug_about_second_processes_is_caught(name: str) -> None:
    bug = COPY_BUGS[name]
    for seed in (*bug.seeds, *range(TRIED)):
        with bug.only_its_ways():
            outcome = simulate(bug.of_seed(seed), planted=bug.plant())
        if {violation.number for violation in outcome.violations} & bug.caught_by:
            return
    pytest.fail(f"{bug.words}: not caught in {TRIED} seeds")


def test_the_ways_of_planted_bugs_about_second_processes_are_harmless_without_them() -> None:
    for bug in COPY_BUGS.values():
        with bug.only_its_ways():
            for seed in (*bug.seeds, *range(5)):
                assert simulate(bug.of_seed(seed)).violations == ()
