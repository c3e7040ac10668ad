"""Keep cards about energy, points and buying, beside what the scenarios show."""

import pytest

from kotp2p.referee.box.rulesets import CLASSIC, SECOND
from kotp2p.referee.model.answers import Buy, Deposit, Sell
from tests.support.referee_table import CITY, SHOP, Sits, go_to_buying, seated, state_after_turn


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
def test_herbivore_pays_for_a_turn_in_which_no_monster_is_hurt(
    dice: str, bought: str | None, points: int
) -> None:
    """T81, A-23."""
    sits = Sits(energy=9, cards=("herbivore",))
    play = seated(SECOND, sits, Sits(CITY), Sits(), market=SHOP)
    go_to_buying(play, dice)
    if bought:
        play.say(0, Buy(play.item(bought)))
    assert play.finish_turn().monsters[0].points == points


def test_the_underdog_must_be_alone() -> None:
    """T78, A-26."""
    dog = Sits(points=2, energy=12, cards=("rooting-for-the-underdog", "energy-hoarder"))
    others = (Sits(CITY, points=9), Sits(points=3))
    assert state_after_turn(SECOND, "112233", dog, *others, Sits(points=5)).monsters[0].points == 5
    assert state_after_turn(SECOND, "112233", dog, *others, Sits(points=2)).monsters[0].points == 4


@pytest.mark.parametrize(("energy", "end"), [(0, 1), (1, 1)])
def test_solar_power_shines_on_the_poor(energy: int, end: int) -> None:
    sits = Sits(energy=energy, cards=("solar-powered",))
    assert state_after_turn(SECOND, "112233", sits, Sits(CITY)).monsters[0].energy == end


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
    go_to_buying(play)
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
    go_to_buying(play)
    play.say(0, Buy(play.item("smoke-cloud")))
    assert (play.monster(0).energy, play.monster(1).energy) == (6, 3)
    assert play.monster(1).holdings == []
    assert play.monster(0).holdings[-1].counters == 1
    assert play.state.market == [play.item(key) for key in SHOP], "nothing is turned up"


def test_batteries_of_2011_double_what_is_put_on_them() -> None:
    """K27, A-24."""
    market = ("battery-monster", "wings", "jets")
    play = seated(CLASSIC, Sits(energy=5), Sits(CITY), market=market)
    go_to_buying(play)
    play.say(0, Buy(play.item("battery-monster")))
    assert play.asks == (0, "deposit")
    play.say(0, Deposit(1))
    assert (play.monster(0).energy, play.monster(0).holdings[0].counters) == (2, 2)


def test_batteries_of_2016_come_full_and_go_when_empty() -> None:
    market = ("battery-monster", "wings", "jets")
    play = seated(SECOND, Sits(energy=3), Sits(CITY), market=market)
    go_to_buying(play)
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
