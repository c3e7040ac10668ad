"""Texts of scenarios, and the faults that the runner finds in them."""

import tomllib

import pytest

from tests.scenario.fields import Fault
from tests.scenario.form import read_scenarios
from tests.scenario.run import run_scenario

QUIET = 'script = [{dice = "112233"}, {by = "P1", do = "stop"}]'


TABLE = """
[[scenario]]
id = "S"
rules = ["second"]
seats = [{name = "P1"}, {name = "P2", at = "city"}, {name = "P3"}]
"""


def find_faults(text: str) -> list[str]:
    """All faults that the runner finds in the scenarios of a readable file."""
    return [
        fault
        for scenario in read_scenarios(tomllib.loads(text))
        for verdict in run_scenario(scenario)
        for fault in verdict.faults
    ]


def find_refusal(text: str) -> str:
    with pytest.raises(Fault) as caught:
        read_scenarios(tomllib.loads(text))
    return str(caught.value)
