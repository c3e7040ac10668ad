"""One scenario in one rule set, from parsed data to a verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.scenario.form import Scenario
from referee.scenario.judge import differences
from referee.scenario.script import Failed, Play
from referee.scenario.setting import CannotSet, lay


@dataclass(frozen=True, slots=True)
class Verdict:
    id: str
    rules: str
    title: str
    faults: tuple[str, ...]
    """What did not hold; empty: the scenario is fine."""

    @property
    def ok(self) -> bool:
        return not self.faults

    def line(self) -> str:
        """As it is printed."""
        title = f" {self.title}" if self.title else ""
        if self.ok:
            return f"ok {self.id} [{self.rules}]{title}"
        return f"FAILED {self.id} [{self.rules}]{title}: {'; '.join(self.faults)}"


def run(scenario: Scenario) -> Iterator[Verdict]:
    """In each rule set that it names."""
    for rules in scenario.rules:
        faults = tuple(_faults(scenario, rules))
        yield Verdict(scenario.id, rules, scenario.title, faults)


def _faults(scenario: Scenario, rules: str) -> list[str]:
    try:
        outcome = Play(scenario, lay(scenario, rules)).play()
    except (CannotSet, Failed) as failure:
        return [str(failure)]
    return differences(scenario, rules, outcome)
