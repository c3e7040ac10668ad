"""The rules for people: the page of players, the rulebook with its rulings, and questions.

Scope: docs/RULES.md as it is shipped, and a page of our own in the reader's language.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from kotp2p.cli.text import card_words
from kotp2p.cli.text.card_words import CardOrTile, all_names, cards_and_tiles, fold_words
from kotp2p.cli.text.card_words import printed_in_english as english_names
from kotp2p.cli.text.i18n import N_, _, ascii_digits, list_with_commas, list_with_or
from kotp2p.cli.text.typed_words import TOPICS_OF_RULES, own_command, own_word, words_in_english
from kotp2p.referee.box.rulesets import RULE_SETS, Options, RuleSet

# -- the rulebook as sections of plain lines -----------------------------------------------
#
# docs/RULES.md is the one text of the rules; `cli/rules.md` is a link to it, which becomes a copy
# in a wheel. Only the Markdown that this text uses is understood. A block is what a reader sees as
# one thing: a paragraph, an item of a list, a row of a table. For one rule set, blocks and
# sentences that are marked as being about others are left out.


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
"""The beginning of a sentence about some rule sets only."""
TITLE_SCOPE_PATTERN = re.compile(r"\((classic|second|dark)\)$")
LABEL_PATTERN = re.compile(r"^((?:[AD]-\d{2,3}(?:, )?)+) ")
OTHER_SPELLINGS = dict.fromkeys(("neighbor", "neighbors", "neighbours"), "neighbour")
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
    """Return all sections but the title of the document; of one rule set, or whole."""
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
    """Return `first: second`, or each cell after the name of its column."""
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
    text = re.sub(r"<!--.*?-->", "", ANCHOR_PATTERN.sub("", text))
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\*\*(.+?)\*\*", r"\1", text)
    text = re.sub(r"(?<![\w*])\*(\S(?:.*?\S)?)\*(?![\w*])", r"\1", text)
    return text.replace("`", "")


def find_sections(sections: list[Section], topic: str) -> list[Section]:
    """Find sections by number, or by the beginnings of words of the title.

    A chapter comes with all its sections. A label (`A-35`, `K30`, `3.7.4`) finds its own entry.
    """
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
    """Return the passages with these words in the outline and the steps of a turn."""
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
    if names & names_in(section.title):
        return section.blocks
    return [block for block in section.blocks if names & names_in(block.text)]


def _labels_in_entries(sections: Sequence[Section], names: frozenset[str]) -> frozenset[str]:
    """Return the labels that the entries of the card, or a section about it, cite."""
    entries = [
        block
        for one in sections
        for block in one.blocks
        if _is_entry(block, names) or names & names_in(one.title)
    ]
    return frozenset(label for block in entries for label in CITED_PATTERN.findall(block.text))


def _is_entry(block: Block, names: frozenset[str]) -> bool:
    if not any(ENTRY_PATTERN.fullmatch(anchor) for anchor in block.anchors):
        return False
    head = block.text.partition(" (")[0] if "- K" in block.text else block.text.partition(":")[0]
    return bool(names & names_in(head))


def names_in(text: str) -> frozenset[str]:
    """Return the English names of cards and tiles in the text, none within a longer one."""
    known = _name_pattern()
    return frozenset(match[1] for match in known.finditer(text))


@cache
def _name_pattern() -> re.Pattern[str]:
    cards = [card for rules in RULE_SETS.values() for card in cards_and_tiles(rules)]
    names = sorted({name for card in cards for name in english_names(card)}, key=len, reverse=True)
    return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, names))})s?(?!\w)")


# -- player rules --------------------------------------------------------------------------


RULES_WORD = "rules"
DEFAULT_OPTIONS = Options()


@dataclass(frozen=True, slots=True)
class Topic:
    words: tuple[str, ...]
    title: str
    lines: tuple[str, ...]
    section: str


def first_page(rules: RuleSet, options: Options = DEFAULT_OPTIONS) -> list[str]:
    """Return all that a first game needs, in about twelve rows of 78 columns."""
    return [
        _("The aim: {goal} points at the end of a turn, or to be the last monster alive.",
          goal=rules.goal),
        _("Your turn: roll {dice} dice, keep what you like, and roll the others again, up to "
          "{again} times. Then they count:", dice=rules.dice, again=rules.rolls - 1),
        *_describe_faces(rules),
        " ".join([
            _describe_room(options),
            _describe_going_in(rules),
            _("That is 1 energy, and 1 more whenever your turn begins there.")
            if options.two_player
            else _("That is 1 point, and 2 whenever your turn begins there."),
            _("But the claws of all others hit you there, and your dice do not heal you. When you "
              "are hit you may leave; then the monster that hit you goes in."),
        ]),
        _("Enter on an empty line shows what a sound player would do, and Enter again does it. "
          "Type ? for help, rules for more."),
    ]  # fmt: skip


def _describe_faces(rules: RuleSet) -> list[str]:
    return [
        _("- Three 1s: 1 point; three 2s: 2; three 3s: 3. One more of them: 1 point more."),
        _("- A heart heals you by 1, up to {most}, unless you are in Tokyo.", most=rules.hearts),
        _("- Energy is kept; with it you buy cards at the end of your turn."),
        _("- A claw takes a heart from each monster in Tokyo; in Tokyo, from all others."),
    ]  # fmt: skip


def _describe_room(options: Options) -> str:
    if options.two_player or options.bay_for_beginners:
        return _("Tokyo has room for one monster.")
    return _("Tokyo has room for one monster, or for two while five or six are alive.")


def _describe_going_in(rules: RuleSet) -> str:
    if rules.entering_takes_a_claw:
        return _("If there is room and you have rolled a claw, you go in.")
    return _("If there is room after your dice, you go in.")


def describe_topic(topic: Topic, rules: RuleSet) -> list[str]:
    fields = {
        "goal": rules.goal, "most": rules.points_on_dial, "dice": rules.dice,
        "again": rules.rolls - 1, "rolls": rules.rolls, "hearts": rules.hearts,
    }  # fmt: skip
    lines = [_(line, **fields) for line in topic.lines]
    if topic.words[0] == "dice":
        lines += _describe_faces(rules)
    elif topic.words[0] == "tokyo":
        lines.insert(0, f"{_describe_room(DEFAULT_OPTIONS)} {_describe_going_in(rules)}")
    return [_(topic.title), *lines]


def list_topics(rules: RuleSet, command: str = "") -> str:
    words = [
        own_word(topic.words[0], TOPICS_OF_RULES)
        for topic in TOPICS
        if topic is not WICKEDNESS or rules.tiles
    ]
    return _("{command} WORD explains one of these: {words}.",
             command=command or own_command(RULES_WORD), words=list_with_commas(words))  # fmt: skip


def find_topic(text: str, rules: RuleSet | None = None) -> Topic | None:
    word = words_in_english(" ".join(text.lower().split()), TOPICS_OF_RULES)
    topic = _BY_WORD.get(word)
    if topic is WICKEDNESS and rules is not None and not rules.tiles:
        return None
    return topic


# -- the answers -----------------------------------------------------------------------------


def topic_of(words: tuple[str, ...], title: str, section: str, *lines: str) -> Topic:
    return Topic(words, title, lines, section)


WICKEDNESS = topic_of(
    ("wickedness", "wicked", "tile", "tiles", "track"),
    N_("Wickedness"),
    "2",
    N_("In the dark rules three 1s also raise your wickedness by 2, and three 2s by 1."),
    N_(
        "At 3, 6 and 10 you take one of the tiles that lie there. It works from now on; tiles "
        "shows what they do."
    ),
)
TOPICS = (
    topic_of(
        ("win", "winning", "winner", "aim", "goal", "goals", "victory", "end", "tie", "draw"),
        N_("How you win"), "3.13",
        N_("You win with {goal} points, if you are alive when the turn is over."),
        N_("You also win if you are the last monster alive, whatever your points are."),
        N_("Several monsters with {goal} points win together. If all are out, nobody wins."),
        N_("More points than {most} are not counted."),
    ),
    topic_of(
        ("turn", "turns", "round", "steps", "play"),
        N_("Your turn"), "3",
        N_("1. Roll {dice} dice. Up to {again} times you may roll any of them again."),
        N_("2. The dice count: numbers are points, hearts heal, energy is kept, claws hit."),
        N_("3. A monster that is hit in Tokyo stays or leaves. If Tokyo has room, you go in."),
        N_("4. Buy as many cards as you can pay for."),
        N_("5. If nobody has won by now, it is the turn of the next monster."),
    ),
    topic_of(
        ("dice", "die", "roll", "rolls", "rolling", "reroll", "rerolls", "face", "faces"),
        N_("Dice"), "3.3",
        N_("You have {dice} dice. On each are 1, 2, 3, a heart, energy and a claw."),
        N_("After a roll, type the faces that you keep; all others are rolled again. 33c keeps two "
           "3s and a claw, H keeps all hearts, 0 rolls all, d stops."),
        N_("You roll {rolls} times at most. A die that you have kept may be rolled again later."),
    ),
    topic_of(
        ("points", "point", "score", "scoring", "stars", "number", "numbers", "triple"),
        N_("Points"), "3.6",
        N_("Dice: three 1s are 1 point, three 2s are 2 points, three 3s are 3 points. Each further "
           "die of the same number is 1 point more: four 3s are 4 points."),
        N_("One or two dice of a number are worth nothing."),
        N_("Tokyo: entering is 1 point, beginning your turn there 2 points. With two players these "
           "may be energy instead; the lobby tells."),
        N_("Some cards give points, too. {goal} points win."),
    ),
    topic_of(
        ("hearts", "heart", "heal", "heals", "healing", "health", "life", "lives", "h"),
        N_("Hearts"), "3.6",
        N_("You begin with {hearts} hearts, and have {hearts} at most; only cards raise that."),
        N_("Each heart among your dice heals you by 1. In Tokyo dice heal nobody; cards still do."),
        N_("With no hearts left your monster is out of the game."),
    ),
    topic_of(
        ("energy", "bolt", "bolts", "lightning", "e"),
        N_("What energy is for"), "3.6",
        N_("Each energy among your dice is 1 energy. You keep it until you spend it."),
        N_("It pays for cards at the end of your turn, for new cards in the shop (2 energy), and "
           "for what some of your cards do."),
        N_("It is worth nothing at the end of the game."),
    ),
    topic_of(
        ("claws", "claw", "attack", "attacks", "attacking", "hit", "hits", "damage", "fight", "c"),
        N_("Claws"), "3.7",
        N_("Outside Tokyo, your claws hit each monster in Tokyo. In Tokyo, they hit all monsters "
           "outside. You never choose whom."),
        N_("Each monster that is hit loses as many hearts as you have claws."),
        N_("A monster that you have hit in Tokyo may leave it. Then you take its place."),
        N_("If nobody is in Tokyo, claws from outside hit nobody."),
    ),
    topic_of(
        ("tokyo", "city", "bay", "enter", "entering"),
        N_("Tokyo"), "3.8",
        N_("You do not choose whether to go in."),
        N_("It is good: 1 point for entering, 2 whenever your turn begins there, and your claws "
           "hit all the others."),
        N_("It is dangerous: the claws of all the others hit you, and your dice do not heal you."),
        N_("You get out only when you are hit: then you are asked whether you stay or leave."),
        N_("The second place is Tokyo Bay. Monsters in Tokyo do not hit each other."),
    ),
    topic_of(
        ("leave", "leaving", "yield", "yields", "yielding", "stay", "staying"),
        N_("Staying in Tokyo or leaving it"), "3.7.6",
        N_("When claws hit you in Tokyo and you live, you are asked: stay or leave?"),
        N_("You lose the hearts in either case. If you leave, the monster that hit you goes in and "
           "has its point; you can be healed by dice again, and hit only from Tokyo."),
        N_("If you stay, you get 2 points when your next turn begins, if you live that long."),
    ),
    topic_of(
        ("cards", "card", "buy", "buys", "buying", "shop", "power", "powers", "price",
         "prices", "keep", "once", "discard", "sweep"),
        N_("Cards"), "3.10",
        N_("Three cards are for sale, with their prices in energy. You buy at the end of your "
           "turn, as often as you can pay; a card that is sold is replaced at once."),
        N_("A card marked keep stays with you and works from now on. A card marked once does what "
           "it says and is gone."),
        N_("For 2 energy all three are put away, and three new ones come."),
        N_("shop shows the texts of those for sale, card NAME that of any card."),
    ),
    topic_of(
        ("out", "dead", "death", "dies", "dying", "killed", "eliminated", "elimination",
         "lose", "losing"),
        N_("Out of the game"), "3.7.5",
        N_("A monster without hearts is out: its cards are gone, and its place in Tokyo is free."),
        N_("Its player may watch until the end. The last monster alive wins."),
    ),
    topic_of(
        ("tokens", "token", "poison", "shrink"),
        N_("Tokens"), "3.12",
        N_(
            "Cards of others may give you tokens. Poison: at the end of your turn you lose a heart "
            "for each. Shrink: you roll one die fewer for each."
        ),
        N_("Outside Tokyo, a heart among your dice may take a token away instead of healing."),
    ),
    WICKEDNESS,
)  # fmt: skip
_BY_WORD = {word: topic for topic in TOPICS for word in topic.words}


# -- rules query ---------------------------------------------------------------------------


def answer_rules(line: str, rules: RuleSet, options: Options = DEFAULT_OPTIONS) -> list[str] | None:
    """Return the answer to a query about rules, or None for any other line."""
    word, *rest = ascii_digits(line).split() or [""]
    if word.lower() != RULES_WORD:
        return None
    wanted = " ".join(rest)
    if not wanted:
        return [*first_page(rules, options), list_topics(rules)]
    topic = find_topic(wanted, rules)
    if topic is not None:
        more = _("Every fine point: rules {section}", section=topic.section)
        return [*describe_topic(topic, rules), more]
    sections = read_rules(rules.name)
    cards = cards_called(wanted, rules)
    if cards:
        return [
            *map(card_words.describe_card, cards),
            _("What the rulebook says:"),
            *list_rulings(sections, cards),
        ]
    found = find_sections(sections, wanted)
    if found:
        return lines_of_sections(found)
    return [*explain_no_topic(sections, wanted), list_topics(rules)]


def lines_of_sections(found: list[Section]) -> list[str]:
    lines: list[str] = []
    for section in found:
        lines += [*([""] if lines else []), section.heading]
        lines += [block.text for block in section.blocks]
    return lines


def explain_no_topic(sections: list[Section], wanted: str) -> list[str]:
    lines = [_("No topic of the rules is called {topic}.", topic=wanted)]
    alike = similar_headings(sections, wanted)
    if alike:
        lines.append(_("Near: {names}.", names=list_with_or(alike)))
    return lines


def similar_headings(sections: list[Section], topic: str) -> list[str]:
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
