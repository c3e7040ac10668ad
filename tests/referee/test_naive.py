"""The naive turn and the referee agree on hearts, points, energy, places, tokens and questions."""

from __future__ import annotations

from random import Random

import pytest

from tests.scenario.form import read_scenarios
from tests.scenario.run import run_scenario
from tests.support.referee_naive import Turn

TABLES = 400
"""Tables in each rule set. Some forty thousand have been compared once without a difference."""


@pytest.mark.parametrize("rules", ["classic", "second", "dark"])
@pytest.mark.parametrize("part", range(4))
def test_the_naive_turn_and_the_referee_agree(rules: str, part: int) -> None:
    for number in range(part * TABLES // 4, (part + 1) * TABLES // 4):
        turn = Turn(rules, Random(f"{rules} {number}")).play()
        (scenario,) = read_scenarios({"scenario": [turn.scenario()]})
        for verdict in run_scenario(scenario):
            assert verdict.ok, (number, verdict.report_line())
