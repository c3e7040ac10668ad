"""The shop, Opportunist, Monster Batteries, Metamorph."""

import pytest

from cli.ask.reply import Confirm, Give, Propose, Refuse
from kotp2p.seat_view import SeatView
from referee.model.answers import Buy, BuyTop, Deposit, Done, Pass, Peek, Sell, Sweep
from referee.model.card_decisions import (
    BuyDecision,
    DepositDecision,
    Offer,
    OpportunistDecision,
    SellDecision,
)
from tests.support import staged_turns
from tests.support.laid_decisions import ask, item, table


def test_a_purchase_that_kills_is_asked_about() -> None:
    view = staged_turns.shop("jet-fighters", change=staged_turns.has(0, hearts=4, energy=10))
    bought = ask(view, staged_turns.go_on(view, BuyDecision)).reply("a")
    assert isinstance(bought, Confirm)
    assert bought.answer == Buy(item(view, "jet-fighters"))
    assert "out of the game" in bought.sentence


def shop(view: SeatView, energy: int = 6, *, peek: bool = False, top: bool = False) -> BuyDecision:
    wings, alien, energize = (item(view, k) for k in ("wings", "jets", "energize"))
    view.game.state.market = [wings, alien, energize]
    view.game.state.monsters[0].energy = energy
    offers = [Offer(wings, 6), Offer(alien, 5)]
    tentacles = Offer(item(view, "camouflage"), 3, 1)
    return BuyDecision(0, (*offers, tentacles), energy >= 2, peek, top, (Offer(wings, 6),) * top)


def test_the_shop_is_named_by_letters() -> None:
    view = table()
    question = ask(view, shop(view))
    assert question.facts() == [
        "For sale: a Wings 6, b Jets 5, c Energize 8 (too expensive). You have 6 energy.",
        "You may also buy 1 Camouflage from Rex for 3 energy.",
    ]
    assert question.prompt() == "Buy which card: a, b, 1, r new cards? Enter ends your turn."


def test_buying() -> None:
    view = table()
    question = ask(view, shop(view))
    assert question.reply("a") == Give(Buy(item(view, "wings")))
    assert question.reply("buy b") == Give(Buy(item(view, "jets")))
    assert question.reply("wings") == Give(Buy(item(view, "wings")))
    assert question.reply("1") == Give(Buy(item(view, "camouflage")))
    assert question.reply("r") == Give(Sweep())
    for typed in ("", "n", "d", "done"):
        assert question.reply(typed) == Give(Done())


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("c", "Energize is too expensive: you have 6 energy."),
        ("energize", "Energize is too expensive: you have 6 energy."),
        ("l", "That card cannot be used here."),
        ("t", "You have not seen the top card."),
        ("x", "x is not for sale; type a, b or 1, or press Enter to end your turn."),
        ("9", "9 is not for sale; type a, b or 1, or press Enter to end your turn."),
    ],
)
def test_what_is_not_for_sale(typed: str, why: str) -> None:
    view = table()
    assert ask(view, shop(view)).reply(typed) == Refuse(why)


def test_an_empty_slot_and_no_energy() -> None:
    view = table()
    decision = shop(view, 1)
    view.game.state.market[2] = None
    question = ask(view, BuyDecision(0, decision.offers[:1], False, False, False))
    assert question.reply("c") == Refuse("There is no card c.")
    assert question.reply("r") == Refuse("New cards cost 2 energy; you have 1 energy.")


def test_the_secret_top_card() -> None:
    view = table()
    assert ask(view, shop(view, peek=True)).reply("l") == Give(Peek())
    view.top = item(view, "wings")
    question = ask(view, shop(view, top=True))
    assert question.reply("t") == Give(BuyTop(view.top))
    assert any("the top card: Wings" in fact for fact in question.facts())


def test_opportunist() -> None:
    view = table()
    wings = item(view, "wings")
    view.game.state.monsters[0].energy = 7
    question = ask(view, OpportunistDecision(0, (Offer(wings, 6),)))
    assert question.facts() == ["Your chance to buy first: a Wings for 6 energy; you have 7."]
    assert question.reply("") == Give(Pass())
    assert isinstance(question.reply("b"), Refuse)
    assert isinstance(question.reply("maybe"), Refuse)


def test_batteries() -> None:
    view = table()
    question = ask(view, DepositDecision(0, 5), lambda v, d: Deposit(4))
    assert question.reply("3") == Give(Deposit(3))
    assert question.reply("۳") == Give(Deposit(3))
    assert question.reply("") == Propose("Advice: 4 energy.", Deposit(4))
    for typed in ("6", "-1", "x", "99999"):
        assert isinstance(question.reply(typed), Refuse)


def test_selling() -> None:
    view = table()
    wings, jets = sorted((item(view, "wings"), item(view, "jets")))
    question = ask(view, SellDecision(0, (wings, jets)))
    both = question.reply("2 1")
    assert isinstance(both, Confirm)
    assert both.answer == Sell((wings, jets))
    assert "for 11 energy" in both.sentence
    assert question.reply("") == Give(Done())
    for typed in ("3", "0", "1 3", "tank"):
        assert isinstance(question.reply(typed), Refuse)
