"""`kotp2p cards`: search by any name and by text."""

from functools import partial

import pytest

from kotp2p.cli.extras.book.cards_and_rules import list_printings
from kotp2p.referee.box.cards import Card, Tile
from kotp2p.referee.box.rulesets import RULE_SETS
from tests.support.command_line import run

cards = partial(run, "cards")


@pytest.mark.parametrize("rules", ["classic", "second", "dark"])
def test_all_cards_of_a_rule_set(rules: str) -> None:
    out = cards("--rules", rules).printed()
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
    assert cards(words).printed().splitlines()[0].startswith(f"{name}: ")


def test_cards_are_listed_by_the_names_of_their_rule_set() -> None:
    _code, out, _err = cards("--rules", "classic")
    listed = [row.partition(":")[0] for row in out.splitlines() if ": " in row and row[0] != " "]
    assert {"Monster Batteries", "Omnivore"} <= set(listed)
    assert listed == sorted(listed)


def test_the_first_edition_shows_its_own_names() -> None:
    _code, out, _err = cards("--rules", "classic", "energy", "drink")
    assert out.startswith("Telepath: ")
    assert "also called Energy Drink" in out


def test_tiles_of_the_dark_rule_set_are_found_too() -> None:
    out = cards("--rules", "dark", "final push").printed()
    assert out.splitlines()[0] == "Final Push: green tile of step 10, dark"
    assert cards("eternal")[1].splitlines()[0] == "Eternal: red tile of step 3, dark"
    assert "Eternal" not in cards("--rules", "second", "eternal")[1]


def test_words_of_the_text_find_cards() -> None:
    assert "Poison Spit" in cards("poison", "token").printed()


def test_nothing_found_names_what_is_near() -> None:
    assert "Wings" in cards("wyngs").refused(8)
    assert cards("zzzzzz")[0] == 8


@pytest.mark.parametrize(
    ("name", "heads"),
    [
        ("burrowing", ["Burrowing: 5 energy, keep, 1 in the deck, classic",
                       "Burrowing: 5 energy, keep, 1 in the deck, second, dark"]),
        ("freeze time", ["Freeze Time: 5 energy, keep, 1 in the deck, classic, second",
                         "Freeze Time: 6 energy, keep, 1 in the deck, dark"]),
        ("extra head", ["Extra Head: 7 energy, keep, 2 in the deck, classic, second",
                        "Extra Head: 7 energy, keep, 1 in the deck, dark"]),
        ("monster batteries", [
            "Monster Batteries: 2 energy, keep, 1 in the deck, classic; also called Battery "
            "Monster",
            "Battery Monster: 3 energy, keep, 1 in the deck, second; also called Monster "
            "Batteries",
        ]),
        ("wings", ["Wings: 6 energy, keep, 1 in the deck, classic, second, dark"]),
    ],
)  # fmt: skip
def test_each_rule_set_has_its_own_facts(name: str, heads: list[str]) -> None:
    out = cards(name)[1].split("What the rulebook says:")[0]
    assert [line for line in out.splitlines() if line[0] != " "] == heads


def test_what_is_printed_holds_in_each_rule_set_that_the_line_names() -> None:
    """Of all cards: cost, copies and text."""
    printed = list_printings(list(RULE_SETS.values()))
    for rules in RULE_SETS.values():
        here = [one.face for one in printed if rules in one.rules]
        shown = {(c.key, c.cost, c.copies, c.text) for c in here if isinstance(c, Card)}
        assert shown == {(c.key, c.cost, c.copies, c.text) for c in rules.cards}
        assert {t.key for t in here if isinstance(t, Tile)} == {t.key for t in rules.tiles}


def test_a_rule_set_alone_is_shown_with_its_facts_only() -> None:
    _code, out, _err = cards("--rules", "classic", "burrowing")
    first, text, *_more = out.splitlines()
    assert first == "Burrowing: 5 energy, keep, 1 in the deck, classic"
    assert text.startswith("  When you attack Tokyo from outside")
    assert "While you are in Tokyo one claw" not in out


def test_a_card_is_shown_with_its_rulings_in_plain_words() -> None:
    out = cards("mimic")[1]
    lines = out.partition("What the rulebook says:\n")[2].splitlines()
    assert lines[0].startswith("  K26 Copies a Keep card")
    assert "If its card leaves play the Mimic is empty" in lines[0]
    labels = [line.split()[0] for line in lines]
    assert labels[1:5] == ["A-33", "A-34", "A-85", "A-104"]
    assert "D-39" in labels
    assert not any(source in out for source in ("BGA", "(IT", "own)"))


def test_only_a_single_card_is_shown_with_its_rulings() -> None:
    assert "What the rulebook says" not in cards("poison", "token")[1]
    assert "What the rulebook says" not in cards("--rules", "dark")[1]
