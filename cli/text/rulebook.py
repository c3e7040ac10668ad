"""The rulebook as sections of plain lines.

Scope: docs/RULES.md is the one text of the rules; `cli/rules.md` is a link to it, which becomes a
copy in a wheel. Only the Markdown that this text uses is understood. A block is what a reader
sees as one thing: a paragraph, an item of a list, a row of a table. For one rule set, blocks and
sentences that are marked as being about others are left out.
Not here: the command `kotp2p rules` (`cli.commands.rules`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

RULES_FILE = Path(__file__).parent.parent / "rules.md"

OUTLINE_TITLE = "For players"
TURN_CHAPTER = "3."
"""Where a player looks: the outline, and the steps of a turn."""

ANCHOR_PATTERN = re.compile(r'<a id="([^"]+)"></a>')
HEADING_PATTERN = re.compile(r"(#+) (?:(\d+(?:\.\d+)?)\.? )?(.+)")
ITEM_PATTERN = re.compile(r"( *)(\*|\d+\.) (.+)")
SCOPE_PATTERN = re.compile(
    r"((?:classic|second|dark)(?:(?:, | and )(?:classic|second|dark))*):", re.I
)
"""What a sentence begins with that is about some rule sets only."""
TITLE_SCOPE_PATTERN = re.compile(r"\((classic|second|dark)\)$")
LABEL_PATTERN = re.compile(r"^((?:[AD]-\d{2,3}(?:, )?)+) ")
OTHER_SPELLINGS = dict.fromkeys(("neighbor", "neighbors", "neighbours"), "neighbour")
"""Words that the rulebook spells in one way."""
SAME_AS_PATTERN = re.compile(r"as (classic|second|dark)")


@dataclass(frozen=True, slots=True)
class Block:
    text: str
    anchors: frozenset[str] = frozenset()


@dataclass(slots=True)
class Section:
    level: int
    number: str
    title: str
    blocks: list[Block] = field(default_factory=list)

    @property
    def heading(self) -> str:
        return f"{self.number} {self.title}".strip()


def read_rules(rules: str | None = None) -> list[Section]:
    return parse_rules(RULES_FILE.read_text(encoding="utf-8"), rules)


def parse_rules(text: str, rules: str | None = None) -> list[Section]:
    """All sections but the title of the document; of one rule set, or whole."""
    sections: list[Section] = []
    for kind, lines in _pieces(text.splitlines()):
        if kind == "heading":
            sections.append(_section(lines[0]))
        elif not sections:
            continue
        elif kind == "table":
            sections[-1].blocks += _table(lines, rules)
        else:
            sections[-1].blocks += _prose(lines, rules)
    others = [one for one in sections if not _concerns(one, rules)]
    left_out = [id(part) for one in others for part in _with_parts(sections, one)]
    return [one for one in sections if one.level > 1 and id(one) not in left_out]


def _pieces(lines: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Heading, table or prose (a paragraph or one item), with its lines."""
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
    return Section(len(found[1]), found[2] or "", found[3])


def _concerns(section: Section, rules: str | None) -> bool:
    found = TITLE_SCOPE_PATTERN.search(section.title)
    return found is None or rules in (None, found[1])


def _prose(lines: list[str], rules: str | None) -> Iterator[Block]:
    item = ITEM_PATTERN.match(lines[0])
    indent = ""
    if item:
        indent = item[1] + ("- " if item[2] == "*" else f"{item[2]} ")
        lines = [item[3], *lines[1:]]
    kept = [line.strip() for line in lines if _meant(strip_markup(line), rules)]
    if kept:
        whole = " ".join(kept)
        text = strip_markup(re.sub(r" \*([^*]+)\*$", r" (\1)", whole))
        yield Block(indent + text, frozenset(ANCHOR_PATTERN.findall(whole)))


def _meant(sentence: str, rules: str | None) -> bool:
    found = SCOPE_PATTERN.match(LABEL_PATTERN.sub("", sentence.strip()))
    return rules is None or found is None or rules in found[1].lower()


def _table(lines: list[str], rules: str | None) -> Iterator[Block]:
    names = _cells(lines[0])
    for line in lines[2:]:
        text = _row(names, [strip_markup(cell) for cell in _cells(line)], rules)
        if text:
            yield Block("- " + text, frozenset(ANCHOR_PATTERN.findall(line)))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _row(names: list[str], cells: list[str], rules: str | None) -> str:
    """`first: second`, or each cell behind the name of its column."""
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
    """Without anchors, links and emphasis."""
    text = re.sub(r"<!--.*?-->", "", ANCHOR_PATTERN.sub("", text))
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\*\*(.+?)\*\*", r"\1", text)
    text = re.sub(r"(?<![\w*])\*(\S(?:.*?\S)?)\*(?![\w*])", r"\1", text)
    return text.replace("`", "")


def find_sections(sections: list[Section], topic: str) -> list[Section]:
    """By number, or by the beginnings of words of the title; a chapter comes with all its
    sections. A label (`A-35`, `K30`, `3.7.4`) finds its own entry."""
    wanted = topic.strip().rstrip(".").lower()
    words = [OTHER_SPELLINGS.get(word, word) for word in re.findall(r"\w+", wanted)]
    named = [one for one in sections if wanted == one.number]
    named = named or [one for one in sections if words and _titled(one, words)]
    found: list[Section] = []
    for one in named:
        found += [part for part in _with_parts(sections, one) if part not in found]
    return found or _entries(sections, wanted) or _passages(sections, words)


def _titled(section: Section, words: list[str]) -> bool:
    title = re.findall(r"\w+", section.title.lower())
    return all(any(part.startswith(word) for part in title) for word in words)


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
    """No title names it: what the rulebook says about it, from the outline for players and from
    the steps of a turn, each passage under its heading."""
    found = []
    for one in sections:
        if one.title == OUTLINE_TITLE or one.number.startswith(TURN_CHAPTER):
            blocks = [block for block in one.blocks if words and _speaks_of(block, words)]
            if blocks:
                found.append(Section(one.level, one.number, one.title, blocks))
    return found


def _speaks_of(block: Block, words: list[str]) -> bool:
    said = re.findall(r"\w+", block.text.lower())
    return all(any(part.startswith(word) for part in said) for word in words)


def sections_mentioning(sections: list[Section], topic: str) -> list[Section]:
    """Where it is written about, the most often first."""
    wanted = topic.strip().lower()
    counted = [(sum(b.text.lower().count(wanted) for b in one.blocks), one) for one in sections]
    return [one for n, one in sorted(counted, key=lambda pair: -pair[0]) if n and wanted]
