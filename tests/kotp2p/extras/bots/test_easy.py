"""What nobody would do, `easy` does not do either."""

import pytest

from kotp2p.extras.bots import Noise, choose
from kotp2p.extras.bots.easy import BOTS, Temper
from kotp2p.referee.box.rulesets import SECOND
from kotp2p.referee.model.answers import Answer, Buy, Done, Hearts, Reroll, Yield
from tests.support.referee_table import CITY, Played, Sits, go_to_buying, seated

MOODS = [(temper, n) for temper in dict.fromkeys(BOTS.values()) for n in range(8)]


def answer_of_easy(play: Played, temper: Temper, mood: int) -> Answer:
    decision = play.decision
    return choose("easy", play.game, decision, Noise(b"%d" % mood), None, temper)


def answers_of_easy(play: Played) -> set[Answer]:
    """Of each temper in some of its moods."""
    return {answer_of_easy(play, temper, mood) for temper, mood in MOODS}


def rolled(faces: str, *monsters: Sits) -> Played:
    play = seated(SECOND, *monsters)
    play.roll(faces)
    return play


def kept(answer: Answer) -> set[int]:
    """The positions of six dice that are not rolled again."""
    return set(range(6)) - set(answer.dice if isinstance(answer, Reroll) else ())


def hit_in_tokyo(faces: str, hit: Sits) -> Played:
    play = rolled(faces, Sits(), Sits(), hit)
    play.default_until("yield")
    return play


def buying(buyer: Sits, *market: str) -> Played:
    play = seated(SECOND, buyer, Sits(CITY), Sits(), market=market)
    go_to_buying(play)
    return play


@pytest.mark.parametrize("faces", ["333331", "222221", "CCCCC1", "BBBBB1"])
def test_five_equal_dice_of_use_are_kept(faces: str) -> None:
    for answer in answers_of_easy(rolled(faces, Sits(), Sits(CITY), Sits())):
        assert kept(answer) >= set(range(5))


def test_hearts_are_kept_by_one_that_is_nearly_dead() -> None:
    for answer in answers_of_easy(rolled("H1H23C", Sits(hearts=2), Sits(CITY), Sits())):
        assert kept(answer) >= {0, 2}


def test_no_heart_is_kept_in_tokyo() -> None:
    for answer in answers_of_easy(rolled("HHH123", Sits(CITY, hearts=2), Sits(), Sits())):
        assert not kept(answer) & {0, 1, 2}


def test_nobody_stays_in_tokyo_with_one_heart() -> None:
    assert answers_of_easy(hit_in_tokyo("C11223", Sits(CITY, hearts=2))) == {Yield()}


def test_nobody_stays_to_be_killed_by_damage_put_aside() -> None:
    """Jets put the damage aside until their owner has answered."""
    there = Sits(CITY, hearts=6, cards=("jets",))
    assert answers_of_easy(hit_in_tokyo("CCCCCC", there)) == {Yield()}


def test_ten_energy_buy_something() -> None:
    answers = answers_of_easy(buying(Sits(energy=10), "jets", "wings", "extra-head"))
    assert all(isinstance(answer, Buy) for answer in answers)


def test_an_offer_that_wins_is_taken() -> None:
    play = buying(Sits(points=16, energy=7), "jets", "skyscraper", "extra-head")
    assert answers_of_easy(play) == {Buy(play.item("skyscraper"))}


def test_no_offer_is_taken_that_kills_its_buyer() -> None:
    """Tank costs 3 hearts."""
    assert answers_of_easy(buying(Sits(hearts=3, energy=10), "tank")) == {Done()}


def test_a_heart_removes_a_token_where_it_cannot_heal() -> None:
    play = rolled("H11223", Sits(hearts=10, poison=1), Sits(CITY))
    play.default_until("hearts")
    assert answers_of_easy(play) == {Hearts(poison=1)}


@pytest.mark.parametrize(("temper", "mood"), MOODS)
def test_energy_is_paid_for_the_heart_that_saves(temper: Temper, mood: int) -> None:
    """Rapid Healing heals 1 heart for 2 energy."""
    dying = Sits(CITY, hearts=3, energy=4, cards=("rapid-healing",))
    play = rolled("CCC112", Sits(), dying, Sits())
    play.default_until("response")
    while play.asks == (1, "response"):
        play.say(1, answer_of_easy(play, temper, mood))
    assert play.monster(1).alive
