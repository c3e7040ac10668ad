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


@pytest.mark.parametrize(("wanted", "plays"), [(True, True), (False, False), (None, False)])
def test_only_who_wants_another_game_plays_it(wanted: bool | None, plays: bool) -> None:
    played = Played(0, Ending(EndKind.FINISHED, view=table()), wants_another=wanted)
    assert play.is_rematch_wanted(played) is plays


def test_after_a_signal_there_is_no_other_game() -> None:
    assert not play.is_rematch_wanted(Played(130, None, wants_another=True))


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
    ending = Ending(EndKind.FINISHED, view=table())
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
