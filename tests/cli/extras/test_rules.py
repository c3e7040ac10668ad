"""`kotp2p rules`: the rulebook by topic, from wherever it is installed."""

import re
from functools import partial

import pytest

from kotp2p.cli.extras.book import rulebook
from kotp2p.cli.text.player_rules import all_names, cards_and_tiles
from kotp2p.referee.box.rulesets import RULE_SETS
from tests.support.command_line import run
from tests.support.paths import ROOT

rules = partial(run, "rules")

BOOK = """\
# The book

Before all.

## For players

**The aim.**
Live. Classic: it may hurt.

1. **Roll** six,
   and again.
   * A *heart* heals.
2. **Stop.**

| | classic | second | dark |
|---|---|---|---|
| Bay | shut | open | as second |
| wickedness | | | it moves |

## <a id="2"></a>2. Wickedness (dark)

### <a id="2.1"></a>2.1 The track

Ten steps.

## <a id="3"></a>3. Rulings

* <a id="A-01"></a>**A-01** Second and dark: [A-02](#A-02) holds. *BGA, own*
* <a id="A-02"></a>**A-02** Nobody alive: nobody wins.
"""


def shown(rule_set: str | None = None) -> list[str]:
    return [
        line
        for section in rulebook.parse_rules(BOOK, rule_set)
        for line in [section.heading, *(block.text for block in section.blocks)]
    ]


def test_the_book_becomes_plain_lines() -> None:
    assert shown() == [
        "For players",
        "The aim. Live. Classic: it may hurt.",
        "1. Roll six, and again.",
        "   - A heart heals.",
        "2. Stop.",
        "- Bay: classic shut; second open; dark as second",
        "- wickedness: dark it moves",
        "2 Wickedness (dark)",
        "2.1 The track",
        "Ten steps.",
        "3 Rulings",
        "- A-01 Second and dark: A-02 holds. (BGA, own)",
        "- A-02 Nobody alive: nobody wins.",
    ]


def test_a_rule_set_leaves_out_what_is_about_others() -> None:
    classic, dark = shown("classic"), shown("dark")
    assert "- Bay: shut" in classic
    assert "- Bay: open" in dark
    assert not any("track" in line or "A-01" in line for line in classic)
    assert "- A-02 Nobody alive: nobody wins." in classic
    assert "- wickedness: it moves" in dark
    assert not any("wickedness" in line for line in classic)
    assert any("A-01" in line for line in dark)


def test_emphasis_is_not_taken_for_a_product() -> None:
    assert rulebook.strip_markup("2 * 3 * 4, `code`, *so*, **so**") == "2 * 3 * 4, code, so, so"


def test_what_is_installed_is_the_one_rulebook() -> None:
    book = ROOT / "docs" / "RULES.md"
    assert rulebook.RULES_FILE.read_text(encoding="utf-8") == book.read_text(encoding="utf-8")
    packaging = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert re.search(rf'^"kotp2p\.cli" = .*"{rulebook.RULES_FILE.name}"', packaging, re.MULTILINE)


@pytest.mark.parametrize("rule_set", [None, "classic", "second", "dark"])
def test_no_mark_of_the_document_is_left(rule_set: str | None) -> None:
    sections = rulebook.read_rules(rule_set)
    assert len(sections) > 30
    for section in sections:
        assert section.blocks or section.level == 2, section.heading
        for text in [section.heading, *(block.text for block in section.blocks)]:
            assert not re.search(r"<a |</|\*\*|\]\(|<!--|\||`|\n", text), text


def test_without_a_topic_the_page_of_players_comes_first() -> None:
    code, out, err = rules()
    assert code == 0
    assert out.splitlines()[0] == "Rule set: second"
    assert out.splitlines()[1].startswith("The aim: 20 points")
    assert "A-01" not in out
    assert "kotp2p rules WORD explains one of these: win, turn, dice" in err
    assert "kotp2p rules rulings" in err
    assert "kotp2p rules --rules classic" in err
    assert "kotp2p rules --rules dark" in err
    _code, out, err = rules("--rules", "classic")
    assert out.splitlines()[0] == "Rule set: classic"
    assert "rolled a claw, you go in" in out
    assert "kotp2p rules --rules second" in err


def test_a_word_of_players_is_answered_for_players() -> None:
    code, out, err = rules("win")
    assert code == 0
    assert out.splitlines()[0] == "How you win (rule set second)"
    assert out.splitlines()[1].startswith("You win with 20 points")
    assert "A-01" not in out
    assert "kotp2p rules 3.13" in err


def test_the_rulings_list_their_chapters_and_each_is_found_as_it_stands() -> None:
    code, out, err = rules("rulings")
    assert code == 0
    assert "kotp2p rules rulings claws" in err
    topics = [line.strip() for line in out.splitlines()]
    assert "3.7 Claws" in topics
    for topic in topics:
        number = re.match(r"[\d.]+", topic)
        asked = number[0] if number else topic
        code, text, _err = rules("rulings", asked)
        assert code == 0
        assert topic in text.splitlines(), topic


def test_wickedness_is_a_topic_of_dark_only() -> None:
    assert "Wickedness" in rules("--rules", "dark", "rulings")[1]
    assert "Wickedness" not in rules("--rules", "classic", "rulings")[1]
    assert "three 1s also raise" in rules("--rules", "dark", "wickedness")[1]
    assert "three 1s also raise" not in rules("--rules", "classic", "wickedness")[1]
    assert "2 Wickedness (dark)" in rules("--rules", "dark", "rulings", "wickedness")[1]
    assert "2 Wickedness (dark)" not in rules("--rules", "classic", "wickedness")[1]


def test_a_chapter_comes_with_its_sections() -> None:
    _code, out, _err = rules("3")
    assert out.splitlines()[0] == "3 A turn, step by step"
    assert "3.14 Out of turn" in out.splitlines()
    assert "4 Where rulebooks differ" not in out


@pytest.mark.parametrize("label", ["A-35", "a-35", "K30", "3.7.6"])
def test_a_label_finds_its_entry_alone(label: str) -> None:
    out = rules(label).printed()
    assert len(out.splitlines()) == 2
    assert label.upper() in out


def test_what_is_no_topic_is_said_with_what_there_is() -> None:
    assert "What players ask: kotp2p rules." in rules("rolin").refused(8)


def test_what_is_no_topic_but_written_about_is_found_there() -> None:
    out = rules("rulings", "yield").printed()
    assert "3.7 Claws" in out.splitlines()
    headings = {section.heading for section in rulebook.read_rules()}
    told = [line for line in out.splitlines() if line and line not in headings]
    assert told
    assert all("yield" in line.lower() for line in told)
    assert rules("rulings", "victory")[0] == 8
    _code, _out, err = rules("xyzzy")
    assert len(err.splitlines()) == 2


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_every_card_finds_its_rulings(rule_set: str) -> None:
    """By each name of each card and tile: its entry, and every passage that names it."""
    sections = rulebook.read_rules(rule_set)
    blocks = [block for one in sections for block in one.blocks]
    for card in cards_and_tiles(RULE_SETS[rule_set]):
        for name in all_names(card):
            called = rulebook.cards_called(name, RULE_SETS[rule_set])
            assert card.key in [one.key for one in called], name
            found = [b for one in rulebook.find_rulings(sections, called) for b in one.blocks]
            names = frozenset(other for one in called for other in all_names(one))
            assert all(one in found for one in blocks if rulebook.says_any(one.text, names)), name
            assert found, name


def test_a_name_within_a_longer_name_is_another_card() -> None:
    text = "Rooting for the Underdog and Underdog: Heal, Healing Ray, Rapid Healing"
    for name in ("Rooting for the Underdog", "Underdog", "Heal", "Healing Ray", "Rapid Healing"):
        assert rulebook.says_any(text, frozenset({name})), name
    assert not rulebook.says_any(
        "Healing Ray, Full Regeneration", frozenset({"Heal", "Regeneration"})
    )
    assert rulebook.says_any("two Extra Heads heal", frozenset({"Extra Head"}))


def test_the_name_of_a_card_finds_its_rulings_in_the_rulebook() -> None:
    out = rules("mimic").printed()
    for label in ("K26", "A-33", "A-34", "A-85", "A-104", "D-39"):
        assert f"- {label} " in out
    assert "A-48" in rules("fluxling")[1]


@pytest.mark.parametrize("word", ["dying", "dies", "killed", "neighbor", "neighbours"])
def test_what_players_say_is_found(word: str) -> None:
    assert rules(word).printed()


def test_a_ruling_with_a_label_of_three_digits_is_left_out_of_other_rule_sets() -> None:
    assert "A-103 Classic" in rules("--rules", "classic", "rulings", "burrowing")[1]
    assert "A-103 Classic" not in rules("--rules", "dark", "rulings", "burrowing")[1]
