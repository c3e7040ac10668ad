"""`kotp2p rules` and `cards`: how the game is played, and what each card and tile says."""

from typing import NamedTuple

from kotp2p.cli.extras.book import rulebook
from kotp2p.cli.system.output import Exit, Output
from kotp2p.cli.text import player_rules
from kotp2p.cli.text.i18n import _, list_with_commas, list_with_or, plural, typeable
from kotp2p.referee.box.cards import Tile
from kotp2p.referee.box.rulesets import RULE_SETS, SECOND, RuleSet

# -- rules ---------------------------------------------------------------------------------


COMMAND = "kotp2p rules"


RULINGS = "rulings"
"""The word before a topic that asks the rulebook, also where players have a topic of that name."""


def show_rules(topic: list[str] | None, rules: str | None) -> int:
    output = Output.standard()
    words = topic or []
    if words[:1] == [RULINGS]:
        return _show_rulebook(" ".join(words[1:]), rulebook.read_rules(rules), output)
    typed, rule_set = " ".join(words), RULE_SETS[rules] if rules is not None else SECOND
    if not typed.strip():
        return _show_first_page(rule_set, output)
    found = player_rules.find_topic(typed, None if rules is None else rule_set)
    if found is None:
        return _show_rulebook(typed, rulebook.read_rules(rules), output)
    title, *answer = player_rules.describe_topic(found, rule_set)
    heading = _("{title} (rule set {rules})", title=title, rules=rule_set.name)
    _say_lines([heading, *answer], output)
    output.note_line(
        _("Every fine point: {command}", command=typeable(f"kotp2p rules {found.section}"))
    )
    return Exit.DONE


def _show_first_page(rules: RuleSet, output: Output) -> int:
    output.say_line(_("Rule set: {rules}", rules=rules.name))
    _say_lines(player_rules.first_page(rules), output)
    output.say_line("")
    output.note_line(player_rules.list_topics(rules, typeable(COMMAND)))
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


def _show_rulebook(topic: str, sections: list[rulebook.Section], output: Output) -> int:
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
    cards = rulebook.cards_called(topic)
    found = rulebook.find_rulings(sections, cards) or rulebook.find_sections(sections, topic)
    if not found:
        output.note_line(player_rules.explain_no_topic(topic))
        output.note_line(
            _(
                "What players ask: {rules}. All chapters: {rulings}",
                rules=typeable("kotp2p rules"),
                rulings=typeable("kotp2p rules rulings"),
            )
        )
        return Exit.NOTHING_FOUND
    _say_lines(rulebook.lines_of_sections(found), output)
    return Exit.DONE


def _say_lines(lines: list[str], output: Output) -> None:
    for line in lines:
        output.say_line(line)


# -- cards ---------------------------------------------------------------------------------


class Printing(NamedTuple):
    """A card or tile, and the rule sets in which it is exactly the same."""

    face: player_rules.CardOrTile
    rules: tuple[RuleSet, ...]


def show_cards(words: list[str] | None, rules: str | None) -> int:
    output = Output.standard()
    typed = " ".join(words or [])
    chosen = list(RULE_SETS.values()) if rules is None else [RULE_SETS[rules]]
    known = list_printings(chosen)
    matching = player_rules.search_cards([one.face for one in known], typed)
    found = [next(one for one in known if one.face is face) for face in matching]
    if not found:
        _explain_nothing_found(typed, rules, [one.face for one in known], output)
        return Exit.NOTHING_FOUND
    for printing in found:
        for line in _describe_printing(printing):
            output.say_line(line)
    if typed and len({_key_of(one.face) for one in found}) == 1:
        _say_rulings([one.face for one in found], rules, output)
    return Exit.DONE


def list_printings(sets: list[RuleSet]) -> list[Printing]:
    """Return cards by name, then tiles; one entry for each set of differing facts."""
    by_facts: dict[tuple[object, ...], tuple[player_rules.CardOrTile, list[RuleSet]]] = {}
    for rules in sorted(sets, key=_NEWEST_LAST.index, reverse=True):
        for face in player_rules.cards_and_tiles(rules):
            by_facts.setdefault(_facts_of(face), (face, []))[1].append(rules)
    printings = [
        Printing(face, tuple(rules for rules in sets if rules in here))
        for face, here in by_facts.values()
    ]
    firsts: dict[str, str] = {}
    """By the key of a card, its first name in the alphabet."""
    for card in (card for rules in sets for card in rules.cards):
        name = player_rules.printed_name(card)
        firsts[card.key] = min(name, firsts.get(card.key, name))
    return sorted(printings, key=lambda it: (_place_of(it.face, firsts), sets.index(it.rules[0])))


_NEWEST_LAST = [RULE_SETS["classic"], RULE_SETS["dark"], RULE_SETS["second"]]
"""A card that is the same in several rule sets has its name from the last of these."""


def _facts_of(face: player_rules.CardOrTile) -> tuple[object, ...]:
    if isinstance(face, Tile):
        return ("tile", face.key)
    return (face.key, face.keep, face.cost, face.copies, face.text)


def _key_of(face: player_rules.CardOrTile) -> tuple[bool, str]:
    return isinstance(face, Tile), face.key


def _place_of(face: player_rules.CardOrTile, firsts: dict[str, str]) -> tuple[bool, str]:
    return (True, "") if isinstance(face, Tile) else (False, firsts[face.key])


def _say_rulings(faces: list[player_rules.CardOrTile], rules: str | None, output: Output) -> None:
    rulings = rulebook.list_rulings(rulebook.read_rules(rules), faces)
    if rulings:
        output.say_line(_("What the rulebook says:"))
        for line in rulings:
            output.say_line("  " + line)


def _explain_nothing_found(
    words: str, rules: str | None, known: list[player_rules.CardOrTile], output: Output
) -> None:
    if rules is None:
        output.note_line(_("No card matches {words}.", words=words))
    else:
        output.note_line(
            _("No card of the {rules} rule set matches {words}.", rules=rules, words=words)
        )
    alike = player_rules.similar_names(known, words)
    if alike:
        output.note_line(_("Near: {names}.", names=list_with_or(alike)))
    command = "kotp2p cards" if rules is None else f"kotp2p cards --rules {rules}"
    output.note_line(_("All cards: {command}", command=typeable(command)))


def _describe_printing(printing: Printing) -> list[str]:
    card, rules = printing.face, list_with_commas([one.name for one in printing.rules])
    if isinstance(card, Tile):
        first = _(
            "{name}: {side} tile of step {step}, {rules}",
            name=player_rules.name_with_english(card),
            side=side_name(card.side),
            step=card.step,
            rules=rules,
        )
        return [first, "  " + player_rules.printed_text(card)]
    first = _(
        "{name}: {energy}, {kind}, {copies}, {rules}",
        name=player_rules.name_with_english(card),
        energy=player_rules.price_in_energy(card.cost),
        kind=player_rules.kind_of_card(card),
        copies=plural("{n} in the deck", "{n} in the deck", card.copies),
        rules=rules,
    )
    others = [n for n in player_rules.known_names(card) if n != player_rules.printed_name(card)]
    if others:
        first = _("{line}; also called {others}", line=first, others=list_with_or(others))
    return [first, "  " + player_rules.printed_text(card)]


def side_name(name: str) -> str:
    match name:
        case "red":
            return _("red")
        case "green":
            return _("green")
        case _:  # a str, of which the rule sets use three
            return _("mixed")
