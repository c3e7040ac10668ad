"""`kotp2p cards`: search by any name and by text."""

import json

import pytest
from typer.testing import CliRunner

from cli.main import app
from referee.box.rulesets import RULE_SETS


def cards(*args: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["cards", *args])
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("rules", ["classic", "second", "dark"])
def test_all_cards_of_a_rule_set(rules: str) -> None:
    code, out, _err = cards("--rules", rules)
    assert code == 0
    known = RULE_SETS[rules].cards
    assert len(known) > 50
    assert all(f"{card.name}: {card.cost} energy" in out for card in known)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("wings", "Wings"),
        ("WING", "Wings"),
        ("telepath", "Energy Drink"),
        ("energy drink", "Energy Drink"),
        ("fire blast", "Flame Thrower"),
        ("were only making it stronger", "We're Only Making It Stronger"),
    ],
)
def test_a_card_is_found_by_any_of_its_names(words: str, name: str) -> None:
    code, out, _err = cards(words)
    assert code == 0
    assert out.splitlines()[0].startswith(f"{name}: ")


def test_cards_are_listed_by_the_names_of_their_rule_set() -> None:
    _code, out, _err = cards("--rules", "classic")
    listed = [
        line.partition(":")[0] for line in out.splitlines() if ": " in line and line[0] != " "
    ]
    assert {"Monster Batteries", "Omnivore"} <= set(listed)
    assert listed == sorted(listed)


def test_the_first_edition_shows_its_own_names() -> None:
    _code, out, _err = cards("--rules", "classic", "energy", "drink")
    assert out.startswith("Telepath: ")
    assert "also called Energy Drink" in out


def test_tiles_of_the_dark_rule_set_are_found_too() -> None:
    code, out, _err = cards("--rules", "dark", "final push")
    assert code == 0
    assert out.splitlines()[0] == "Final Push: green tile of step 10, dark"
    (found,) = json.loads(cards("--json", "--rules", "dark", "eternal")[1])
    assert (found["kind"], found["step"], found["side"]) == ("tile", 3, "red")
    assert "Eternal" not in cards("eternal")[1]


def test_words_of_the_text_find_cards() -> None:
    code, out, _err = cards("poison", "token")
    assert code == 0
    assert "Poison Spit" in out


def test_nothing_found_names_what_is_near() -> None:
    code, out, err = cards("wyngs")
    assert (code, out) == (8, "")
    assert "Wings" in err
    assert cards("zzzzzz")[0] == 8


def test_programs_read_one_array() -> None:
    code, out, _err = cards("--json", "wings")
    assert code == 0
    (wings,) = json.loads(out)
    assert (wings["key"], wings["cost"], wings["kind"]) == ("wings", 6, "keep")
    assert "second" in wings["rules"]
    assert json.loads(cards("--json", "zzzzzz")[1]) == []


def test_a_card_without_its_effect_is_marked() -> None:
    _code, out, _err = cards()
    waiting = sum(1 for card in RULE_SETS["second"].cards if card.effect is None)
    assert out.count("Not in the deck yet") == waiting
