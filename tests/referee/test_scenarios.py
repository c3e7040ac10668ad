"""Every scenario file of the project, in every rule set that it names."""

import pytest

from tests.scenario.__main__ import read_file
from tests.scenario.form import Scenario
from tests.scenario.run import run_in
from tests.support.paths import ROOT

FOLDER = ROOT / "tests" / "scenarios"
FILES = sorted(FOLDER.glob("*.toml"))
CASES = [
    pytest.param(scenario, rules, id=f"{file.stem}-{number}-{scenario.id}-{rules}")
    for file in FILES
    for number, scenario in enumerate(read_file(str(file)), start=1)
    for rules in scenario.rules
]


def test_there_are_scenarios_for_each_rule_set() -> None:
    assert len(CASES) > 500
    assert {case.values[1] for case in CASES} == {"classic", "second", "dark"}


@pytest.mark.parametrize(("scenario", "rules"), CASES)
def test_scenario(scenario: Scenario, rules: str) -> None:
    assert run_in(scenario, rules).faults == ()
