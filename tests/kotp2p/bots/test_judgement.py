"""Corners of what bots think of a position, which few games come to."""

from __future__ import annotations

import pytest

from kotp2p.bots import Noise, choose
from kotp2p.bots.normal import _changes_something
from kotp2p.bots.rolls import heart_uses
from kotp2p.bots.worth import VICTORY_WORTH, _first_values, outlook, position_worth
from referee.box.rulesets import SECOND
from referee.model.answers import Buy, Done, Face, Hearts, Reroll, Stop, Use
from referee.model.decisions import Chance, ChanceKind, Draw
from referee.model.dice_decisions import ChangeDecision, HeartsDecision
from tests.support.referee_table import CITY, Played, Sits, go_to_buying, seated

WISE = Noise(b"")


def test_cards_of_an_outlook_are_drawn_from_each_pile_once() -> None:
    draws = (Draw(5, 0), Draw(5, 0), Draw(4, 1), Draw(5, 0))
    chance = Chance(ChanceKind.CARDS, draws, None, (tuple(range(5)), tuple(range(5, 9))))
    assert _first_values(chance) == (0, 1, 0, 2)
    assert _first_values(Chance(ChanceKind.DICE, (Draw(6), Draw(6)))) == (0, 0)


def test_hearts_are_of_use_outside_tokyo_and_not_to_a_zombie() -> None:
    game = seated(SECOND, Sits(hearts=8, poison=1), Sits(CITY, hearts=8)).game
    assert [use for use, _ in heart_uses(game, 0)].count("heal") == 2
    assert heart_uses(game, 1) == []
    game.state.monsters[0].zombie = True
    assert heart_uses(game, 0) == []


def test_no_more_hearts_are_spent_than_were_rolled() -> None:
    play = seated(SECOND, Sits(hearts=8, poison=1), Sits(CITY), market=("jets",))
    play.roll("H11223")
    play.default_until("hearts")
    decision = play.decision
    assert isinstance(decision, HeartsDecision)
    answer = choose("normal", play.game, 0, decision, WISE, None)
    assert (decision.hearts, decision.heal, decision.poison) == (1, 1, 1)
    assert answer == Hearts(poison=1), "what is worth most"


@pytest.mark.parametrize("points", [0, 15, 20])
def test_a_rival_that_is_out_counts_for_nothing(points: int) -> None:
    there = seated(SECOND, Sits(), Sits(CITY), Sits())
    worth = []
    for of_the_dead in (0, points):
        state = there.state.copy()
        rival = state.monsters[2]
        rival.alive, rival.points, rival.energy = False, of_the_dead, of_the_dead
        worth.append(position_worth(Played(there.game.setup, state).game, 0))
    assert worth[0] == worth[1]


def test_no_energy_is_paid_for_another_roll_of_dice_that_are_good() -> None:
    play = seated(SECOND, Sits(energy=3, cards=("energy-drink",)), Sits(CITY), market=("jets",))
    play.roll("333331")
    for face in "13":
        play.say(0, Reroll((5,)))
        play.roll(face)
    assert choose("normal", play.game, 0, play.decision, WISE, None) == Stop()


def test_points_that_win_are_worth_more_than_any_others() -> None:
    there = seated(SECOND, Sits(points=19), Sits(CITY), Sits(points=19))
    worth = position_worth(there.game, 0)
    state = there.state.copy()
    state.monsters[0].points = 20
    assert position_worth(Played(there.game.setup, state).game, 0) > worth + VICTORY_WORTH / 4


def test_an_outlook_goes_on_by_defaults_until_the_turn_or_chance_goes_on() -> None:
    """A bought Mimic is worth what it copies, which is asked next."""
    play = seated(
        SECOND, Sits(energy=8), Sits(CITY, cards=("extra-head", "jets")), Sits(), market=("mimic",)
    )
    go_to_buying(play)
    foreseen = outlook(play.game, Buy(play.item("mimic")), 0)
    play.say(0, Buy(play.item("mimic")))
    assert play.asks == (0, "copy")
    before = position_worth(play.game, 0)
    play.say(0, play.decision.default)
    assert foreseen == position_worth(play.game, 0) != before


def test_no_die_is_turned_to_its_own_face_and_of_equal_dice_only_the_first() -> None:
    dice = (Face.ONE, Face.ONE, Face.CLAW)
    decision = ChangeDecision(0, dice, uses=())
    assert not _changes_something(Use(7, die=0, face=Face.ONE), decision)
    assert _changes_something(Use(7, die=0, face=Face.CLAW), decision)
    assert not _changes_something(Use(7, die=1, face=Face.CLAW), decision)
    assert _changes_something(Use(7, die=2, face=Face.ONE), decision)
    assert _changes_something(Done(), decision)
