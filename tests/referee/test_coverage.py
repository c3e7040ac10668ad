"""coverage.toml names a proof for each ruling and card of docs/RULES.md, and the proof exists."""

import ast
import re
import tomllib
from pathlib import Path

from tests.support.paths import ROOT

RULES = (ROOT / "docs" / "RULES.md").read_text(encoding="utf-8")
LABELS = frozenset(re.findall(r'<a id="((?:A-|D-|K|DK|DD|D)\d+)"></a>', RULES))
COVERAGE = tomllib.loads(Path(__file__).with_name("coverage.toml").read_text(encoding="utf-8"))
IDS = frozenset(
    f"{file.stem}:{scenario['id']}"
    for file in (ROOT / "tests" / "scenarios").glob("*.toml")
    for scenario in tomllib.loads(file.read_text(encoding="utf-8"))["scenario"]
)


def test_every_ruling_and_card_has_its_proof() -> None:
    proved = COVERAGE["scenarios"].keys() | COVERAGE["elsewhere"].keys()
    assert len(LABELS) > 200
    assert sorted(LABELS - proved) == []
    assert sorted(proved - LABELS) == []


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
