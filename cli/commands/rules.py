"""`kotp2p rules`: the page of players, their topics, and the rulebook with its rulings."""

from __future__ import annotations

from kotp2p.cli.system.output import Exit, Output
from kotp2p.cli.text import card_rulings, rulebook
from kotp2p.cli.text.i18n import _, list_with_commas, list_with_semicolons
from kotp2p.cli.text.own_command import typeable
from kotp2p.cli.text.player_rules import describe_topic, find_topic, first_page, list_topics
from kotp2p.cli.text.rulebook import Section
from kotp2p.cli.text.rules_query import explain_no_topic, lines_of_sections
from kotp2p.referee.box.rulesets import RULE_SETS, SECOND, RuleSet

MAX_MENTIONS = 5
COMMAND = "kotp2p rules"


RULINGS = "rulings"
"""In front of a topic: the rulebook answers, also where players have a topic of that name."""


def show_rules(topic: list[str] | None, rules: str | None) -> int:
    words = topic or []
    rulings = words[:1] == [RULINGS]
    return _show_rules(" ".join(words[1:] if rulings else words), rules, rulings=rulings)


def _show_rules(topic: str, rule_set: str | None, *, rulings: bool) -> int:
    output = Output.standard()
    rules = RULE_SETS[rule_set] if rule_set is not None else SECOND
    if not rulings:
        if not topic.strip():
            return _show_first_page(rules, output)
        found = find_topic(topic, None if rule_set is None else rules)
        if found is not None:
            title, *answer = describe_topic(found, rules)
            heading = _("{title} (rule set {rules})", title=title, rules=rules.name)
            _say_lines([heading, *answer], output)
            _point_to_card(topic, output)
            output.note_line(
                _("Every fine point: {command}", command=typeable(f"kotp2p rules {found.section}"))
            )
            return Exit.DONE
    return _show_rulebook(topic, rulebook.read_rules(rule_set), output)


def _show_first_page(rules: RuleSet, output: Output) -> int:
    output.say_line(_("Rule set: {rules}", rules=rules.name))
    _say_lines(first_page(rules), output)
    output.say_line("")
    output.note_line(list_topics(rules, typeable(COMMAND)))
    others = [name for name in RULE_SETS if name != rules.name]
    commands = [typeable(f"{COMMAND} --rules {name}") for name in others]
    output.note_line(_("The other rule sets: {commands}", commands=list_with_commas(commands)))
    output.note_line(
        _(
            "The rulebook with every ruling, by chapter: {command}",
            command=typeable("kotp2p rules rulings"),
        )
    )
    return Exit.DONE


def _show_rulebook(topic: str, sections: list[Section], output: Output) -> int:
    if not topic.strip():
        for section in sections:
            output.say_line("  " * (section.level - 2) + section.heading)
        output.note_line(
            _(
                "Read one by its number or a word of its title: {command}",
                command=typeable("kotp2p rules rulings claws"),
            )
        )
        return Exit.DONE
    cards = card_rulings.cards_called(topic)
    found = card_rulings.find_rulings(sections, cards) or rulebook.find_sections(sections, topic)
    if not found:
        _explain_no_match(sections, topic, output)
        return Exit.NOTHING_FOUND
    _say_lines(lines_of_sections(found), output)
    _point_to_card(topic, output)
    return Exit.DONE


def _say_lines(lines: list[str], output: Output) -> None:
    for line in lines:
        output.say_line(line)


def _explain_no_match(sections: list[Section], topic: str, output: Output) -> None:
    for line in explain_no_topic(sections, topic):
        output.note_line(line)
    written = [
        section.heading for section in rulebook.sections_mentioning(sections, topic)[:MAX_MENTIONS]
    ]
    if written:
        output.note_line(_("It is mentioned in: {names}.", names=list_with_semicolons(written)))
    _point_to_card(topic, output)
    output.note_line(
        _(
            "What players ask: {rules}. All chapters: {rulings}",
            rules=typeable("kotp2p rules"),
            rulings=typeable("kotp2p rules rulings"),
        )
    )


def _point_to_card(topic: str, output: Output) -> None:
    """Says where to read about a card whose name was typed."""
    if card_rulings.cards_called(topic):
        output.note_line(_("It is a card: {command}", command=typeable(f"kotp2p cards {topic}")))
