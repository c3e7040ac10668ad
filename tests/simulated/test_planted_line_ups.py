"""A simulation that cannot fail proves nothing: it finds what was planted."""

import pytest

from tests.tools.sim.planted_line_ups import BUGS, Bug
from tests.tools.sim.walk import cheat_mix, mix, walk


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: f"rule {bug.rule}, {bug.words}")
def test_a_planted_bug_breaks_a_law(bug: Bug) -> None:
    make = cheat_mix if bug.cheats else mix
    for seed in bug.seeds:
        if walk(make(seed), planted=bug.plant()).violations:
            return
    pytest.fail(f"not found in {len(bug.seeds)} seeds")
