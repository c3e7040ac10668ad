"""Keep cards that touch dice, beside what the scenarios show."""

import pytest

from kotp2p.referee.box.rulesets import CLASSIC, SECOND
from kotp2p.referee.model.answers import Buy, Done, Face, IllegalAction, Reason, Reroll, Stop, Use
from tests.support.referee_table import CITY, Sits, seated


def test_background_dweller_rerolls_threes_without_rolls() -> None:
    """T107: the last roll is used, a 3 may go on being rerolled."""
    play = seated(SECOND, Sits(cards=("background-dweller",)), Sits(CITY))
    play.roll("111233")
    for _ in range(2):
        play.say(0, Reroll((4, 5)))
        play.roll("33")
    dweller = play.item("background-dweller")
    with pytest.raises(IllegalAction) as refused:
        play.say(0, Use(dweller, die=0))
    assert refused.value.reason is Reason.NO_SUCH_DIE
    play.say(0, Use(dweller, die=4))
    play.roll("3")
    play.say(0, Use(dweller, die=4))
    play.roll("1")
    play.say(0, Use(dweller, die=5))
    play.roll("B")
    end = play.finish_turn()
    assert (end.monsters[0].points, end.monsters[0].energy) == (2, 1)


def test_background_dweller_answers_a_probe_that_made_a_three() -> None:
    """A-88: that die only, not a 3 that was left lying."""
    play = seated(
        SECOND,
        Sits(cards=("background-dweller",)),
        Sits(CITY, cards=("psychic-probe",)),
        Sits(),
    )
    play.roll("11123B")
    play.say(0, Stop())
    play.say(1, Use(play.item("psychic-probe"), die=0))
    play.roll("3")
    assert play.asks == (0, "change")
    with pytest.raises(IllegalAction):
        play.say(0, Use(play.item("background-dweller"), die=4))
    play.say(0, Use(play.item("background-dweller"), die=0))
    play.roll("1")
    end = play.finish_turn()
    assert end.monsters[0].points == 1


def test_smoke_cloud_comes_with_three_rolls_and_goes_with_the_last() -> None:
    """T97: with Giant Brain that is seven rolls in a turn."""
    play = seated(
        SECOND,
        Sits(energy=4, cards=("giant-brain",)),
        Sits(CITY),
        market=("smoke-cloud", "wings", "jets"),
    )
    cloud = play.item("smoke-cloud")
    play.roll("112233")
    play.default_until("buy")
    play.say(0, Buy(cloud))
    play.roll("112233")
    play.finish_turn()
    play.roll("112233")
    for left in (2, 1):
        play.say(0, Use(cloud))
        assert play.monster(0).holdings[1].counters == left
    play.say(0, Use(cloud))
    assert play.state.discard == [cloud]
    rolls = 1
    while play.asks == (0, "roll") and rolls < 8:
        play.say(0, Reroll((5,)))
        play.roll("C" if rolls == 6 else "3")
        rolls += 1
    assert rolls == 7


def test_an_energy_drink_is_a_roll_as_often_as_it_is_paid() -> None:
    play = seated(SECOND, Sits(energy=2, cards=("energy-drink",)), Sits(CITY), Sits())
    play.roll("112233")
    for _ in range(2):
        play.say(0, Use(play.item("energy-drink")))
    with pytest.raises(IllegalAction) as refused:
        play.say(0, Use(play.item("energy-drink")))
    assert refused.value.reason is Reason.NOT_USABLE
    for _ in range(4):
        play.say(0, Reroll((0, 1)))
        play.roll("22")
    assert play.asks != (0, "roll")
    assert play.monster(0).energy == 0


def test_herd_culler_turns_one_die_to_one_once_a_turn() -> None:
    play = seated(SECOND, Sits(cards=("herd-culler",)), Sits(CITY), Sits())
    play.roll("112BBB")
    play.say(0, Stop())
    play.say(0, Use(play.item("herd-culler"), die=2))
    end = play.finish_turn()
    assert play.asked.count((0, "change")) == 1
    assert (end.monsters[0].points, end.monsters[0].energy) == (1, 3)


def test_plot_twist_turns_a_die_and_is_gone() -> None:
    market = ("wings", "jets", "tank")
    play = seated(SECOND, Sits(cards=("plot-twist",)), Sits(CITY), Sits(), market=market)
    play.roll("11233B")
    play.say(0, Stop())
    play.say(0, Use(play.item("plot-twist"), die=5, face=Face.THREE))
    end = play.finish_turn()
    assert end.monsters[0].points == 3
    assert end.discard == [play.item("plot-twist")]


def test_stretchy_needs_a_die_and_a_face() -> None:
    play = seated(SECOND, Sits(energy=5, cards=("stretchy",)), Sits(CITY), Sits())
    play.roll("112233")
    play.say(0, Stop())
    for use, reason in (
        (Use(play.item("stretchy"), die=1), Reason.NO_SUCH_FACE),
        (Use(play.item("stretchy"), face=Face.ONE), Reason.NO_SUCH_DIE),
    ):
        with pytest.raises(IllegalAction) as refused:
            play.say(0, use)
        assert refused.value.reason is reason
    play.say(0, Done())
    assert play.monster(0).energy == 5


@pytest.mark.parametrize(("dice", "points"), [("111BBB", 3), ("111111", 6), ("11BBBB", 0)])
def test_gourmet_pays_once_for_ones(dice: str, points: int) -> None:
    """T106."""
    play = seated(SECOND, Sits(cards=("gourmet",)), Sits(CITY), Sits())
    play.roll(dice)
    assert play.finish_turn().monsters[0].points == points


@pytest.mark.parametrize(("dice", "points"), [("112233", 2), ("12BBBB", 0), ("123333", 6)])
def test_detritivore_pays_for_a_run(dice: str, points: int) -> None:
    play = seated(SECOND, Sits(cards=("detritivore",)), Sits(CITY), Sits())
    play.roll(dice)
    assert play.finish_turn().monsters[0].points == points


def test_complete_destruction_takes_a_claw_from_a_card_in_the_second_edition_only() -> None:
    """A-60."""
    for rules, points in ((SECOND, 9), (CLASSIC, 0)):
        play = seated(
            rules, Sits(cards=("complete-destruction", "acid-attack")), Sits(CITY), Sits()
        )
        play.roll("123HBB")
        assert play.finish_turn().monsters[0].points == points
        play = seated(rules, Sits(cards=("complete-destruction",)), Sits(CITY), Sits())
        play.roll("123HBC")
        assert play.finish_turn().monsters[0].points == 9


def test_without_rolls_left_a_card_may_reroll_but_its_owner_may_not() -> None:
    play = seated(SECOND, Sits(cards=("background-dweller",)), Sits(CITY))
    play.roll("111233")
    for _ in range(2):
        play.say(0, Reroll((4, 5)))
        play.roll("33")
    with pytest.raises(IllegalAction) as refused:
        play.say(0, Reroll((0,)))
    assert refused.value.reason is Reason.NO_ROLL_LEFT
