"""Keep cards about claws, beside what the scenarios show."""

import pytest

from kotp2p.referee.box.rulesets import CLASSIC, SECOND, RuleSet
from kotp2p.referee.model.answers import Stop, Yield
from kotp2p.referee.model.state import Place
from tests.support.referee_table import CITY, OUTSIDE, SHOP, Sits, seated, state_after_turn


@pytest.mark.parametrize("rules", [CLASSIC, SECOND])
@pytest.mark.parametrize(("dice", "left"), [("112233", 10), ("CC1233", 7)])
def test_spiked_tail_adds_to_claws_only(rules: RuleSet, dice: str, left: int) -> None:
    """T43."""
    end = state_after_turn(rules, dice, Sits(cards=("spiked-tail",)), Sits(CITY), Sits())
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
    end = state_after_turn(rules, "CC1233", Sits(CITY, cards=("urbavore",)), Sits(), Sits())
    assert end.monsters[0].points == 3
    assert [m.hearts for m in end.monsters] == [10, 7, 7]
    end = state_after_turn(rules, "112233", Sits(CITY, cards=("urbavore",)), Sits(), Sits())
    assert [m.hearts for m in end.monsters] == [10, 10, 10]


@pytest.mark.parametrize(("rules", "points"), [(CLASSIC, 1), (SECOND, 2)])
def test_alpha_monster_needs_a_victim_in_2011(rules: RuleSet, points: int) -> None:
    """T56."""
    end = state_after_turn(rules, "C11233", Sits(cards=("alpha-monster",)), Sits(), Sits())
    assert (end.monsters[0].points, end.monsters[0].place) == (points, CITY)


def test_yielding_to_a_burrower_is_safe() -> None:
    """A-28: Burrowing stings when its owner yields, not when another victim does."""
    play = seated(SECOND, Sits(), Sits(CITY, cards=("burrowing",)), Sits(), market=SHOP)
    play.roll("C11223")
    play.say(0, Stop())
    play.default_until("yield")
    play.say(1, Yield())
    assert [m.hearts for m in play.state.monsters] == [9, 9, 10]


@pytest.mark.parametrize(
    ("dice", "place", "left"),
    [("CC1123", OUTSIDE, 7), ("BB1123", OUTSIDE, 10), ("CC1123", CITY, 8)],
)
def test_burrowing_of_2011_adds_to_claws_that_reach_into_tokyo(
    dice: str, place: Place, left: int
) -> None:
    """D-31: not to those that reach out of it, and without claws nothing."""
    other = CITY if place is OUTSIDE else OUTSIDE
    end = state_after_turn(CLASSIC, dice, Sits(place, cards=("burrowing",)), Sits(other))
    assert end.monsters[1].hearts == left
