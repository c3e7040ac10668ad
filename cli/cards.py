"""`kotp2p cards`, and the search behind `card NAME` in a game."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Sequence
from typing import TypeAlias

from cli import names
from cli.ending import Exit
from cli.output import Output
from cli.words import _, choice, plural
from referee.cards.catalog import Card, Tile
from referee.rulesets import RULE_SETS, RuleSet

Known: TypeAlias = Card | Tile
"""What can be looked up."""


def faces(rules: RuleSet) -> tuple[Known, ...]:
    """The cards of a rule set, then its tiles."""
    return (*rules.cards, *rules.tiles)


def line(found: Known) -> str:
    return names.tile_line(found) if isinstance(found, Tile) else names.card_line(found)


def search(cards: Sequence[Known], words: str) -> list[Known]:
    """By name first (any that it ever had), then by words of the text; best first."""
    wanted = fold(words)
    if not wanted:
        return list(cards)
    by_rank: list[list[Known]] = [[], [], [], []]
    for card in cards:
        known = [fold(name) for name in all_names(card)]
        if wanted in known:
            by_rank[0].append(card)
        elif any(name.startswith(wanted) for name in known):
            by_rank[1].append(card)
        elif any(wanted in name for name in known):
            by_rank[2].append(card)
        elif all(word in fold(card.text) for word in wanted.split()):
            by_rank[3].append(card)
    return by_rank[0] or by_rank[1] or by_rank[2] + by_rank[3]


def near(cards: Sequence[Known], words: str) -> list[str]:
    """Names that look like what was typed."""
    known = {fold(name): card.name for card in cards for name in all_names(card)}
    for name, shown in list(known.items()):
        for word in name.split():
            known.setdefault(word, shown)
    found = difflib.get_close_matches(fold(words), list(known), n=6, cutoff=0.6)
    return list(dict.fromkeys(known[name] for name in found))[:3]


def fold(text: str) -> str:
    return " ".join(re.sub(r"[^\w ]+", "", text.lower().replace("-", " ")).split())


def all_names(card: Known) -> list[str]:
    """Its name in this rule set first, then those that it has elsewhere."""
    if isinstance(card, Tile):
        return [card.name]
    others = [other for rules in RULE_SETS.values() for other in rules.cards]
    known = [name for other in others if other.key == card.key for name in other.names]
    return list(dict.fromkeys([card.name, *known]))


def cards(words: str, rules: str, as_json: bool) -> int:
    output = Output.standard()
    chosen = RULE_SETS[rules]
    known = faces(chosen)
    found = search(known, words)
    if as_json:
        output.data(json.dumps([as_object(card) for card in found], indent=2))
        return Exit.DONE if found else Exit.NOTHING_FOUND
    if not found:
        output.note(_("No card of the {rules} rule set matches {words}.", rules=rules, words=words))
        alike = near(known, words)
        if alike:
            output.note(_("Near: {names}.", names=choice(alike)))
        output.note(_("All cards: kotp2p cards --rules {rules}", rules=rules))
        return Exit.NOTHING_FOUND
    for card in found:
        for line in _entry(card):
            output.say(line)
    if not words:
        output.note(plural("{n} card.", "{n} cards.", len(chosen.cards)))
        if chosen.tiles:
            output.note(plural("{n} tile side.", "{n} tile sides.", len(chosen.tiles)))
        output.note(_("Search: kotp2p cards NAME"))
    return Exit.DONE


def in_sets(card: Known) -> list[RuleSet]:
    if isinstance(card, Tile):
        return [rules for rules in RULE_SETS.values() if card in rules.tiles]
    return [rules for rules in RULE_SETS.values() if any(c.key == card.key for c in rules.cards)]


def _entry(card: Known) -> list[str]:
    if isinstance(card, Tile):
        first = _(
            "{name}: {side} tile of step {step}, {rules}",
            name=card.name,
            side=side(card.side),
            step=card.step,
            rules=", ".join(rules.name for rules in in_sets(card)),
        )
        return [first, "  " + card.text]
    first = _(
        "{name}: {energy}, {kind}, {copies}, {rules}",
        name=card.name,
        energy=names.energy(card.cost),
        kind=names.kind(card),
        copies=plural("{n} in the deck", "{n} in the deck", card.copies),
        rules=", ".join(rules.name for rules in in_sets(card)),
    )
    others = [name for name in all_names(card) if name != card.name]
    if others:
        first = _("{line}; also called {others}", line=first, others=choice(others))
    lines = [first, "  " + card.text]
    if card.effect is None:
        lines.append("  " + _("Not in the deck yet: this program does not play it."))
    return lines


def side(name: str) -> str:
    match name:
        case "red":
            return _("red")
        case "green":
            return _("green")
        case _:
            return _("mixed")


def as_object(card: Known) -> dict[str, object]:
    if isinstance(card, Tile):
        return {
            "key": card.key,
            "name": card.name,
            "names": all_names(card),
            "step": card.step,
            "side": card.side,
            "kind": "tile",
            "text": card.text,
            "rules": [rules.name for rules in in_sets(card)],
            "works": True,
        }
    return {
        "key": card.key,
        "name": card.name,
        "names": all_names(card),
        "cost": card.cost,
        "kind": "keep" if card.keep else "discard",
        "copies": card.copies,
        "text": card.text,
        "rules": [rules.name for rules in in_sets(card)],
        "works": card.effect is not None,
    }
