"""What the rulebook rules about one card or tile: its entry, and all passages that name it.

Scope: finding them by the card, as players do, and not by a label.
Not here: the rulebook as sections (`cli.text.rulebook`), the search for a card (`card_search`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from kotp2p.cli.text.card_search import CardOrTile, all_names, cards_and_tiles, fold_words
from kotp2p.cli.text.card_search import printed_in_english as english_names
from kotp2p.cli.text.rulebook import Block, Section
from kotp2p.referee.box.rulesets import RULE_SETS, RuleSet

ENTRY_PATTERN = re.compile(r"(?:K|DK|D)\d+")
"""The anchors of the entries of cards."""
LABEL_PATTERN = re.compile(r"\b[AD]-\d{2,3}\b")
THE_DECKS = "1.2"
"""The section that counts the cards. It rules nothing about one of them."""
PLAIN_WORDS = (
    (re.compile(r" \((?:own|IT|NL|FA|EN|FR|PT|PUB|EMP|DIZ|BLOG|SE|BGA)\b[^()]*\)(\.?)$"), r"\1"),
    (re.compile(r"(?<=\.)(?: [AD]-\d{2,3},?)+\.?$"), ""),
    (re.compile(r"\(c\)"), "Classic:"),
    (re.compile(r"\(s\)"), "Second and dark:"),
)
"""What is written otherwise for somebody who reads about one card: without sources and cross
references."""
NAME_AND_PRICE_PATTERN = re.compile(r"^((?:DK|K)\d+) .*?\)\. ")
"""How the entry of a card begins. Both stand above it already."""


def cards_called(words: str, rules: RuleSet | None = None) -> list[CardOrTile]:
    """The cards and tiles of this name, in any language; of one rule set, or one of each key."""
    wanted = fold_words(words)
    sets = RULE_SETS.values() if rules is None else (rules,)
    found: dict[tuple[type, str], CardOrTile] = {}
    for rule_set in sets:
        for one in cards_and_tiles(rule_set):
            if wanted in map(fold_words, all_names(one)):
                found.setdefault((type(one), one.key), one)
    return list(found.values())


def find_rulings(sections: Sequence[Section], cards: Sequence[CardOrTile]) -> list[Section]:
    """The passages that name one of the cards, each under its heading, and those to which the
    entry of a card points."""
    names = frozenset(name for card in cards for name in english_names(card))
    pointed_at = _labels_in_entries(sections, names)
    found = []
    for one in sections:
        named = _blocks_about(one, names)
        about = [block for block in one.blocks if block in named or pointed_at & block.anchors]
        if about:
            found.append(Section(one.level, one.number, one.title, about))
    return found


def list_rulings(sections: Sequence[Section], cards: Sequence[CardOrTile]) -> list[str]:
    """The same in plain words, one line each: the entry of the card first, then the rulings to
    which it points. A line begins with its label, or with the number of its section."""
    names = frozenset(name for card in cards for name in english_names(card))
    pointed_at = _labels_in_entries(sections, names)
    entries: list[str] = []
    nearest: list[str] = []
    others: list[str] = []
    for section in find_rulings(sections, cards):
        for block in section.blocks if section.number != THE_DECKS else ():
            line = _line_of(block, section)
            if _is_entry(block, names):
                entries.append(NAME_AND_PRICE_PATTERN.sub(r"\1 ", line))
            elif pointed_at & block.anchors:
                nearest.append(line)
            else:
                others.append(line)
    return entries + nearest + others


def _line_of(block: Block, section: Section) -> str:
    text = block.text.strip().removeprefix("- ")
    for pattern, plain in PLAIN_WORDS:
        text = pattern.sub(plain, text)
    if any(text.startswith(anchor) for anchor in block.anchors) or not section.number:
        return text
    return f"{section.number} {text}"


def _blocks_about(section: Section, names: frozenset[str]) -> list[Block]:
    """All of a section that has the name of the card as its title."""
    if names & names_in(section.title):
        return section.blocks
    return [block for block in section.blocks if names & names_in(block.text)]


def _labels_in_entries(sections: Sequence[Section], names: frozenset[str]) -> frozenset[str]:
    """The labels of the rulings to which the entries of the card, or a section about it, point."""
    entries = [
        block
        for one in sections
        for block in one.blocks
        if _is_entry(block, names) or names & names_in(one.title)
    ]
    return frozenset(label for block in entries for label in LABEL_PATTERN.findall(block.text))


def _is_entry(block: Block, names: frozenset[str]) -> bool:
    """Whether the block is the entry of a card of this name, and not one that mentions it."""
    if not any(ENTRY_PATTERN.fullmatch(anchor) for anchor in block.anchors):
        return False
    head = block.text.partition(" (")[0] if "- K" in block.text else block.text.partition(":")[0]
    return bool(names & names_in(head))


def names_in(text: str) -> frozenset[str]:
    """The English names of cards and tiles that the text contains. A name that is part of a longer
    one does not count there."""
    known = _name_pattern()
    return frozenset(match[1] for match in known.finditer(text))


@cache
def _name_pattern() -> re.Pattern[str]:
    cards = [card for rules in RULE_SETS.values() for card in cards_and_tiles(rules)]
    names = sorted({name for card in cards for name in english_names(card)}, key=len, reverse=True)
    return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, names))})s?(?!\w)")
