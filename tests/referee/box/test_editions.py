"""The printed cards of the three rule sets: numbers, names and texts."""

import re

import pytest

from kotp2p.referee.box.cards import TILES, Card, Tile
from kotp2p.referee.box.rulesets import CLASSIC_BOX, DARK_BOX, SECOND_BOX
from tests.support.paths import ROOT

SETS = {"classic": CLASSIC_BOX, "second": SECOND_BOX, "dark": DARK_BOX}


def _card(printed: tuple[Card, ...], key: str) -> Card:
    return next(card for card in printed if card.key == key)


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ("classic", "have the same {} cards: {} to keep and {} to discard, {} different ones"),
        ("second", "have the same {} cards: {} to keep and {} to discard, {} different ones"),
        ("dark", "Dark has {} cards, {} and {}, {} different ones."),
    ],
)
def test_each_deck_has_as_many_cards_as_the_rules_say(rules: str, sentence: str) -> None:
    printed = SETS[rules]
    keeps = sum(card.copies for card in printed if card.keep)
    discards = sum(card.copies for card in printed if not card.keep)
    distinct = len({card.key for card in printed})
    assert len(printed) == distinct
    text = (ROOT / "docs" / "RULES.md").read_text("utf-8")
    assert sentence.format(keeps + discards, keeps, discards, distinct) in text


def test_doubles() -> None:
    doubles = {rules: {c.key for c in p if c.copies == 2} for rules, p in SETS.items()}
    assert doubles == {
        "classic": {"extra-head", "evacuation-orders"},
        "second": {"extra-head", "evacuation-orders"},
        "dark": {"evacuation-orders"},
    }


def test_dark_costs_and_cards() -> None:
    """Scenario T129."""
    costs = {card.name: card.cost for card in DARK_BOX}
    assert (costs["Freeze Time"], costs["Gourmet"]) == (6, 6)
    assert (costs["Herd Culler"], costs["Lunar Powered"], costs["Monster Pets"]) == (5, 3, 0)
    assert not {"Heal", "Mimic", "Poison Spit", "Healing Ray", "Battery Monster"} & set(costs)
    differing = {c.key for c in DARK_BOX for s in SECOND_BOX if c.key == s.key and c.cost != s.cost}
    assert differing == {"freeze-time", "gourmet", "herd-culler", "solar-powered"}


def test_one_cost_changed_from_2011_to_2016() -> None:
    changed = [
        (a.key, a.cost, b.cost)
        for a, b in zip(CLASSIC_BOX, SECOND_BOX, strict=True)
        if a.cost != b.cost
    ]
    assert changed == [("battery-monster", 2, 3)]


def test_renamed_cards_keep_their_key() -> None:
    renamed = {c.name: _card(SECOND_BOX, c.key).name for c in CLASSIC_BOX}
    assert {old: new for old, new in renamed.items() if old != new} == {
        "Alien Metabolism": "Alien Origin",
        "Dedicated News Team": "Media-Friendly",
        "Monster Batteries": "Battery Monster",
        "Omnivore": "Detritivore",
        "Telepath": "Energy Drink",
        "Drop from High Altitude": "Death From Above",
        "Fire Blast": "Flame Thrower",
        "Tanks": "Tank",
    }
    assert _card(DARK_BOX, "solar-powered").name == "Lunar Powered"


def test_keys_are_slugs_and_in_order() -> None:
    for printed in SETS.values():
        keys = [card.key for card in printed]
        assert keys == sorted(keys)
        assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", key) for key in keys)
    assert {"were-only-making-it-stronger", "unstable-dna", "media-friendly"} <= {
        card.key for card in DARK_BOX
    }


def test_texts_are_one_to_three_whole_sentences() -> None:
    for printed in SETS.values():
        for card in printed:
            assert card.text[0].isupper() and card.text.endswith("."), card.key
            assert 10 <= len(card.text) <= 230, card.key
            assert "  " not in card.text, card.key


def test_classic_says_what_its_own_effect_is() -> None:
    """The cards whose effect changed between the editions (RULES.md, what differs)."""
    assert {a.key for a, b in zip(CLASSIC_BOX, SECOND_BOX, strict=True) if a.text != b.text} == {
        "acid-attack", "alpha-monster", "burrowing", "battery-monster", "even-bigger",
        "fire-breathing", "poison-quills", "spiked-tail", "urbavore", "death-from-above", "frenzy",
        "complete-destruction",  # the same effect; but no card added a claw yet
    }  # fmt: skip


@pytest.mark.parametrize("rules", SETS)
def test_a_card_or_tile_that_gives_tokens_says_what_they_do(rules: str) -> None:
    known: list[Card | Tile] = [*SETS[rules], *(TILES if rules == "dark" else ())]
    giving = {card.key: card.text for card in known if "gets a" in card.text}
    assert set(giving) == {"poison-spit", "shrink-ray"}
    for text in giving.values():
        assert "for each; outside Tokyo a heart die may remove one instead of healing." in text
        assert "Tokens stay when this" in text  # D-45


def test_cards_that_bring_their_owner_back_say_what_stays() -> None:
    for printed in SETS.values():
        for card in printed:
            if "go on with" in card.text:
                assert "energy and tokens" in card.text or "Energy, tokens" in card.text, card.key
