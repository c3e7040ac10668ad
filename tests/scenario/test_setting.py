"""Laying the table of a scenario, or saying why there is no such table."""

from dataclasses import replace

import pytest

from kotp2p.referee.box.rulesets import SECOND, RuleSet
from tests.scenario import setting
from tests.support.scenario_texts import QUIET, TABLE, find_faults


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ('cards = ["Heal"]', "Heal is no Keep card"),
        ('cards = ["Zombify"]', "the second deck has no zombify"),
        ('cards = ["Wings", "Wings"]', "the second deck has no further copy of wings"),
        ('tiles = ["Devious"]', "there are no wickedness tiles in second rules"),
        ('at = "city"', "P2 and P3 cannot both be in one place"),
        ('cards = [{card = "Mimic", copies = "Wings", of = "P1"}]', "P3 copies wings, which"),
    ],
)
def test_a_table_that_cannot_be_is_a_failure_of_its_scenario(change: str, fault: str) -> None:
    text = TABLE.replace('name = "P3"', f'name = "P3", {change}')
    said = find_faults(text + QUIET)
    assert len(said) == 1
    assert said[0].startswith(fault)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ('tiles = ["Devious", "Barbs"]', "Devious and Barbs are two sides of one tile"),
        ('tiles = ["Devious", "Devious"]', "there is only one devious"),
        ('tiles = [{tile = "Fluxling", copies = "Wings"}]', "P3 copies wings, which"),
        ('tiles = [{tile = "Fluxling", copies = "Mimic"}]', "the dark deck has no mimic"),
    ],
)
def test_tiles_that_cannot_lie_so_are_a_failure(change: str, fault: str) -> None:
    text = TABLE.replace("second", "dark").replace('name = "P3"', f'name = "P3", {change}')
    said = find_faults(text + QUIET)
    assert len(said) == 1
    assert said[0].startswith(fault)


def test_an_option_that_the_rule_set_does_not_have_fails_the_scenario() -> None:
    said = find_faults(TABLE + QUIET + "\noptions = {two_player_option = true}")
    assert said == ["the two-player option is for two monsters, not 3"]


def test_a_deck_smaller_than_its_list_cannot_be_laid() -> None:
    said = find_faults(TABLE + QUIET + '\ndeck = ["Tank", "Wings"]\ndeck_size = 1')
    assert said == ["a deck of 1 cannot hold 2 named cards"]


def _without_wings(rule_set: RuleSet) -> RuleSet:
    cards = [replace(c, effect=None) if c.key == "wings" else c for c in rule_set.cards]
    return replace(rule_set, cards=tuple(cards))


@pytest.mark.parametrize(
    "change",
    [
        'seats = [{name = "P1"}, {name = "P2", cards = ["Wings"]}]',
        'seats = [{name = "P1"}, {name = "P2"}]\nmarket = ["Wings"]\n'
        'script = [{by = "P1", do = "buy", card = "Wings"}]',
        'seats = [{name = "P1"}, {name = "P2"}]\n'
        'script = [{by = "P1", do = "use", card = "Wings"}]',
    ],
)
def test_a_card_that_is_not_built_is_refused_by_name_where_it_is_used(
    change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setting, "RULE_SETS", {"second": _without_wings(SECOND)})
    text = f'[[scenario]]\nid = "S"\nrules = ["second"]\n{change}\n'
    assert find_faults(text) == ["Wings does not work yet"]


def test_a_card_that_is_not_built_may_lie_in_the_market(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setting, "RULE_SETS", {"second": _without_wings(SECOND)})
    assert find_faults(TABLE + QUIET + '\nmarket = ["Wings", "Tank", "Heal"]') == []


def test_a_copy_has_the_counters_of_a_new_card_unless_others_are_named() -> None:
    text = TABLE.replace('at = "city"', 'at = "city", cards = ["Smoke Cloud"]') + QUIET
    copy = 'cards = [{card = "Mimic", copies = "Smoke Cloud"%s}]'
    for counters, found in (("", 3), (", counters = 1", 1)):
        mimic = text.replace('name = "P1"', f'name = "P1", {copy % counters}')
        assert find_faults(f"{mimic}\nexpect = {{P1 = {{counters = {{Mimic = {found}}}}}}}") == []
