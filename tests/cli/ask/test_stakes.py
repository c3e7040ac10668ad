"""Answers that let another win or put the player out are asked about once more, and no others."""

import pytest

from kotp2p.cli.ask.dialogue import Explained, QuestionDialogue
from kotp2p.cli.ask.question import Adviser, Confirm, Give, Propose
from kotp2p.cli.ask.standing_orders import Orders, answer_by_orders
from kotp2p.cli.wing import take_default
from kotp2p.referee.model import decisions
from kotp2p.referee.model.answers import Answer, Buy, Done, Pass, Reroll, Stay, Stop, Use, Yield
from kotp2p.seams.notices import SeatView
from tests.support.laid_decisions import ask, item
from tests.support.staged_turns import all_of, go_on, has, placed, rolled, shop, stopped


def dialogue(view: SeatView, adviser: Adviser = take_default) -> QuestionDialogue:
    pending = view.game.pending
    assert not isinstance(pending, decisions.Chance | decisions.Over)
    return QuestionDialogue(ask(view, pending, adviser), Explained())


def hit_in_tokyo(faces: str = "CC1123", *, points: int = 19, hearts: int = 10) -> SeatView:
    """Rex has 19 points and has hit Ana in Tokyo."""
    view = stopped(faces, all_of(placed(0), has(0, hearts=hearts), has(1, points=points)))
    go_on(view, decisions.YieldDecision)
    return view


def test_leaving_tokyo_to_a_player_who_wins_by_it_is_asked_about() -> None:
    asking = dialogue(hit_in_tokyo())
    assert asking.read_line("l") == [
        "Rex would have 20 points and win. Your answer: leave Tokyo. Do it?",
        "y does it, Enter goes back.",
    ]
    asking.read_line("")
    assert asking.answer is None
    assert asking.repeat_prompt() == [asking.question.prompt()]
    asking.read_line("l")
    asking.read_line("y")
    assert asking.answer == Yield()


def test_an_answer_that_changes_nothing_about_the_end_is_given_at_once() -> None:
    view = hit_in_tokyo()
    assert ask(view, go_on(view, decisions.YieldDecision)).reply("s") == Give(Stay())
    view = hit_in_tokyo(points=18)
    assert ask(view, go_on(view, decisions.YieldDecision)).reply("l") == Give(Yield())


def test_nothing_is_asked_twice_if_the_other_wins_whatever_is_answered() -> None:
    view = hit_in_tokyo("CC3331", points=17)
    assert ask(view, go_on(view, decisions.YieldDecision)).reply("l") == Give(Yield())
    assert ask(view, go_on(view, decisions.YieldDecision)).reply("s") == Give(Stay())


def test_both_answers_are_asked_about_if_they_end_badly_in_different_ways() -> None:
    view = stopped("CC1123", all_of(placed(0), has(0, "jets", hearts=2), has(1, points=19)))
    question = ask(view, go_on(view, decisions.YieldDecision))
    assert question.reply("s") == Confirm(
        "You would be out of the game, and Rex would win. Your answer: stay in Tokyo. Do it?",
        Stay(),
    )
    assert question.reply("l") == Confirm(
        "Rex would have 20 points and win. Your answer: leave Tokyo. Do it?", Yield()
    )


def test_a_purchase_that_takes_the_last_hearts_is_asked_about() -> None:
    view = shop("jet-fighters", change=has(0, hearts=4, energy=10))
    card = item(view, "jet-fighters")
    assert ask(view, go_on(view, decisions.BuyDecision)).reply("a") == Confirm(
        "You would be out of the game. Your answer: buy Jet Fighters. Do it?", Buy(card)
    )
    view = shop("jet-fighters", change=has(0, hearts=5, energy=10))
    assert ask(view, go_on(view, decisions.BuyDecision)).reply("a") == Give(Buy(card))


def test_a_purchase_that_wins_is_made_at_once() -> None:
    view = shop("apartment-building", change=has(0, points=17, energy=10))
    card = item(view, "apartment-building")
    assert ask(view, go_on(view, decisions.BuyDecision)).reply("a") == Give(Buy(card))


def test_going_without_the_card_that_saves_from_poison_is_asked_about() -> None:
    view = shop("heal", "wings", change=has(0, hearts=1, poison=1, energy=10))
    question = ask(view, go_on(view, decisions.BuyDecision))
    assert question.reply("n") == Confirm(
        "You would be out of the game. Your answer: buy nothing. Do it?", Done()
    )
    assert question.reply("a") == Give(Buy(item(view, "heal")))
    # After this purchase the same is asked again, and it is not too late.
    assert question.reply("b") == Give(Buy(item(view, "wings")))


def test_stopping_with_dice_that_leave_the_poison_is_asked_about_with_rolls_left() -> None:
    view = rolled("112233", has(0, hearts=1, poison=1))
    question = ask(view, go_on(view, decisions.RollDecision))
    assert question.reply("d") == Confirm(
        "You would be out of the game. Your answer: stop and take nothing. Do it?", Stop()
    )


def test_enter_alone_proposes_what_saves_and_then_does_it() -> None:
    view = shop("heal", "wings", change=has(0, hearts=1, poison=1, energy=10))
    asking = dialogue(view)
    assert asking.read_line("")[0] == ("Advice: buy Heal. Otherwise you would be out of the game.")
    asking.read_line("")
    assert asking.answer == Buy(item(view, "heal"))


def test_grave_advice_is_not_proposed_where_something_else_is_left() -> None:
    asking = dialogue(rolled("112233", has(0, hearts=1, poison=1)), lambda view, decision: Stop())
    assert asking.read_line("")[0].startswith("Advice: roll all dice. ")
    asking.read_line("")
    assert asking.answer == Reroll((0, 1, 2, 3, 4, 5))


def test_enter_alone_ends_nothing_where_every_answer_is_grave() -> None:
    view = stopped("CC1123", all_of(placed(0), has(0, "jets", hearts=2), has(1, points=19)))
    go_on(view, decisions.YieldDecision)
    asking = dialogue(view)
    for _round in range(3):
        assert asking.read_line("")[0] == "Advice: stay in Tokyo."
        asking.read_line("")
        assert isinstance(asking.waiting, Confirm)
        assert asking.read_line("") == [asking.question.prompt()]
    assert asking.answer is None


def test_a_proposal_is_weighed_when_it_is_accepted() -> None:
    """It may be grave only if nothing harmless was found."""
    asking = dialogue(rolled("112233", has(0, hearts=1, poison=1)))
    asking._follow_reply(Propose("Advice: stop.", Stop()))
    assert asking.read_line("")[0].startswith("You would be out of the game.")
    assert asking.read_line("") == [asking.question.prompt()]
    assert asking.answer is None


def hit(hearts: int, energy: int, claws: int, key: str) -> SeatView:
    """Rex in Tokyo hits Ana. She has a card against it."""
    faces = "C" * claws + "112233"[: 6 - claws]
    return stopped(faces, all_of(placed(1), has(0, key, hearts=hearts, energy=energy)))


def test_taking_damage_that_kills_is_asked_about_if_a_card_saves() -> None:
    view = hit(3, 2, 3, "wings")
    question = ask(view, go_on(view, decisions.ResponseDecision))
    assert question.reply("n") == Confirm(
        "You would be out of the game. Your answer: take the damage. Do it?", Pass()
    )
    saved = question.reply("")
    assert isinstance(saved, Propose)
    assert saved.answer == Use(item(view, "wings"))
    view = hit(4, 2, 3, "wings")
    assert ask(view, go_on(view, decisions.ResponseDecision)).reply("n") == Give(Pass())


@pytest.mark.parametrize(("energy", "is_asked"), [(4, True), (2, False)])
def test_healing_is_a_way_out_if_it_is_paid_often_enough(energy: int, *, is_asked: bool) -> None:
    view = hit(3, energy, 4, "rapid-healing")
    reply = ask(view, go_on(view, decisions.ResponseDecision)).reply("n")
    assert isinstance(reply, Confirm) == is_asked
    assert ask(view, go_on(view, decisions.ResponseDecision)).reply("heal") == Give(
        Use(item(view, "rapid-healing"))
    )


def test_letting_winning_dice_lie_is_asked_about() -> None:
    view = stopped("333112", all_of(has(0, "psychic-probe"), has(1, points=17)))
    probe = go_on(view, decisions.ProbeDecision)
    reply = ask(view, probe).reply("n")
    assert reply == Confirm(
        "Rex would have 20 points and win. Your answer: leave the dice as they are. Do it?", Pass()
    )


def test_two_who_win_together_are_both_named() -> None:
    view = stopped("CC1123", all_of(placed(0), has(1, points=19), has(2, points=20)))
    go_on(view, decisions.YieldDecision)
    assert dialogue(view).read_line("l")[0] == (
        "Rex and Mia would have 20 points and win together. Your answer: leave Tokyo. Do it?"
    )


def test_an_order_never_lets_another_win() -> None:
    view = hit_in_tokyo(hearts=5)
    orders = Orders(yield_at=9)
    assert answer_by_orders(view, go_on(view, decisions.YieldDecision), orders) is None
    view = hit_in_tokyo(hearts=5, points=3)
    followed = answer_by_orders(view, go_on(view, decisions.YieldDecision), orders)
    assert followed is not None
    given: Answer = followed[0]
    assert given == Yield()


def test_the_game_is_left_alone_by_weighing() -> None:
    view = hit_in_tokyo()
    before = view.game.digest()
    dialogue(view).read_line("l")
    assert view.game.digest() == before
