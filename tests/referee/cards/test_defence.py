"""Keep cards that heal, protect or raise the maximum of hearts, beside what the scenarios show."""

import pytest

from kotp2p.referee.box.rulesets import CLASSIC, SECOND, RuleSet
from kotp2p.referee.model.answers import Buy, Hearts, Sell, Stop, Use
from kotp2p.referee.model.decisions import HeartsDecision
from kotp2p.referee.model.events import DamagePrevented
from tests.support.referee_table import CITY, SHOP, Sits, seated, state_after_turn


@pytest.mark.parametrize("rules", [CLASSIC, SECOND])
def test_regeneration_adds_one_to_a_gain(rules: RuleSet) -> None:
    """T94."""
    sits = Sits(hearts=5, cards=("regeneration",))
    assert state_after_turn(rules, "HH1123", sits, Sits(CITY)).monsters[0].hearts == 8
    assert state_after_turn(rules, "BB1123", sits, Sits(CITY)).monsters[0].hearts == 5
    full = Sits(hearts=9, cards=("regeneration",))
    assert state_after_turn(rules, "HH1123", full, Sits(CITY)).monsters[0].hearts == 10


@pytest.mark.parametrize(("rules", "left"), [(CLASSIC, 6), (SECOND, 8)])
def test_even_bigger_sold_costs_its_hearts_in_2011_only(rules: RuleSet, left: int) -> None:
    """A-18."""
    play = seated(
        rules, Sits(CITY, hearts=8, cards=("even-bigger", "metamorph")), Sits(), market=SHOP
    )
    play.roll("112233")
    play.default_until("sell")
    play.say(0, Sell((play.item("even-bigger"),)))
    assert (play.monster(0).hearts, play.game.max_hearts(0)) == (left, 10)


def test_even_bigger_never_takes_the_last_heart() -> None:
    play = seated(
        CLASSIC, Sits(CITY, hearts=2, cards=("even-bigger", "metamorph")), Sits(), market=SHOP
    )
    play.roll("112233")
    play.default_until("sell")
    play.say(0, Sell((play.item("even-bigger"),)))
    assert play.monster(0).hearts == 1


def test_patients_of_healing_ray_pay_as_far_as_they_can() -> None:
    """K19: 2 energy a heart, or what there is."""
    play = seated(
        SECOND,
        Sits(CITY, cards=("healing-ray",)),
        Sits(hearts=6, energy=3),
        Sits(hearts=10, energy=9),
        market=SHOP,
    )
    play.roll("HHH112")
    play.say(0, Stop())
    play.default_until("hearts")
    decision = play.decision
    assert isinstance(decision, HeartsDecision)
    assert (decision.heal, decision.patients) == (0, ((1, 3),)), "no healing of oneself in Tokyo"
    play.say(0, Hearts(give=((1, 2),)))
    assert (play.monster(1).hearts, play.monster(1).energy) == (8, 0)
    assert play.monster(0).energy == 3


@pytest.mark.parametrize(("hearts", "energy"), [(5, 1), (1, 0)])
def test_what_makes_it_stronger_is_two_real_hearts(hearts: int, energy: int) -> None:
    sits = Sits(hearts=hearts, cards=("were-only-making-it-stronger", "it-has-a-child"))
    end = state_after_turn(SECOND, "CC1123", Sits(CITY), sits, Sits())
    assert end.monsters[1].energy == energy


def test_a_hit_that_one_card_has_cancelled_asks_for_no_other_card() -> None:
    """A-110."""
    play = seated(
        SECOND,
        Sits(),
        Sits(CITY, energy=2, cards=("camouflage", "wings")),
        Sits(),
        market=("heal", "jets", "tank"),
    )
    play.roll("C11223")
    play.default_until("response")
    play.say(1, Use(play.item("camouflage")))
    play.roll("H")
    assert play.state.monsters[1].energy == 2
    assert play.asked.count((1, "response")) == 1


def test_a_hit_on_a_sheltered_monster_is_credited_to_no_other_card() -> None:
    """A-65: Wings keep the poison off, so Armor Plating has nothing to do."""
    play = seated(
        SECOND,
        Sits(energy=6, poison=1, cards=("wings", "armor-plating")),
        Sits(CITY),
        market=("high-altitude-bombing", "jets", "tank"),
    )
    play.roll("112233")
    play.default_until("buy")
    play.say(0, Buy(play.item("high-altitude-bombing")))
    play.default_until("response")
    play.say(0, Use(play.item("wings")))
    prevented = [event for event in play.events if isinstance(event, DamagePrevented)]
    assert [(event.seat, event.amount, event.item) for event in prevented] == [
        (0, 3, None),
        (0, 1, None),
    ]
    assert play.state.monsters[0].hearts == 10
