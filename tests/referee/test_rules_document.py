"""docs/RULES.md has an anchor for all that the code cites, and lists what is not built yet."""

import re
from typing import get_args

import pytest

from kotp2p.referee.box.rulesets import RULE_SETS
from kotp2p.referee.model.decisions import Decision
from tests.support.paths import ROOT, modules_of

RULES = (ROOT / "docs" / "RULES.md").read_text(encoding="utf-8")
ANCHORS = frozenset(re.findall(r'<a id="([^"]+)"></a>', RULES))
LABEL = re.compile(r"\b(?:A-\d{2,3}|D-\d\d|K\d\d|DK\d)\b")
SECTION = re.compile(r"(?<![\d.])[123]\.\d{1,2}(?:\.\d)?(?![\d.])")


@pytest.mark.parametrize("package", ["referee", "kotp2p", "cli"])
def test_every_ruling_cited_in_the_code_is_in_the_rules(package: str) -> None:
    cited = {
        label
        for file in modules_of(package)
        for label in LABEL.findall(file.read_text(encoding="utf-8"))
    }
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


def test_the_cards_that_do_not_work_yet_are_named() -> None:
    said = re.search(r"<!-- coming -->(.*?)<!-- /coming -->", RULES)
    coming = {
        card.name
        for rule_set in RULE_SETS.values()
        for card in rule_set.cards
        if card.effect is None
    }
    listed = set() if said is None else set(filter(None, said.group(1).split(", ")))
    assert listed == coming
