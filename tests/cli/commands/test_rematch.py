"""Another game with the same people: asked after an end, and only then."""

from dataclasses import replace

import pytest

from kotp2p.cli.commands import play
from kotp2p.cli.commands.one_game import Played
from kotp2p.cli.commands.person import Person, same_table
from kotp2p.cli.ui.player_commands import was_solo
from kotp2p.referee.box.rulesets import RULE_SETS, RuleSet
from kotp2p.seams.endings import Ending, EndKind
from tests.support.laid_decisions import table


def finished() -> Ending:
    view = table()
    view.players = tuple(replace(p, automatic=False, keeper=n) for n, p in enumerate(view.players))
    return Ending(EndKind.FINISHED, view=view)


@pytest.mark.parametrize(
    ("line", "plays"), [("y", True), (" YES ", True), ("", False), ("n", False), ("quit", False)]
)
def test_only_y_plays_it(line: str, plays: bool) -> None:
    asked: list[str] = []

    def ask(sentence: str) -> str:
        asked.append(sentence)
        return line

    assert play.is_rematch_wanted(Played(0, finished()), ask) is plays
    assert asked == ["Another game with the same people? y plays it, n ends."]


@pytest.mark.parametrize("last", ["y", "n"])
def test_any_other_line_is_refused_and_asked_again(last: str) -> None:
    lines = ["maybe", "\x1bOP\x1b[y", "again", last]
    asked: list[str] = []

    def ask(sentence: str) -> str:
        asked.append(sentence)
        return lines.pop(0)

    assert play.is_rematch_wanted(Played(0, finished()), ask) is (last == "y")
    assert not lines
    question, *again = asked
    assert again == [f"That is neither y nor n.\n{question}"] * 3


def test_against_bots_alone_the_question_speaks_of_bots() -> None:
    ending = finished()
    assert ending.view is not None
    ending.view.players = tuple(
        replace(p, automatic=n > 0, keeper=0) for n, p in enumerate(ending.view.players)
    )
    asked: list[str] = []

    def ask(sentence: str) -> str:
        asked.append(sentence)
        return ""

    assert not play.is_rematch_wanted(Played(0, ending), ask)
    assert asked == ["Another game against the same bots? y plays it, n ends."]


@pytest.mark.parametrize("kind", [k for k in EndKind if k is not EndKind.FINISHED])
def test_nobody_is_asked_after_anything_else(kind: EndKind) -> None:
    def ask(sentence: str) -> str:
        raise AssertionError

    assert not play.is_rematch_wanted(Played(0, Ending(kind, view=table())), ask)
    assert not play.is_rematch_wanted(Played(130, None), ask)


@pytest.mark.parametrize("wanted", [True, False])
def test_nobody_is_asked_again_who_was_asked_on_the_page_of_the_end(wanted: bool) -> None:
    def ask(sentence: str) -> str:
        raise AssertionError

    assert play.is_rematch_wanted(Played(0, finished(), wants_another=wanted), ask) is wanted


def test_a_closed_terminal_is_a_no() -> None:
    def ask(sentence: str) -> str:
        raise EOFError

    assert not play.is_rematch_wanted(Played(0, finished()), ask)


def test_a_lone_player_goes_straight_on() -> None:
    view = table()
    view.players = tuple(replace(p, automatic=False, keeper=n) for n, p in enumerate(view.players))
    ending = Ending(EndKind.FINISHED, view=view)
    assert not was_solo(ending)
    view.players = tuple(replace(p, automatic=n > 0, keeper=0) for n, p in enumerate(view.players))
    assert was_solo(ending)
    assert not was_solo(Ending(EndKind.NO_GAME))


def test_one_plays_on_under_the_name_and_as_the_monster_of_the_game_before() -> None:
    person = Person("Somebody", None, None, None, "default", False)
    ending = finished()
    assert ending.view is not None
    me = ending.view.players[ending.view.seat]
    same = play.keep_person(person, ending)
    assert (same.name, same.monster) == (me.name, me.monster)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=lambda rules: rules.name)
def test_it_is_the_same_table_once_more(rules: RuleSet) -> None:
    view = table(2, rules=rules)
    found = same_table(Ending(EndKind.FINISHED, view=view))
    assert (found.rules, found.players, found.bots) == (rules.name, 2, 1)
    assert found.options == view.game.setup.options
