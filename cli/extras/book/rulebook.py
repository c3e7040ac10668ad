"""The rulebook: docs/RULES.md as it is shipped, its sections, and the rulings of cards.

A module of its own, as players at a table look it up, too (`cli/extras/table.py`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from kotp2p.cli.text import player_rules
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.player_rules import CardOrTile, all_names, cards_and_tiles, fold_words
from kotp2p.cli.text.player_rules import printed_in_english as english_names
from kotp2p.referee.box.rulesets import RULE_SETS, RuleSet

# -- the rulebook as sections of plain lines -----------------------------------------------
#
# docs/RULES.md is the one text of the rules; `cli/rules.md` is a link to it, which becomes a copy
# in a wheel. Only the Markdown that this text uses is understood. A block is what a reader sees as
# one thing: a paragraph, an item of a list, a row of a table. For one rule set, blocks and
# sentences that are marked as being about others are left out.


RULES_FILE = Path(__file__).parents[2] / "rules.md"

OUTLINE_TITLE = "For players"
TURN_CHAPTER = "3."
"""Where a player looks: the outline, and the steps of a turn."""

ANCHOR_PATTERN = re.compile(r'<a id="([^"]+)"></a>')
HEADING_PATTERN = re.compile(r"(#+) (?:(\d+(?:\.\d+)?)\.? )?(.+)")
ITEM_PATTERN = re.compile(r"( *)(\*|\d+\.) (.+)")
SCOPE_PATTERN = re.compile(
    r"((?:classic|second|dark)(?:(?:, | and )(?:classic|second|dark))*):", re.I
)
"""The beginning of a sentence about some rule sets only."""
TITLE_SCOPE_PATTERN = re.compile(r"\((classic|second|dark)\)$")
LABEL_PATTERN = re.compile(r"^((?:[AD]-\d{2,3}(?:, )?)+) ")
OTHER_SPELLINGS = dict.fromkeys(("neighbor", "neighbors", "neighbours"), "neighbour")
SAME_AS_PATTERN = re.compile(r"as (classic|second|dark)")


class Block(NamedTuple):
    text: str
    anchors: frozenset[str] = frozenset()


class Section(NamedTuple):
    level: int
    number: str
    title: str
    blocks: list[Block]

    @property
    def heading(self) -> str:
        return f"{self.number} {self.title}".strip()


def read_rules(rules: str | None = None) -> list[Section]:
    return parse_rules(RULES_FILE.read_text(encoding="utf-8"), rules)


def parse_rules(text: str, rules: str | None = None) -> list[Section]:
    """Return all sections but the title of the document; of one rule set, or whole."""
    sections: list[Section] = []
    for kind, lines in _pieces(text.splitlines()):
        if kind == "heading":
            sections.append(_section(lines[0]))
        elif not sections:
            continue
        elif kind == "table":
            sections[-1].blocks.extend(_table(lines, rules))
        else:
            sections[-1].blocks.extend(_prose(lines, rules))
    others = [one for one in sections if not _concerns(one, rules)]
    left_out = [id(part) for one in others for part in _with_parts(sections, one)]
    return [one for one in sections if one.level > 1 and id(one) not in left_out]


def _pieces(lines: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    kind, piece = "", list[str]()
    for line in [*lines, ""]:
        if line.startswith("#"):
            now = "heading"
        elif line.startswith("|"):
            now = "table"
        elif not line.strip() or line == "---":
            now = ""
        else:
            now = "prose"
        if piece and (now != kind or now == "heading" or ITEM_PATTERN.match(line)):
            yield kind, piece
            piece = []
        kind = now
        if now:
            piece.append(line)


def _section(line: str) -> Section:
    found = HEADING_PATTERN.fullmatch(strip_markup(line))
    assert found, line
    return Section(len(found[1]), found[2] or "", found[3], [])


def _concerns(section: Section, rules: str | None) -> bool:
    found = TITLE_SCOPE_PATTERN.search(section.title)
    return found is None or rules in (None, found[1])


def _prose(lines: list[str], rules: str | None) -> Iterator[Block]:
    item = ITEM_PATTERN.match(lines[0])
    indent = ""
    if item:
        indent = item[1] + ("- " if item[2] == "*" else f"{item[2]} ")
        lines = [item[3], *lines[1:]]
    kept = [line.strip() for line in lines if rules is None or _meant(strip_markup(line), rules)]
    if kept:
        whole = " ".join(kept)
        said = re.sub(r" \*([^*]+)\*$", r" (\1)", whole) if whole.endswith("*") else whole
        yield Block(indent + strip_markup(said), frozenset(ANCHOR_PATTERN.findall(whole)))


def _meant(sentence: str, rules: str) -> bool:
    found = SCOPE_PATTERN.match(LABEL_PATTERN.sub("", sentence.strip()))
    return found is None or rules in found[1].lower()


def _table(lines: list[str], rules: str | None) -> Iterator[Block]:
    names = _cells(lines[0])
    for line in lines[2:]:
        text = _row(names, [strip_markup(cell) for cell in _cells(line)], rules)
        if text:
            yield Block("- " + text, frozenset(ANCHOR_PATTERN.findall(line)))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _row(names: list[str], cells: list[str], rules: str | None) -> str:
    first = f"{names[0]} {cells[0]}" if cells[0].isdigit() else cells[0]
    columns = dict(zip(names[1:], cells[1:], strict=True))
    if rules in columns:
        cell = columns[rules]
        while other := SAME_AS_PATTERN.fullmatch(cell):
            cell = columns[other[1]]
        return f"{first}: {cell}" if cell else ""
    if len(columns) == 1:
        return f"{first}: {cells[1]}"
    return f"{first}: " + "; ".join(f"{name} {cell}" for name, cell in columns.items() if cell)


def strip_markup(text: str) -> str:
    # Most texts have none of these, and a pattern is slow to find nothing.
    if "<" in text:
        text = re.sub(r"<!--.*?-->", "", ANCHOR_PATTERN.sub("", text))
    if "](" in text:
        text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    if "*" in text:
        text = text.replace("**", "")
        text = re.sub(r"(?<![\w*])\*(\S(?:.*?\S)?)\*(?![\w*])", r"\1", text)
    return text.replace("`", "")


def find_sections(sections: list[Section], topic: str) -> list[Section]:
    """Find chapters, sections and labels by number, or by the beginnings of words of a title."""
    wanted = topic.strip().rstrip(".").lower()
    words = [OTHER_SPELLINGS.get(word, word) for word in re.findall(r"\w+", wanted)]
    named = [one for one in sections if wanted == one.number]
    named = named or [one for one in sections if words and _names_all(one.title, words)]
    found: list[Section] = []
    for one in named:
        found += [part for part in _with_parts(sections, one) if part not in found]
    return found or _entries(sections, wanted) or _passages(sections, words)


def _names_all(text: str, words: list[str]) -> bool:
    parts = re.findall(r"\w+", text.lower())
    return all(any(part.startswith(word) for part in parts) for word in words)


def _with_parts(sections: list[Section], chapter: Section) -> Iterator[Section]:
    start = next(n for n, one in enumerate(sections) if one is chapter)
    yield chapter
    for one in sections[start + 1 :]:
        if one.level <= chapter.level:
            return
        yield one


def _entries(sections: list[Section], label: str) -> list[Section]:
    return [
        Section(one.level, one.number, one.title, [block])
        for one in sections
        for block in one.blocks
        if label in {anchor.lower() for anchor in block.anchors}
    ]


def _passages(sections: list[Section], words: list[str]) -> list[Section]:
    """Return the passages with these words in the outline and the steps of a turn."""
    found = []
    for one in sections:
        if one.title == OUTLINE_TITLE or one.number.startswith(TURN_CHAPTER):
            blocks = [block for block in one.blocks if words and _names_all(block.text, words)]
            if blocks:
                found.append(Section(one.level, one.number, one.title, blocks))
    return found


# -- card rulings --------------------------------------------------------------------------


ENTRY_PATTERN = re.compile(r"(?:K|DK|D)\d+")
CITED_PATTERN = re.compile(r"\b[AD]-\d{2,3}\b")
THE_DECKS = "1.2"
"""The section that counts the cards. It rules nothing about one of them."""
PLAIN_WORDS = (
    (re.compile(r" \((?:own|IT|NL|FA|EN|FR|PT|PUB|EMP|DIZ|BLOG|SE|BGA)\b[^()]*\)(\.?)$"), r"\1"),
    (re.compile(r"(?<=\.)(?: [AD]-\d{2,3},?)+\.?$"), ""),
    (re.compile(r"\(c\)"), "Classic:"),
    (re.compile(r"\(s\)"), "Second and dark:"),
)
"""Replacements for a reader of one card: without sources and cross references."""
NAME_AND_PRICE_PATTERN = re.compile(r"^((?:DK|K)\d+) .*?\)\. ")
"""The head of a card's entry, both parts of which are shown above it already."""


def cards_called(words: str, rules: RuleSet | None = None) -> list[CardOrTile]:
    wanted = fold_words(words)
    sets = RULE_SETS.values() if rules is None else (rules,)
    found: dict[tuple[type, str], CardOrTile] = {}
    for rule_set in sets:
        for one in cards_and_tiles(rule_set):
            if wanted in map(fold_words, all_names(one)):
                found.setdefault((type(one), one.key), one)
    return list(found.values())


def find_rulings(sections: Sequence[Section], cards: Sequence[CardOrTile]) -> list[Section]:
    """Return the passages that name the cards, and the rulings that their entries cite."""
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
    """List in plain words the entry of the card, then the rulings that it cites."""
    names = frozenset(name for card in cards for name in english_names(card))
    found = find_rulings(sections, cards)
    pointed_at = _labels_in_entries(found, names)
    entries, nearest, others = list[str](), list[str](), list[str]()
    for section in found:
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
    if says_any(section.title, names):
        return section.blocks
    return [block for block in section.blocks if says_any(block.text, names)]


def _labels_in_entries(sections: Sequence[Section], names: frozenset[str]) -> frozenset[str]:
    """Return the labels that the entries of the card, or a section about it, cite."""
    entries = [
        block
        for one in sections
        for block in one.blocks
        if _is_entry(block, names) or says_any(one.title, names)
    ]
    return frozenset(label for block in entries for label in CITED_PATTERN.findall(block.text))


def _is_entry(block: Block, names: frozenset[str]) -> bool:
    if not any(ENTRY_PATTERN.fullmatch(anchor) for anchor in block.anchors):
        return False
    head = block.text.partition(" (")[0] if "- K" in block.text else block.text.partition(":")[0]
    return says_any(head, names)


def says_any(text: str, names: frozenset[str]) -> bool:
    """Return whether the text has one of these English names, not within a longer one."""
    if not any(name in text for name in names):  # in most, and a pattern of names is slow
        return False
    return any(match[1] in names for match in _name_pattern(names).finditer(text))


@cache
def _name_pattern(names: frozenset[str]) -> re.Pattern[str]:
    """Return what finds these names, and the longer ones that hold one of them."""
    sets = RULE_SETS.values()
    known = {name for rules in sets for card in rules.cards for name in card.names}
    known |= {tile.name for rules in sets for tile in rules.tiles}
    alike = [one for one in known if any(name in one for name in names)]
    longest_first = sorted(alike, key=len, reverse=True)
    return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})s?(?!\w)")


# -- what a player asks at the table -------------------------------------------------------


def look_up(wanted: str, rules: RuleSet) -> list[str]:
    """Return what the rulebook says of a card, a label or words; nothing if it says nothing."""
    sections = read_rules(rules.name)
    cards = cards_called(wanted, rules)
    if cards:
        return [
            *map(player_rules.describe_card, cards),
            _("What the rulebook says:"),
            *list_rulings(sections, cards),
        ]
    return lines_of_sections(find_sections(sections, wanted))


def lines_of_sections(found: list[Section]) -> list[str]:
    lines: list[str] = []
    for section in found:
        lines += [*([""] if lines else []), section.heading]
        lines += [block.text for block in section.blocks]
    return lines
