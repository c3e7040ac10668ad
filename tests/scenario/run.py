"""One scenario in one rule set, from parsed data to a verdict."""

from collections.abc import Iterator
from dataclasses import dataclass

from tests.scenario.form import Scenario
from tests.scenario.judge import find_differences
from tests.scenario.script import Failed, Play
from tests.scenario.setting import CannotSet, lay_table

BREAKS = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError,
    ValueError,
)  # fmt: skip
"""A referee that breaks fails only the scenario that broke it, not the next ones of the file."""


@dataclass(frozen=True, slots=True)
class Verdict:
    id: str
    rules: str
    title: str
    faults: tuple[str, ...]
    """The expectations that did not hold; empty: the scenario holds."""

    @property
    def ok(self) -> bool:
        return not self.faults

    def report_line(self) -> str:
        title = f" {self.title}" if self.title else ""
        if self.ok:
            return f"ok {self.id} [{self.rules}]{title}"
        return f"FAILED {self.id} [{self.rules}]{title}: {'; '.join(self.faults)}"


def run_scenario(scenario: Scenario) -> Iterator[Verdict]:
    """Runs the scenario in each rule set that it names."""
    for rules in scenario.rules:
        yield run_in(scenario, rules)


def run_in(scenario: Scenario, rules: str) -> Verdict:
    return Verdict(scenario.id, rules, scenario.title, tuple(_find_faults(scenario, rules)))


def _find_faults(scenario: Scenario, rules: str) -> list[str]:
    try:
        outcome = Play(scenario, lay_table(scenario, rules)).play()
    except (CannotSet, Failed) as failure:
        return [str(failure)]
    except BREAKS as error:
        return [f"the referee broke: {type(error).__name__}: {error}"]
    return find_differences(scenario, rules, outcome)
