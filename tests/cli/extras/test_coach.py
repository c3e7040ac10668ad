"""The coach: a reason, and what to type, about what lies there."""

import pytest

from kotp2p.cli.extras.advice import coach
from kotp2p.referee.model.answers import Answer, Buy, Done, Reroll, Stay, Stop, Sweep, Use, Yield
from kotp2p.referee.model.decisions import BuyDecision, Decision, Offer, RollDecision, YieldDecision
from kotp2p.referee.model.state import Place
from kotp2p.seams.notices import SeatView
from tests.support.laid_decisions import dice, item, one_of_each_decision, table


def said(view: SeatView, decision: Decision, advice: Answer) -> str:
    return " ".join(coach(view, decision, advice))


def about_roll(view: SeatView, rolled: str, kept: str, left: int = 2) -> str:
    """What is said when a sound player would keep these dice."""
    faces, wanted = dice(rolled), list(dice(kept))
    thrown = []
    for n, face in enumerate(faces):
        if face in wanted:
            wanted.remove(face)
        else:
            thrown.append(n)
    assert not wanted
    return said(view, RollDecision(0, faces, left), Reroll(tuple(thrown)))


@pytest.mark.parametrize(
    ("view", "decision"), one_of_each_decision(), ids=lambda value: getattr(value, "kind", "")
)
def test_it_says_one_or_two_sentences_or_nothing(view: SeatView, decision: Decision) -> None:
    sentences = coach(view, decision, decision.default)
    assert len(sentences) <= 2
    assert all(sentence.endswith(".") for sentence in sentences)
    assert len(" ".join(sentences)) < 234  # three rows


def test_a_pair_of_a_number_is_kept_for_a_third_and_three_as_more_of_it_adds() -> None:
    three = about_roll(table(), "222HB1", "222")
    assert "Three 2s are 2 points, and each further 2 adds 1." in three
    text = about_roll(table(), "33CHB1", "33")
    assert text == (
        "With one more, three 3s are 3 points; two of them are worth nothing. "
        "Type 33 and press Enter: you keep that, and 4 dice are rolled again."
    )


@pytest.mark.parametrize(("rolled", "kept", "worth"),
    [("111CHB", "", "1s are 1 point"), ("111CHB", "11C", "1s are 1 point"),
     ("2222CC", "CC", "2s are 3 points")])  # fmt: skip
def test_three_of_a_number_are_not_given_up_for_nothing(rolled: str, kept: str, worth: str) -> None:
    text = about_roll(table(), rolled, kept)
    assert text.startswith(f"Your {worth} as they lie, but rolling them again is worth more here.")
    assert "as they lie" not in about_roll(table(), rolled, rolled[:3])


def test_claws_are_explained_by_where_the_monsters_stand() -> None:
    view = table()
    assert "it is empty now" in about_roll(view, "CC1233", "CC")
    view.game.state.monsters[1].place = Place.CITY
    assert "Each claw takes a heart from Rex, in Tokyo." in about_roll(view, "CC1233", "CC")
    view.game.state.monsters[1].place = Place.OUTSIDE
    view.game.state.monsters[0].place = Place.CITY
    assert "every monster outside" in about_roll(view, "CC1233", "CC")


def test_hearts_are_kept_to_heal_and_rolled_where_they_do_nothing() -> None:
    view = table()
    view.game.state.monsters[0].hearts = 4
    assert "You have 4 hearts and stand outside Tokyo" in about_roll(view, "HH1223", "HH")
    view.game.state.monsters[0].place = Place.CITY
    assert "Hearts do not heal you in Tokyo" in about_roll(view, "HH1223", "22")
    rolled = about_roll(view, "1HH2BC", "2C")
    assert rolled.startswith("Hearts do not heal you in Tokyo, so roll them again. Type 2c")
    view.game.state.monsters[0].place = Place.OUTSIDE
    view.game.state.monsters[0].hearts = 10
    assert "You have all your hearts" in about_roll(view, "HHH123", "3")


def test_the_other_ends_of_a_roll() -> None:
    view = table()
    roll = RollDecision(0, dice("33CHB1"), 2)
    assert "Type 0" in said(view, roll, Reroll((0, 1, 2, 3, 4, 5)))
    assert "Type d" in said(view, roll, Stop())
    assert "your cards" in said(view, roll, Use(item(view, "stretchy")))
    assert "That was your last roll" in said(view, RollDecision(0, dice("33CHB1"), 0), Stop())


def test_leaving_tokyo_and_staying() -> None:
    view = table()
    view.game.state.monsters[0].hearts = 3
    hit = YieldDecision(0, 1)
    assert "3 hearts" in said(view, hit, Yield())
    assert "Leave: Rex goes in" in said(view, hit, Yield())
    assert "you can stay" in said(view, hit, Stay())


def test_buying_saving_and_sweeping() -> None:
    view = table()
    wings = item(view, "wings")
    rich = BuyDecision(0, (Offer(wings, 6),), True, False, False)
    assert "Wings is worth its price" in said(view, rich, Buy(wings))
    assert "saving is sound" in said(view, rich, Done())
    assert "2 energy bring three others" in said(view, rich, Sweep())
    poor = BuyDecision(0, (), False, False, False)
    assert "You cannot pay for a card yet" in said(view, poor, Done())
