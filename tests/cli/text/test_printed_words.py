"""Cards and tiles in the reader's language, found by the names of both languages."""

import pytest

from kotp2p.cli.text import i18n, player_rules
from kotp2p.cli.text.names import item_name
from kotp2p.referee.box.rulesets import RULE_SETS
from tests.support.laid_decisions import item, table
from tests.support.pseudo import Toy

SAID = {
    ("card name", "Wings"): "Ali",
    ("card name", "Alien Origin"): "Origine Aliena",
    ("card name", "Alien Metabolism"): "Metabolismo Alieno",
    ("tile name", "Devious"): "Subdolo",
    (
        "tile text",
        "You have one roll more in each of your turns, from the next one on.",
    ): "Un lancio in più.",
}


@pytest.fixture(autouse=True)
def toy() -> None:
    i18n.use_catalogue(Toy(SAID), "xx")


@pytest.mark.parametrize("typed", ["ali", "Wings", "wing", "win"])
def test_a_card_is_found_by_its_name_and_by_the_english_one(typed: str) -> None:
    found = player_rules.search_cards(player_rules.cards_and_tiles(RULE_SETS["second"]), typed)
    assert [card.key for card in found] [:1] == ["wings"]  # fmt: skip
    assert player_rules.describe_card(found[0]).startswith("Ali (Wings), ")


def test_names_of_other_editions_are_translated_too() -> None:
    (card,) = [card for card in RULE_SETS["second"].cards if card.key == "alien-origin"]
    assert player_rules.known_names(card) == ["Origine Aliena", "Metabolismo Alieno"]
    assert player_rules.printed_in_english(card) == ["Alien Origin", "Alien Metabolism"]


def test_a_near_miss_is_answered_with_the_name_of_the_language() -> None:
    assert player_rules.similar_names(
        player_rules.cards_and_tiles(RULE_SETS["second"]), "wongs"
    ) == ["Ali"]


def test_a_tile_and_a_card_on_the_table() -> None:
    (tile,) = [tile for tile in RULE_SETS["dark"].tiles if tile.key == "devious"]
    assert (
        player_rules.describe_card(tile) == "Subdolo (Devious), tile of step 3: Un lancio in più."
    )
    view = table()
    assert item_name(view.game, item(view, "wings")) == "Ali"
