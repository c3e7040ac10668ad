"""Keep cards of the dark rule set (DK1 to DK7)."""

import pytest

from kotp2p.referee.box.rulesets import DARK
from kotp2p.referee.model.answers import Buy, IllegalAction, Reason, Stop, Swap, Use, Yield
from kotp2p.referee.model.decisions import BuyDecision, SwapDecision
from tests.support.referee_table import CITY, OUTSIDE, Played, Sits, seated


def hit(play: Played, dice: str, kind: str) -> None:
    """Seat 0 rolls these dice and stops; then a seat is asked for `kind`."""
    play.roll(dice)
    play.say(0, Stop())
    play.default_until(kind)


# -- Hibernation -----------------------------------------------------------------------------------


def test_hibernation_counts_hearts_and_bolts_only() -> None:
    """T118: no entry though Tokyo is empty, no buying."""
    play = seated(
        DARK,
        Sits(hearts=4, energy=9, cards=("hibernation",)),
        Sits(),
        market=("jets", "wings", "tank"),
    )
    play.roll("111HHB")
    end = play.finish_turn()
    me = end.monsters[0]
    assert (me.hearts, me.energy, me.points, me.wickedness, me.place) == (6, 10, 0, 0, OUTSIDE)
    assert (0, "buy") not in play.asked
    assert (0, "change") in play.asked


def test_leaving_hibernation_counts_for_these_dice() -> None:
    play = seated(
        DARK,
        Sits(hearts=4, cards=("hibernation",)),
        Sits(),
        market=("jets", "wings", "tank"),
    )
    play.roll("111HHB")
    play.say(0, Stop())
    play.say(0, Use(play.item("hibernation")))
    end = play.finish_turn()
    me = end.monsters[0]
    assert (me.hearts, me.energy, me.points, me.wickedness, me.place) == (6, 1, 2, 2, CITY)
    assert end.discard == [play.item("hibernation")]


def test_hibernation_takes_no_damage() -> None:
    play = seated(DARK, Sits(CITY), Sits(hearts=4, cards=("hibernation",)), Sits())
    play.roll("CCCCC1")
    end = play.finish_turn()
    assert [m.hearts for m in end.monsters] == [10, 4, 5]


def test_hibernation_is_not_for_sale_in_tokyo() -> None:
    play = seated(DARK, Sits(CITY, energy=9), Sits(), market=("hibernation", "wings", "tank"))
    play.roll("112233")
    play.default_until("buy")
    decision = play.decision
    assert isinstance(decision, BuyDecision)
    assert play.item("hibernation") not in [offer.card for offer in decision.offers]
    with pytest.raises(IllegalAction) as refused:
        play.say(0, Buy(play.item("hibernation")))
    assert refused.value.reason is Reason.NOT_FOR_SALE


# -- hearts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hearts", "after"), [(1, 3), (2, 4), (3, 3)])
def test_nanobots_heal_a_monster_with_few_hearts(hearts: int, after: int) -> None:
    play = seated(DARK, Sits(CITY, hearts=hearts, cards=("nanobots",)), Sits())
    assert play.monster(0).hearts == after


def test_natural_selection_gives_and_takes() -> None:
    """T119: the final dice of the very turn show a 3."""
    play = seated(
        DARK,
        Sits(energy=2, hearts=5),
        Sits(CITY),
        Sits(),
        market=("natural-selection", "wings", "tank"),
    )
    play.roll("112233")
    play.default_until("buy")
    play.say(0, Buy(play.item("natural-selection")))
    assert (play.monster(0).energy, play.monster(0).hearts) == (4, 9)
    end = play.finish_turn()
    assert not end.monsters[0].alive


def test_natural_selection_without_a_three_is_a_die_more() -> None:
    play = seated(DARK, Sits(cards=("natural-selection",)), Sits(CITY), Sits())
    play.roll("1122HBB")
    end = play.finish_turn()
    assert end.monsters[0].hearts == 10


def test_reflective_hide_hurts_only_the_dealer_and_once() -> None:
    play = seated(
        DARK,
        Sits(cards=("reflective-hide",)),
        Sits(CITY),
        Sits(),
    )
    play.roll("CC1122")
    end = play.finish_turn()
    assert [m.hearts for m in end.monsters] == [10, 8, 10]
    play = seated(DARK, Sits(), Sits(CITY, cards=("reflective-hide",)), Sits())
    play.roll("CC1122")
    end = play.finish_turn()
    assert [m.hearts for m in end.monsters] == [9, 8, 10]


def test_reflective_hide_spares_its_own_owner() -> None:
    """A-42: the damage of Jet Fighters is dealt by their buyer."""
    play = seated(
        DARK,
        Sits(energy=5, cards=("reflective-hide",)),
        Sits(CITY),
        market=("jet-fighters", "wings", "tank"),
    )
    play.roll("112233")
    play.default_until("buy")
    play.say(0, Buy(play.item("jet-fighters")))
    assert play.monster(0).hearts == 6


def test_an_attacker_that_dies_by_reflective_hide_does_not_enter_but_is_yielded_to() -> None:
    """A-78."""
    play = seated(DARK, Sits(hearts=1), Sits(CITY, cards=("reflective-hide",)), Sits())
    hit(play, "CC1122", "yield")
    assert not play.monster(0).alive
    play.say(1, Yield())
    assert play.state.active == 1
    assert play.monster(1).place is OUTSIDE


def test_super_jump_takes_one_point_off_once_a_turn() -> None:
    play = seated(DARK, Sits(CITY), Sits(energy=5, cards=("super-jump",)), Sits())
    hit(play, "CCC112", "response")
    play.say(1, Use(play.item("super-jump")))
    assert (play.monster(1).hearts, play.monster(1).energy) == (8, 4)
    assert play.asked.count((1, "response")) == 1


# -- Unstable DNA and Zombify ----------------------------------------------------------------------


def test_unstable_dna_is_swapped_for_a_card_of_the_attacker() -> None:
    play = seated(
        DARK,
        Sits(cards=("extra-head", "even-bigger")),
        Sits(CITY, hearts=9, cards=("unstable-dna",)),
        Sits(),
    )
    hit(play, "CC11223", "yield")
    play.say(1, Yield())
    assert play.asks == (1, "swap")
    assert isinstance(play.decision, SwapDecision)
    play.say(1, Swap(play.item("even-bigger")))
    mine = [held.item for held in play.monster(1).holdings]
    theirs = [held.item for held in play.monster(0).holdings]
    assert mine == [play.item("even-bigger")]
    assert theirs == [play.item("extra-head"), play.item("unstable-dna")]
    assert play.monster(1).hearts == 9
    assert play.state.discard == []


def test_unstable_dna_is_not_asked_where_there_is_nothing_to_take() -> None:
    """A-43."""
    play = seated(DARK, Sits(), Sits(CITY, cards=("unstable-dna",)), Sits())
    hit(play, "CC1122", "yield")
    play.say(1, Yield())
    assert (1, "swap") not in play.asked


def test_zombify_saves_once() -> None:
    play = seated(
        DARK,
        Sits(),
        Sits(CITY, hearts=2, points=7, energy=3, cards=("zombify", "it-has-a-child"), poison=1),
        Sits(),
    )
    play.roll("CCC112")
    play.finish_turn()
    dead = play.monster(1)
    assert (dead.hearts, dead.points, dead.energy, dead.place) == (12, 0, 3, OUTSIDE)
    assert [held.item for held in dead.holdings] == [play.item("zombify")]
    assert (dead.zombie, dead.poison) == (True, 1)
    assert play.monster(0).place is CITY


def test_hearts_are_nothing_to_a_zombie() -> None:
    play = seated(DARK, Sits(hearts=2, cards=("zombify",)), Sits(CITY), Sits())
    play.monster(0).zombie = True
    play.roll("HHH112")
    end = play.finish_turn()
    assert end.monsters[0].hearts == 2
