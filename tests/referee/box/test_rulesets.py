"""The rule sets: their decks, and that nothing else compares them or names a card."""

import ast
from pathlib import Path

import pytest

from kotp2p.referee.box import rulesets
from kotp2p.referee.box.rulesets import CLASSIC, DARK, RULE_SETS, SECOND
from kotp2p.referee.cards import attack, dark, defence, dice, discards, economy, effects
from kotp2p.referee.cards.effects import EFFECTS, effect_of
from tests.support.paths import folder_of

PACKAGE = folder_of("referee")
RULES = [
    path
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.name != "rulesets.py" and not {"box", "cards"} & set(path.relative_to(PACKAGE).parts)
]
WORDS = {"freeze-time", "final-push", "frenzy", "opportunist"}
"""Kinds of turns and of decisions that are called like a card."""


def test_editions_differ_in_price_and_effect() -> None:
    first = {card.key: card for card in CLASSIC.cards}
    later = {card.key: card for card in SECOND.cards}
    assert (first["battery-monster"].cost, later["battery-monster"].cost) == (2, 3)
    assert type(effect_of(first["burrowing"])) is not type(effect_of(later["burrowing"]))
    assert effect_of(first["jets"]) is effect_of(later["jets"])
    assert "mimic" not in {card.key for card in DARK.cards}


def test_cards_and_effects_fit_together() -> None:
    named = {card.effect for rules in RULE_SETS.values() for card in rules.cards}
    named |= {tile.effect for rules in RULE_SETS.values() for tile in rules.tiles}
    missing = named - set(EFFECTS)
    assert not missing, f"no row in EFFECTS at the end of a module of referee/cards: {missing}"
    assert named == set(EFFECTS)


def test_no_name_of_an_effect_is_given_twice() -> None:
    modules = (attack, dark, defence, dice, discards, economy)
    tables = [*(it.EFFECTS for it in modules), effects.COPYING_EFFECTS, effects.TILE_EFFECTS]
    assert sum(map(len, tables)) == len(EFFECTS)


def _strings(path: Path) -> set[str]:
    found = ast.walk(ast.parse(path.read_text()))
    return {n.value for n in found if isinstance(n, ast.Constant) and isinstance(n.value, str)}


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.name)
def test_the_rules_name_no_card_and_no_rule_set(path: Path) -> None:
    keys = {card.key for row in (rulesets.CLASSIC_BOX, rulesets.DARK_BOX) for card in row} - WORDS
    assert not _strings(path) & (keys | set(RULE_SETS))
