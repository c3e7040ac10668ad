"""`rules` and `rules WORD`, typed at any prompt: the player's page, a topic, or the rulebook.

Scope: which of them answers a line.
Not here: the command `kotp2p rules` (`cli.commands.rules`).
"""

from __future__ import annotations

import difflib
import re

from kotp2p.cli.text import card_rulings, card_search, rulebook
from kotp2p.cli.text.i18n import _, ascii_digits, list_with_or
from kotp2p.cli.text.player_rules import (
    DEFAULT_OPTIONS,
    RULES_WORD,
    Topic,
    describe_topic,
    find_topic,
    first_page,
    list_topics,
)
from kotp2p.cli.text.rulebook import Section
from kotp2p.referee.box.rulesets import Options, RuleSet


def answer_rules(line: str, rules: RuleSet, options: Options = DEFAULT_OPTIONS) -> list[str] | None:
    """The answer for a player at a table with these rules; None if the line asks for no rules."""
    word, *rest = ascii_digits(line).split() or [""]
    if word.lower() != RULES_WORD:
        return None
    wanted = " ".join(rest)
    if not wanted:
        return [*first_page(rules, options), list_topics(rules)]
    topic = find_topic(wanted, rules)
    if topic is not None:
        return [*describe_topic(topic, rules), point_to_section(topic)]
    sections = rulebook.read_rules(rules.name)
    cards = card_rulings.cards_called(wanted, rules)
    if cards:
        return [
            *map(card_search.describe_card, cards),
            _("What the rulebook says:"),
            *card_rulings.list_rulings(sections, cards),
        ]
    found = rulebook.find_sections(sections, wanted)
    if found:
        return lines_of_sections(found)
    return [*explain_no_topic(sections, wanted), list_topics(rules)]


def point_to_section(topic: Topic) -> str:
    return _("Every fine point: rules {section}", section=topic.section)


def lines_of_sections(found: list[Section]) -> list[str]:
    """Each under its heading, with an empty line between two."""
    lines: list[str] = []
    for section in found:
        lines += [*([""] if lines else []), section.heading]
        lines += [block.text for block in section.blocks]
    return lines


def explain_no_topic(sections: list[Section], wanted: str) -> list[str]:
    """That nothing is called so, and what comes near."""
    lines = [_("No topic of the rules is called {topic}.", topic=wanted)]
    alike = similar_headings(sections, wanted)
    if alike:
        lines.append(_("Near: {names}.", names=list_with_or(alike)))
    return lines


def similar_headings(sections: list[Section], topic: str) -> list[str]:
    """Headings with a word that looks like a word of the topic."""
    known: dict[str, str] = {}
    for section in sections:
        for word in re.findall(r"\w{3,}", section.title.lower()):
            known.setdefault(word, section.heading)
    found = [
        known[match]
        for word in re.findall(r"\w+", topic.lower())
        for match in difflib.get_close_matches(word, list(known), n=3, cutoff=0.6)
    ]
    return list(dict.fromkeys(found))[:3]
