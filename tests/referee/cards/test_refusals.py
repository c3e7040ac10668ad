"""What scenarios do not show of cards: reasons of refusals, and whom an event names."""

import pytest

from kotp2p.referee.box.rulesets import DARK, SECOND
from kotp2p.referee.model import answers
from kotp2p.referee.model.decisions import BuyDecision
from kotp2p.referee.model.events import DamagePrevented
from tests.support.referee_table import CITY, SHOP, Sits, seated


def test_background_dweller_rerolls_threes_without_rolls() -> None:
    """T107: the last roll is used, a 3 may go on being rerolled."""
    play = seated(SECOND, Sits(cards=("background-dweller",)), Sits(CITY))
    play.roll("111233")
    for _ in range(2):
        play.say(0, answers.Reroll((4, 5)))
        play.roll("33")
    dweller = play.item("background-dweller")
    play.refuses(answers.Use(dweller, die=0), answers.Reason.NO_SUCH_DIE)
    play.say(0, answers.Use(dweller, die=4))
    play.roll("3")
    play.say(0, answers.Use(dweller, die=4))
    play.roll("1")
    play.say(0, answers.Use(dweller, die=5))
    play.roll("B")
    end = play.finish_turn()
    assert (end.monsters[0].points, end.monsters[0].energy) == (2, 1)


def test_an_energy_drink_is_a_roll_as_often_as_it_is_paid() -> None:
    play = seated(SECOND, Sits(energy=2, cards=("energy-drink",)), Sits(CITY), Sits())
    play.roll("112233")
    for _ in range(2):
        play.say(0, answers.Use(play.item("energy-drink")))
    play.refuses(answers.Use(play.item("energy-drink")), answers.Reason.NOT_USABLE)
    for _ in range(4):
        play.say(0, answers.Reroll((0, 1)))
        play.roll("22")
    assert play.asks != (0, "roll")
    assert play.monster(0).energy == 0


def test_stretchy_needs_a_die_and_a_face() -> None:
    play = seated(SECOND, Sits(energy=5, cards=("stretchy",)), Sits(CITY), Sits())
    play.roll("112233")
    play.say(0, answers.Stop())
    for use, reason in (
        (answers.Use(play.item("stretchy"), die=1), answers.Reason.NO_SUCH_FACE),
        (answers.Use(play.item("stretchy"), face=answers.Face.ONE), answers.Reason.NO_SUCH_DIE),
    ):
        play.refuses(use, reason)
    play.say(0, answers.Done())
    assert play.monster(0).energy == 5


@pytest.mark.parametrize(("dice", "points"), [("112233", 2), ("12BBBB", 0), ("123333", 6)])
def test_detritivore_pays_for_a_run(dice: str, points: int) -> None:
    play = seated(SECOND, Sits(cards=("detritivore",)), Sits(CITY), Sits())
    play.roll(dice)
    assert play.finish_turn().monsters[0].points == points


def test_without_rolls_left_a_card_may_reroll_but_its_owner_may_not() -> None:
    play = seated(SECOND, Sits(cards=("background-dweller",)), Sits(CITY))
    play.roll("111233")
    for _ in range(2):
        play.say(0, answers.Reroll((4, 5)))
        play.roll("33")
    play.refuses(answers.Reroll((0,)), answers.Reason.NO_ROLL_LEFT)


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
    play.say(0, answers.Buy(play.item("high-altitude-bombing")))
    play.default_until("response")
    play.say(0, answers.Use(play.item("wings")))
    prevented = [event for event in play.events if isinstance(event, DamagePrevented)]
    seen = [(event.seat, event.amount, event.item) for event in prevented]
    assert seen == [(0, 3, None), (0, 1, None)]
    assert play.state.monsters[0].hearts == 10


def test_hibernation_is_not_for_sale_in_tokyo() -> None:
    play = seated(DARK, Sits(CITY, energy=9), Sits(), market=("hibernation", "wings", "tank"))
    play.roll("112233")
    play.default_until("buy")
    decision = play.decision
    assert isinstance(decision, BuyDecision)
    assert play.item("hibernation") not in [offer.card for offer in decision.offers]
    play.refuses(answers.Buy(play.item("hibernation")), answers.Reason.NOT_FOR_SALE)


def test_friend_of_children_pays_once_a_gain_and_not_on_refunds() -> None:
    """T93, A-22."""
    sits = Sits(CITY, cards=("friend-of-children", "metamorph"))
    play = seated(SECOND, sits, Sits(), market=SHOP)
    play.roll("BBB112")
    play.default_until("sell")
    assert play.monster(0).energy == 4
    play.say(0, answers.Sell((play.item("metamorph"),)))
    assert play.monster(0).energy == 7
