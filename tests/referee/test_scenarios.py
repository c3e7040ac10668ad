"""Every scenario file of the project, in every rule set that it names."""

import ast
import re
import tomllib
from pathlib import Path
from typing import get_args

import pytest

from kotp2p.referee.box.rulesets import RULE_SETS
from kotp2p.referee.model.decisions import Decision
from tests.scenario.__main__ import read_file
from tests.scenario.form import Scenario
from tests.scenario.run import run_in
from tests.support.paths import ROOT, modules_of
from tests.tools.golden.games import FOLDER, GAMES, written

SCENARIOS = ROOT / "tests" / "scenarios"
FILES = sorted(SCENARIOS.glob("*.toml"))
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


# -- the golden game ----------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_golden_game_is_played_as_ever(name: str) -> None:
    assert written(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


# -- proofs of the rulings ----------------------------------------------------------------


RULES = (ROOT / "docs" / "RULES.md").read_text(encoding="utf-8")
LABELS = frozenset(re.findall(r'<a id="((?:A-|D-|K|DK|DD|D)\d+)"></a>', RULES))
COVERAGE = tomllib.loads(Path(__file__).with_name("coverage.toml").read_text(encoding="utf-8"))
IDS = frozenset(
    f"{file.stem}:{scenario['id']}"
    for file in (ROOT / "tests" / "scenarios").glob("*.toml")
    for scenario in tomllib.loads(file.read_text(encoding="utf-8"))["scenario"]
)


def named_by(label: str) -> bool:
    """Whether a scenario is called by the label, such as K30 or A-01-eater."""
    return any(f"{one.partition(':')[2]}-".startswith(f"{label}-") for one in IDS)


def test_every_ruling_and_card_has_its_proof() -> None:
    listed = COVERAGE["scenarios"].keys() | COVERAGE["elsewhere"].keys()
    assert len(LABELS) > 200
    assert [label for label in sorted(LABELS - listed) if not named_by(label)] == []
    assert sorted(listed - LABELS) == []


def test_every_scenario_named_is_there() -> None:
    named = {one for ids in COVERAGE["scenarios"].values() for one in ids}
    assert all(COVERAGE["scenarios"].values())
    assert sorted(named - IDS) == []


def test_every_test_named_is_there_and_has_its_reason() -> None:
    for label, entry in COVERAGE["elsewhere"].items():
        assert entry["why"] and entry["tests"], label
        for test in entry["tests"]:
            file, _, name = test.partition("::")
            tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
            functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
            assert name in functions, test


# -- the document of the rules ------------------------------------------------------------


ANCHORS = frozenset(re.findall(r'<a id="([^"]+)"></a>', RULES))
LABEL = re.compile(r"\b(?:A-\d{2,3}|D-\d\d|K\d\d|DK\d)\b")
SECTION = re.compile(r"(?<![\d.])[123]\.\d{1,2}(?:\.\d)?(?![\d.])")


@pytest.mark.parametrize("package", ["referee", "kotp2p", "cli"])
def test_every_ruling_cited_in_the_code_is_in_the_rules(package: str) -> None:
    texts = [file.read_text(encoding="utf-8") for file in modules_of(package)]
    cited = {label for text in texts for label in LABEL.findall(text)}
    assert cited - ANCHORS == set()


def test_every_section_cited_in_the_referee_is_in_the_rules() -> None:
    cited = {
        section
        for file in modules_of("referee")
        for comment in re.findall(r'"""(?s:.*?)"""|#.*', file.read_text(encoding="utf-8"))
        for section in SECTION.findall(comment)
    }
    assert "3.7.4" in cited
    assert cited - ANCHORS == set()


def test_every_link_in_the_rules_leads_somewhere() -> None:
    assert set(re.findall(r"\]\(#([^)]+)\)", RULES)) - ANCHORS == set()


def test_no_anchor_stands_twice() -> None:
    found = re.findall(r'<a id="([^"]+)"></a>', RULES)
    assert len(found) == len(ANCHORS)


def test_every_name_of_every_card_is_there() -> None:
    for rule_set in RULE_SETS.values():
        for card in rule_set.cards:
            for name in card.names:
                assert name in RULES, name


def test_every_kind_of_question_says_to_whom_it_goes_and_when_it_is_left_out() -> None:
    section = RULES.partition('<a id="3.15"></a>')[2].partition("\n## ")[0]
    header, _rule, *rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in section.splitlines()
        if line.startswith("|")
    ]
    assert header == ["question", "to", "left out if"]
    assert all(len(row) == 3 and all(row) for row in rows)
    asked = {question.partition(" (")[0] for question, _to, _left_out in rows}
    assert asked == {decision.kind for decision in get_args(Decision)}
