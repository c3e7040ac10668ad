"""Texts of scenarios, and what the runner says of them."""

from __future__ import annotations

import tomllib

import pytest

from referee.scenario.fields import Fault
from referee.scenario.form import read_scenarios
from referee.scenario.run import run_scenario

QUIET = 'script = [{dice = "112233"}, {by = "P1", do = "stop"}]'


TABLE = """
[[scenario]]
id = "S"
rules = ["second"]
seats = [{name = "P1"}, {name = "P2", at = "city"}, {name = "P3"}]
"""


def faults(text: str) -> list[str]:
    """What the runner finds wrong in all scenarios of a file, which it can read."""
    return [
        fault
        for scenario in read_scenarios(tomllib.loads(text))
        for verdict in run_scenario(scenario)
        for fault in verdict.faults
    ]


def refusal(text: str) -> str:
    with pytest.raises(Fault) as caught:
        read_scenarios(tomllib.loads(text))
    return str(caught.value)
