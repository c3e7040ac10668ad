"""A-91: a seat that leaves has not reached 0 hearts, so no effect of that acts."""

from __future__ import annotations

import pytest

from referee.box.rulesets import DARK, SECOND
from referee.model.answers import Buy, Stop
from referee.model.events import TurnEnded
from tests.support.referee_table import BAY, CITY, Sits, seated


@pytest.mark.parametrize("card", ["it-has-a-child", "zombify"])
def test_leaving_is_not_reaching_no_hearts(card: str) -> None:
    play = seated(DARK, Sits(), Sits(CITY, cards=(card,)), Sits(cards=("eater-of-the-dead",)))
    play.out(1)
    assert not play.monster(1).alive
    assert play.monster(2).points == 0


def test_burrowing_does_not_sting_for_a_seat_that_leaves_at_the_question() -> None:
    play = seated(SECOND, Sits(), Sits(CITY, cards=("burrowing",)), Sits())
    play.roll("C11223")
    play.default_until("yield")
    play.out(1)
    assert play.monster(0).hearts == 10


def test_the_extra_turns_of_a_leaver_are_lost() -> None:
    market = ("frenzy", "corner-store")
    play = seated(SECOND, Sits(energy=10), Sits(CITY), Sits(), market=market)
    play.roll("112233")
    play.say(0, Stop())
    play.default_until("buy")
    play.say(0, Buy(play.item("frenzy")))
    assert play.state.frenzy == 1
    play.out(0)
    assert TurnEnded(0) in play.events
    assert (play.state.active, play.state.frenzy) == (1, 0)


def test_a_leaver_can_close_the_bay_under_an_attacker() -> None:
    play = seated(SECOND, Sits(BAY), Sits(CITY), Sits(), Sits(), Sits())
    play.out(1)
    assert play.monster(0).place is CITY, "with four left the Bay is shut, and the City is free"
