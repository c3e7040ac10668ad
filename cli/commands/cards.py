"""`kotp2p cards`: power cards and wickedness tiles by name or by words of their text."""

from __future__ import annotations

import json

from cli.system.exit_codes import Exit
from cli.system.output import Output
from cli.text import card_words
from cli.text.card_search import (
    CardOrTile,
    cards_and_tiles,
    known_names,
    printed_in_english,
    search_cards,
    similar_names,
)
from cli.text.i18n import _, list_with_commas, list_with_or, plural
from cli.text.own_command import typeable
from cli.text.printed_words import printed_name, printed_text
from referee.box.printed import Tile
from referee.box.rulesets import RULE_SETS, RuleSet


def show_cards(words: str, rules: str, as_json: bool) -> int:
    output = Output.standard()
    chosen = RULE_SETS[rules]
    known = cards_and_tiles(chosen)
    found = search_cards(known, words)
    if as_json:
        output.write_document(json.dumps([card_as_object(card) for card in found], indent=2))
        return Exit.DONE if found else Exit.NOTHING_FOUND
    if not found:
        output.note_line(
            _("No card of the {rules} rule set matches {words}.", rules=rules, words=words)
        )
        alike = similar_names(known, words)
        if alike:
            output.note_line(_("Near: {names}.", names=list_with_or(alike)))
        output.note_line(
            _("All cards: {command}", command=typeable(f"kotp2p cards --rules {rules}"))
        )
        return Exit.NOTHING_FOUND
    for card in found:
        for line in _describe_card(card):
            output.say_line(line)
    if not words:
        output.note_line(plural("{n} card.", "{n} cards.", len(chosen.cards)))
        if chosen.tiles:
            output.note_line(plural("{n} tile side.", "{n} tile sides.", len(chosen.tiles)))
        output.note_line(_("Search: {command}", command=typeable("kotp2p cards NAME")))
    return Exit.DONE


def rule_sets_with(card: CardOrTile) -> list[RuleSet]:
    if isinstance(card, Tile):
        return [rules for rules in RULE_SETS.values() if card in rules.tiles]
    return [rules for rules in RULE_SETS.values() if any(c.key == card.key for c in rules.cards)]


def _describe_card(card: CardOrTile) -> list[str]:
    if isinstance(card, Tile):
        first = _(
            "{name}: {side} tile of step {step}, {rules}",
            name=printed_name(card),
            side=side_name(card.side),
            step=card.step,
            rules=list_with_commas([rules.name for rules in rule_sets_with(card)]),
        )
        return [first, "  " + printed_text(card)]
    first = _(
        "{name}: {energy}, {kind}, {copies}, {rules}",
        name=printed_name(card),
        energy=card_words.price_in_energy(card.cost),
        kind=card_words.kind_of_card(card),
        copies=plural("{n} in the deck", "{n} in the deck", card.copies),
        rules=list_with_commas([rules.name for rules in rule_sets_with(card)]),
    )
    others = [name for name in known_names(card) if name != printed_name(card)]
    if others:
        first = _("{line}; also called {others}", line=first, others=list_with_or(others))
    lines = [first, "  " + printed_text(card)]
    if card.effect is None:
        lines.append("  " + _("Not in the deck yet: this program does not play it."))
    return lines


def side_name(name: str) -> str:
    match name:
        case "red":
            return _("red")
        case "green":
            return _("green")
        case _:  # a str, of which the rule sets use three
            return _("mixed")


def card_as_object(card: CardOrTile) -> dict[str, object]:
    if isinstance(card, Tile):
        return {
            "key": card.key,
            "name": card.name,
            "names": printed_in_english(card),
            "step": card.step,
            "side": card.side,
            "kind": "tile",
            "text": card.text,
            "rules": [rules.name for rules in rule_sets_with(card)],
            "works": True,
        }
    return {
        "key": card.key,
        "name": card.name,
        "names": printed_in_english(card),
        "cost": card.cost,
        "kind": "keep" if card.keep else "discard",
        "copies": card.copies,
        "text": card.text,
        "rules": [rules.name for rules in rule_sets_with(card)],
        "works": card.effect is not None,
    }
