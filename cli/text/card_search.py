"""The search for cards and tiles, behind `kotp2p cards` and `card NAME` in a game."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import TypeAlias

from kotp2p.cli.text import card_words
from kotp2p.cli.text.printed_words import printed_name, printed_names, printed_text
from kotp2p.referee.box.cards import Card, Tile
from kotp2p.referee.box.rulesets import RULE_SETS, RuleSet

CardOrTile: TypeAlias = Card | Tile
"""What can be looked up."""


def cards_and_tiles(rules: RuleSet) -> tuple[CardOrTile, ...]:
    """The cards of a rule set by the names that they have there, then its tiles."""
    return (*sorted(rules.cards, key=printed_name), *rules.tiles)


def describe_card(found: CardOrTile) -> str:
    return card_words.tile_line(found) if isinstance(found, Tile) else card_words.card_line(found)


def search_cards(cards: Sequence[CardOrTile], words: str) -> list[CardOrTile]:
    """By name first (any that it ever had), then by words of the text; best first."""
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
    """Names that look like what was typed."""
    known = {fold_words(name): printed_name(card) for card in cards for name in all_names(card)}
    for name, shown in list(known.items()):
        for word in name.split():
            known.setdefault(word, shown)
    found = difflib.get_close_matches(fold_words(words), list(known), n=6, cutoff=0.6)
    return list(dict.fromkeys(known[name] for name in found))[:3]


def fold_words(text: str) -> str:
    return " ".join(re.sub(r"[^\w ]+", "", text.lower().replace("-", " ")).split())


def all_names(card: CardOrTile) -> list[str]:
    """By what it can be looked up: its names in the reader's language, and those in English."""
    return list(dict.fromkeys([*known_names(card), *printed_in_english(card)]))


def known_names(card: CardOrTile) -> list[str]:
    """Its names in the reader's language: first that of this rule set, then the others."""
    if isinstance(card, Tile):
        return [printed_name(card)]
    known = [name for other in _editions(card) for name in printed_names(other)]
    return list(dict.fromkeys([printed_name(card), *known]))


def printed_in_english(card: CardOrTile) -> list[str]:
    """The same as the rule sets have them."""
    if isinstance(card, Tile):
        return [card.name]
    known = [name for other in _editions(card) for name in other.names]
    return list(dict.fromkeys([card.name, *known]))


def _editions(card: Card) -> list[Card]:
    others = [other for rules in RULE_SETS.values() for other in rules.cards]
    return [other for other in others if other.key == card.key]
