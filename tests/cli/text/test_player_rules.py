"""The rules for players: a page that fits, topics, and what `rules WORD` answers at a table."""

import pytest

from kotp2p.cli.extras.book import rulebook
from kotp2p.cli.text import player_rules
from kotp2p.cli.ui.screen.theme import fold_lines
from kotp2p.referee.box.rulesets import CLASSIC, DARK, RULE_SETS, SECOND, Options, RuleSet

PAGE = (78, 16)
"""Columns and rows of a page at 80x24."""


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=lambda rules: rules.name)
def test_the_first_page_fits_a_small_window_with_room_for_the_coach(rules: RuleSet) -> None:
    assert len(fold_lines(player_rules.first_page(rules), PAGE[0])) <= PAGE[1] - 1


def test_the_first_page_says_what_tokyo_gives_with_the_options_of_the_table() -> None:
    def page(options: Options) -> str:
        return " ".join(player_rules.answer_rules("rules", SECOND, options) or [])

    usual = page(Options())
    assert "room for one monster, or for two while five or six are alive." in usual
    assert "That is 1 point, and 2 whenever your turn begins there." in usual
    two = page(Options(two_player=True))
    assert "room for one monster. If there is room" in two
    assert "That is 1 energy, and 1 more whenever your turn begins there." in two
    assert "1 point, and 2" not in two
    beginners = page(Options(bay_for_beginners=True))
    assert "or for two" not in beginners
    assert "That is 1 point, and 2 whenever" in beginners


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=lambda rules: rules.name)
def test_each_topic_fits_on_a_page_and_names_a_section_that_exists(rules: RuleSet) -> None:
    sections = rulebook.read_rules(rules.name)
    for topic in player_rules.TOPICS:
        if player_rules.find_topic(topic.words[0], rules) is None:
            continue
        lines = player_rules.answer_rules(f"rules {topic.words[0]}", rules)
        assert lines is not None
        assert lines[: len(lines) - 1] == player_rules.describe_topic(topic, rules)
        assert len(fold_lines(lines, PAGE[0])) <= PAGE[1]
        assert rulebook.find_sections(sections, topic.section), topic.section


def test_no_word_means_two_topics() -> None:
    words = [word for topic in player_rules.TOPICS for word in topic.words]
    assert len(words) == len(set(words))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("rules win", "You win with 20 points"),
        ("RULES  Goal", "You win with 20 points"),
        ("rules tokyo", "1 point for entering"),
        ("rules yield", "stay or leave?"),
        ("rules poison", "you lose a heart"),
        ("rules A-35", "An Opportunist is offered"),
        ("rules 3.9", "With fewer than five alive"),
        ("rules wings", "Wings, 6 energy"),
        ("rules rolin", "No topic of the rules is called rolin."),
    ],
)
def test_a_word_is_answered_for_players_first(line: str, told: str) -> None:
    lines = player_rules.answer_rules(line, SECOND)
    assert lines is not None
    assert told in " ".join(lines)


def test_the_answer_is_that_of_the_rules_at_the_table() -> None:
    assert "If there is room and you have rolled a claw" in " ".join(
        player_rules.first_page(CLASSIC)
    )
    assert "room after your dice, you go in" in " ".join(player_rules.first_page(SECOND))
    assert "three 1s also raise your wickedness" in " ".join(
        player_rules.answer_rules("rules tiles", DARK) or []
    )
    assert "wickedness" not in " ".join(player_rules.answer_rules("rules", SECOND) or [])
    assert "wickedness" in (player_rules.answer_rules("rules", DARK) or [])[-1]


def test_no_other_line_asks_for_the_rules() -> None:
    assert player_rules.answer_rules("ruler", SECOND) is None
    assert player_rules.answer_rules("", SECOND) is None
    assert player_rules.answer_rules("win", SECOND) is None
