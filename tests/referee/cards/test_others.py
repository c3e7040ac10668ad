"""Keep cards about claws, hearts, energy and points, beside what the scenarios show."""

from __future__ import annotations

import pytest

from referee.box.rulesets import CLASSIC, SECOND, RuleSet
from referee.model.answers import Buy, Deposit, Hearts, Sell, Stop, Yield
from referee.model.dice_decisions import HeartsDecision
from referee.model.state import State
from tests.support.referee_table import CITY, Played, Sits, seated

SHOP = ("wings", "jets", "tank")


def after(rules: RuleSet, dice: str, *monsters: Sits, market: tuple[str, ...] = SHOP) -> State:
    """The end of a turn in which seat 0 rolls this and all take their defaults."""
    play = seated(rules, *monsters, market=market)
    play.roll(dice)
    return play.finish_turn()


def buying(play: Played, dice: str = "112233") -> None:
    play.roll(dice)
    play.default_until("buy")


# -- claws -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [CLASSIC, SECOND])
@pytest.mark.parametrize(("dice", "left"), [("112233", 10), ("CC1233", 7)])
def test_spiked_tail_adds_to_claws_only(rules: RuleSet, dice: str, left: int) -> None:
    """T43."""
    end = after(rules, dice, Sits(cards=("spiked-tail",)), Sits(CITY), Sits())
    assert [m.hearts for m in end.monsters] == [10, left, 10]


def test_quills_bring_the_tail_along_in_the_second_edition() -> None:
    """T49, A-11; in 2011 there is no claw, so 2 damage and no attack (A-12)."""
    cards = ("poison-quills", "spiked-tail")
    play = seated(SECOND, Sits(cards=cards), Sits(CITY), Sits(), market=SHOP)
    play.roll("22213H")
    end = play.finish_turn()
    assert end.monsters[1].hearts == 7
    assert (1, "yield") in play.asked
    play = seated(CLASSIC, Sits(cards=cards), Sits(CITY), Sits(), market=SHOP)
    play.roll("22213H")
    end = play.finish_turn()
    assert end.monsters[1].hearts == 8
    assert (1, "yield") not in play.asked


@pytest.mark.parametrize("rules", [CLASSIC, SECOND])
def test_urbavore_loves_tokyo(rules: RuleSet) -> None:
    """T47."""
    end = after(rules, "CC1233", Sits(CITY, cards=("urbavore",)), Sits(), Sits())
    assert end.monsters[0].points == 3
    assert [m.hearts for m in end.monsters] == [10, 7, 7]
    end = after(rules, "112233", Sits(CITY, cards=("urbavore",)), Sits(), Sits())
    assert [m.hearts for m in end.monsters] == [10, 10, 10]


@pytest.mark.parametrize(("rules", "points"), [(CLASSIC, 1), (SECOND, 2)])
def test_alpha_monster_needs_a_victim_in_2011(rules: RuleSet, points: int) -> None:
    """T56."""
    end = after(rules, "C11233", Sits(cards=("alpha-monster",)), Sits(), Sits())
    assert (end.monsters[0].points, end.monsters[0].place) == (points, CITY)


# -- hearts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [CLASSIC, SECOND])
def test_regeneration_adds_one_to_a_gain(rules: RuleSet) -> None:
    """T94."""
    sits = Sits(hearts=5, cards=("regeneration",))
    assert after(rules, "HH1123", sits, Sits(CITY)).monsters[0].hearts == 8
    assert after(rules, "BB1123", sits, Sits(CITY)).monsters[0].hearts == 5
    full = Sits(hearts=9, cards=("regeneration",))
    assert after(rules, "HH1123", full, Sits(CITY)).monsters[0].hearts == 10


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


def test_healing_ray_is_paid_by_who_can() -> None:
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
    end = after(SECOND, "CC1123", Sits(CITY), sits, Sits())
    assert end.monsters[1].energy == energy


# -- energy and points -----------------------------------------------------------------------------


def test_friend_of_children_pays_once_a_gain_and_not_on_refunds() -> None:
    """T93, A-22."""
    sits = Sits(CITY, cards=("friend-of-children", "metamorph"))
    play = seated(SECOND, sits, Sits(), market=SHOP)
    play.roll("BBB112")
    play.default_until("sell")
    assert play.monster(0).energy == 4
    play.say(0, Sell((play.item("metamorph"),)))
    assert play.monster(0).energy == 7


@pytest.mark.parametrize(("dice", "bought", "points"), [
    ("112233", None, 1), ("C11233", None, 0), ("112233", "tank", 4),
])  # fmt: skip
def test_herbivore_hurts_nobody_not_even_itself(dice: str, bought: str | None, points: int) -> None:
    """T81, A-23."""
    sits = Sits(energy=9, cards=("herbivore",))
    play = seated(SECOND, sits, Sits(CITY), Sits(), market=SHOP)
    buying(play, dice)
    if bought:
        play.say(0, Buy(play.item(bought)))
    assert play.finish_turn().monsters[0].points == points


def test_the_underdog_must_be_alone() -> None:
    """T78, A-26."""
    dog = Sits(points=2, energy=12, cards=("rooting-for-the-underdog", "energy-hoarder"))
    others = (Sits(CITY, points=9), Sits(points=3))
    assert after(SECOND, "112233", dog, *others, Sits(points=5)).monsters[0].points == 5
    assert after(SECOND, "112233", dog, *others, Sits(points=2)).monsters[0].points == 4


@pytest.mark.parametrize(("energy", "end"), [(0, 1), (1, 1)])
def test_solar_power_shines_on_the_poor(energy: int, end: int) -> None:
    sits = Sits(energy=energy, cards=("solar-powered",))
    assert after(SECOND, "112233", sits, Sits(CITY)).monsters[0].energy == end


def test_solar_power_comes_after_a_sale() -> None:
    """T83."""
    play = seated(
        SECOND,
        Sits(cards=("solar-powered", "metamorph", "alpha-monster")),
        Sits(CITY),
        market=SHOP,
    )
    play.roll("112233")
    play.default_until("sell")
    play.say(0, Sell((play.item("alpha-monster"),)))
    assert play.finish_turn().monsters[0].energy == 5


def test_media_friendly_does_not_pay_for_itself() -> None:
    """T84, T85."""
    market = ("media-friendly", "corner-store", "jets")
    play = seated(SECOND, Sits(energy=6), Sits(CITY), market=market)
    buying(play)
    play.say(0, Buy(play.item("media-friendly")))
    assert play.monster(0).points == 0
    play.say(0, Buy(play.item("corner-store")))
    assert play.monster(0).points == 2


def test_tentacles_pay_the_owner_and_take_the_counters_along() -> None:
    """T87, A-25, A-56."""
    play = seated(
        SECOND,
        Sits(energy=9, cards=("parasitic-tentacles", "alien-origin")),
        Sits(CITY, cards=("smoke-cloud",)),
        Sits(),
        market=SHOP,
    )
    play.monster(1).holdings[0].counters = 1
    buying(play)
    play.say(0, Buy(play.item("smoke-cloud")))
    assert (play.monster(0).energy, play.monster(1).energy) == (6, 3)
    assert play.monster(1).holdings == []
    assert play.monster(0).holdings[-1].counters == 1
    assert play.state.market == [play.item(key) for key in SHOP], "nothing is turned up"


def test_batteries_of_2011_double_what_is_put_on_them() -> None:
    """K27, A-24."""
    market = ("battery-monster", "wings", "jets")
    play = seated(CLASSIC, Sits(energy=5), Sits(CITY), market=market)
    buying(play)
    play.say(0, Buy(play.item("battery-monster")))
    assert play.asks == (0, "deposit")
    play.say(0, Deposit(1))
    assert (play.monster(0).energy, play.monster(0).holdings[0].counters) == (2, 2)


def test_batteries_of_2016_come_full_and_go_when_empty() -> None:
    market = ("battery-monster", "wings", "jets")
    play = seated(SECOND, Sits(energy=3), Sits(CITY), market=market)
    buying(play)
    play.say(0, Buy(play.item("battery-monster")))
    assert play.monster(0).holdings[0].counters == 6
    for energy, held in ((2, 4), (4, 2), (6, 0)):
        play.roll("112233")
        play.finish_turn()
        assert play.monster(0).energy == energy
        assert sum(h.counters for h in play.monster(0).holdings) == held
        play.roll("112233")
        play.finish_turn()
    assert play.monster(0).holdings == []
    assert play.state.discard == [play.item("battery-monster")]


def test_yielding_to_a_burrower_is_safe() -> None:
    """A-28: it stings when it yields, not its attacker's other victims."""
    play = seated(SECOND, Sits(), Sits(CITY, cards=("burrowing",)), Sits(), market=SHOP)
    play.roll("C11223")
    play.say(0, Stop())
    play.default_until("yield")
    play.say(1, Yield())
    assert [m.hearts for m in play.state.monsters] == [9, 9, 10]
