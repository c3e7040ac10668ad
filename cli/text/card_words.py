"""Cards and tiles in words: their printed names and texts, and how they are found."""

import difflib
import re
from collections.abc import Sequence
from typing import TypeAlias

from kotp2p.cli.text.i18n import _, in_context, plural, printed
from kotp2p.referee.box.cards import Card, Tile
from kotp2p.referee.box.rulesets import RULE_SETS, RuleSet

# -- the texts of cards and tiles, in the reader's language --------------------------------
#
# The rules are data without a language; here their names and texts pass the door, each with a
# context, as a card may be called like something else.


CARD_NAME = "card name"
CARD_TEXT = "card text"
TILE_NAME = "tile name"
TILE_TEXT = "tile text"


def printed_name(one: Card | Tile) -> str:
    return printed(TILE_NAME if isinstance(one, Tile) else CARD_NAME, one.name)


def name_with_english(one: Card | Tile) -> str:
    """Return the name to look up: with the English one after it, where it differs."""
    name = printed_name(one)
    return name if name == one.name else f"{name} ({one.name})"


def printed_text(one: Card | Tile) -> str:
    return printed(TILE_TEXT if isinstance(one, Tile) else CARD_TEXT, one.text)


# -- a card or a tile in one line ----------------------------------------------------------


def price_in_energy(n: int) -> str:
    return plural("{n} energy", "{n} energy", n)


def kind_of_card(card: Card) -> str:
    return in_context("kind of card", "keep") if card.keep else in_context("kind of card", "once")


def card_head(card: Card) -> str:
    return _("{card}, {kind}", card=printed_name(card), kind=kind_of_card(card))


def card_line(card: Card, price: int | None = None, name: str = "") -> str:
    """Describe a card in one line, with the reader's `price` and `name` in place of the printed."""
    return _(
        "{name}, {energy}, {kind}: {text}",
        name=name or printed_name(card),
        energy=price_in_energy(card.cost if price is None else price),
        kind=kind_of_card(card),
        text=printed_text(card),
    )


def tile_line(tile: Tile, name: str = "") -> str:
    return _(
        "{name}, tile of step {step}: {text}",
        name=name or printed_name(tile),
        step=tile.step,
        text=printed_text(tile),
    )


# -- the search of `kotp2p cards` and of `card NAME` in a game -----------------------------


CardOrTile: TypeAlias = Card | Tile


def cards_and_tiles(rules: RuleSet) -> tuple[CardOrTile, ...]:
    """Return the cards of a rule set, sorted by name, then its tiles."""
    return (*sorted(rules.cards, key=printed_name), *rules.tiles)


def describe_card(found: CardOrTile) -> str:
    name = name_with_english(found)
    return tile_line(found, name) if isinstance(found, Tile) else card_line(found, name=name)


def search_cards(cards: Sequence[CardOrTile], words: str) -> list[CardOrTile]:
    wanted = fold_words(words)
    if not wanted:
        return list(cards)
    by_rank: list[list[CardOrTile]] = [[], [], [], []]
    for card in cards:
        known = [fold_words(name) for name in all_names(card)]
        if wanted in known:
            by_rank[0].append(card)
        elif any(name.startswith(wanted) for name in known):
            by_rank[1].append(card)
        elif any(wanted in name for name in known):
            by_rank[2].append(card)
        elif all(word in fold_words(printed_text(card)) for word in wanted.split()):
            by_rank[3].append(card)
    return by_rank[0] or by_rank[1] or by_rank[2] + by_rank[3]


def similar_names(cards: Sequence[CardOrTile], words: str) -> list[str]:
    known = {fold_words(name): printed_name(card) for card in cards for name in all_names(card)}
    for name, shown in list(known.items()):
        for word in name.split():
            known.setdefault(word, shown)
    found = difflib.get_close_matches(fold_words(words), list(known), n=6, cutoff=0.6)
    return list(dict.fromkeys(known[name] for name in found))[:3]


def fold_words(text: str) -> str:
    return " ".join(re.sub(r"[^\w ]+", "", text.lower().replace("-", " ")).split())


def all_names(card: CardOrTile) -> list[str]:
    return list(dict.fromkeys([*known_names(card), *printed_in_english(card)]))


def known_names(card: CardOrTile) -> list[str]:
    """Return its names in the reader's language: first that of its rule set, then the others."""
    if isinstance(card, Tile):
        return [printed_name(card)]
    known = [printed(CARD_NAME, name) for other in _editions(card) for name in other.names]
    return list(dict.fromkeys([printed_name(card), *known]))


def printed_in_english(card: CardOrTile) -> list[str]:
    """Return its English names: first that of its rule set, then the others."""
    if isinstance(card, Tile):
        return [card.name]
    known = [name for other in _editions(card) for name in other.names]
    return list(dict.fromkeys([card.name, *known]))


def _editions(card: Card) -> list[Card]:
    others = [other for rules in RULE_SETS.values() for other in rules.cards]
    return [other for other in others if other.key == card.key]
