"""`kotp2p rules`: the rulebook by topic."""

from __future__ import annotations

import difflib
import re

from cli.system.exit_codes import Exit
from cli.system.output import Output
from cli.text import card_search, rulebook
from cli.text.i18n import _, list_with_or
from cli.text.rulebook import Section
from referee.box.rulesets import RULE_SETS

MAX_MENTIONS = 5


def show_rules(topic: str, rule_set: str | None) -> int:
    output = Output.standard()
    sections = rulebook.read_rules(rule_set)
    if not topic.strip():
        _list_sections(sections, output)
        return Exit.DONE
    found = rulebook.find_sections(sections, topic)
    if not found:
        _explain_no_match(sections, topic, output)
        return Exit.NOTHING_FOUND
    for n, section in enumerate(found):
        if n:
            output.say_line("")
        output.say_line(section.heading)
        for block in section.blocks:
            output.say_line(block.text)
    _point_to_card(topic, output)
    return Exit.DONE


def _list_sections(sections: list[Section], output: Output) -> None:
    for section in sections:
        output.say_line("  " * (section.level - 2) + section.heading)
    output.note_line(_("Read one by its number or a word of its title: kotp2p rules claws"))


def _explain_no_match(sections: list[Section], topic: str, output: Output) -> None:
    output.note_line(_("No topic of the rules is called {topic}.", topic=topic))
    alike = similar_headings(sections, topic)
    if alike:
        output.note_line(_("Near: {names}.", names=list_with_or(alike)))
    written = [
        section.heading for section in rulebook.sections_mentioning(sections, topic)[:MAX_MENTIONS]
    ]
    if written:
        output.note_line(_("It is mentioned in: {names}.", names="; ".join(written)))
    _point_to_card(topic, output)
    output.note_line(_("All topics: kotp2p rules"))


def _point_to_card(topic: str, output: Output) -> None:
    """Says where to read about a card whose name was typed."""
    known = [card for rule_set in RULE_SETS.values() for card in rule_set.cards]
    if any(
        card_search.fold_words(topic) == card_search.fold_words(name)
        for card in known
        for name in card.names
    ):
        output.note_line(_("It is a card: kotp2p cards {name}", name=topic))


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
