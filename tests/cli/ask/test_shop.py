"""The shop, Opportunist, Monster Batteries, Metamorph."""

import pytest

from kotp2p.cli.ask.dialogue import Explained, QuestionDialogue
from kotp2p.cli.ask.question import Confirm, Give, Propose, Refuse
from kotp2p.cli.system.languages import list_languages, speak
from kotp2p.cli.text.i18n import line_width
from kotp2p.cli.text.player_rules import printed_name
from kotp2p.cli.text.queries import TableQueries, price_tag
from kotp2p.cli.ui.screen.dice_and_cards import MANY_ROWS, NAMES_ALONE, draw_shop, draw_shop_rule
from kotp2p.cli.ui.screen.theme import CUT_MARK, Row
from kotp2p.referee.box.rulesets import CLASSIC, DARK
from kotp2p.referee.model import decisions
from kotp2p.referee.model.answers import Buy, BuyTop, Deposit, Done, Pass, Peek, Sell, Sweep
from kotp2p.referee.model.state import Holding, Place
from kotp2p.seams.notices import SeatView
from tests.support.laid_decisions import ask, item, table


def shop(
    view: SeatView, energy: int = 6, *, peek: bool = False, top: bool = False
) -> decisions.BuyDecision:
    wings, alien, energize = (item(view, k) for k in ("wings", "jets", "energize"))
    view.game.state.market = [wings, alien, energize]
    view.game.state.monsters[0].energy = energy
    offers = [decisions.Offer(wings, 6), decisions.Offer(alien, 5)]
    tentacles = decisions.Offer(item(view, "camouflage"), 3, 1)
    return decisions.BuyDecision(
        0, (*offers, tentacles), energy >= 2, peek, top, (decisions.Offer(wings, 6),) * top
    )


def test_the_shop_is_named_by_letters() -> None:
    view = table()
    question = ask(view, shop(view))
    assert question.facts() == [
        "For sale: (a) Wings for 6 energy, (b) Jets for 5 energy, (c) Energize for 8 energy "
        "(too dear). You have 6 energy.",
        "You may also buy (1) Camouflage from Rex for 3 energy.",
    ]
    assert question.prompt() == (
        "Buy a, b or 1? r: new cards for 2 energy. n ends your turn, Enter for advice."
    )


def test_buying() -> None:
    view = table()
    question = ask(view, shop(view))
    assert question.reply("a") == Give(Buy(item(view, "wings")))
    assert question.reply("buy b") == Give(Buy(item(view, "jets")))
    assert question.reply("wings") == Give(Buy(item(view, "wings")))
    assert question.reply("1") == Give(Buy(item(view, "camouflage")))
    assert question.reply("r") == Give(Sweep())
    for typed in ("n", "d", "done"):
        assert question.reply(typed) == Give(Done())


def test_enter_proposes_the_card_that_is_advised_and_enter_again_buys_it() -> None:
    view = table()
    wings = item(view, "wings")
    question = ask(view, shop(view), lambda _view, _asked: Buy(wings))
    asking = QuestionDialogue(question, Explained())
    assert asking.read_line("")[0] == "Advice: buy Wings."
    assert asking.answer is None
    asking.read_line("")
    assert asking.answer == Buy(wings)


def test_where_nothing_can_be_done_enter_ends_the_turn_at_once() -> None:
    view = table()
    shop(view, 0)
    question = ask(view, decisions.BuyDecision(0, (), False, False, False))
    assert question.prompt() == "You can buy none of them. Enter ends your turn."
    assert question.reply("") == Give(Done())


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("c", "Energize is too dear: it costs 8 energy, you have 6."),
        ("energize", "Energize is too dear: it costs 8 energy, you have 6."),
        ("l", "You have no card that lets you look at the top card of the deck."),
        ("t", "You have not seen the top card."),
        ("x", "x is not an answer; type n, a, b, 1 or r, or press Enter."),
        ("9", "9 is not an answer; type n, a, b, 1 or r, or press Enter."),
    ],
)
def test_what_is_not_for_sale(typed: str, why: str) -> None:
    view = table()
    assert ask(view, shop(view)).reply(typed) == Refuse(why)


def test_an_empty_slot_and_no_energy() -> None:
    view = table()
    decision = shop(view, 1)
    view.game.state.market[2] = None
    question = ask(view, decisions.BuyDecision(0, decision.offers[:1], False, False, False))
    assert question.reply("c") == Refuse("There is no card c.")
    assert question.reply("r") == Refuse("New cards cost 2 energy; you have 1 energy.")


def test_the_secret_top_card() -> None:
    view = table()
    assert ask(view, shop(view, peek=True)).reply("l") == Give(Peek())
    view.top = item(view, "wings")
    question = ask(view, shop(view, top=True))
    assert question.reply("t") == Give(BuyTop(view.top))
    assert any("the top card: Wings" in fact for fact in question.facts())


def queries(view: SeatView) -> TableQueries:
    found = TableQueries()
    found.view = view
    return found


def own(view: SeatView, *keys: str) -> None:
    view.game.state.monsters[0].holdings = [
        Holding(item(view, key), n) for n, key in enumerate(keys, 1)
    ]


def test_a_discount_counts_wherever_a_price_is_shown() -> None:
    view = table()
    decision = shop(view, 7)
    own(view, "alien-origin")
    tag = price_tag(view, item(view, "energize"))
    assert (tag.price, tag.can_be_bought, tag.describe_obstacle()) == (7, True, "")
    told, *_ = ask(view, decision).facts()
    assert told.startswith(
        "For sale: (a) Wings for 5 energy, (b) Jets for 4 energy, (c) Energize for 7 energy."
    )
    assert "Energize, 7 energy" in "".join(queries(view).answer_query("shop") or [])
    rows = ["".join(text for _style, text in row) for row in draw_shop(view, 100, 0)]
    assert rows[3].startswith(" c Energize, 7 energy, ")
    view.game.state.monsters[0].energy = 6
    assert price_tag(view, item(view, "energize")).describe_obstacle() == (
        "Energize is too dear: it costs 7 energy, you have 6."
    )


def test_a_card_that_cannot_be_had_in_tokyo_says_so_wherever_it_is_shown() -> None:
    view = table(rules=DARK)
    hibernation = item(view, "hibernation")
    me = view.game.state.monsters[0]
    me.energy, me.place = 9, Place.CITY
    view.game.state.market = [hibernation, None, None]
    question = ask(view, decisions.BuyDecision(0, (), True, False, False))
    assert question.facts()[0] == (
        "For sale: (a) Hibernation for 4 energy (not while you are in Tokyo). You have 9 energy."
    )
    assert question.prompt() == (
        "You can buy none of them. r: new cards for 2 energy. n ends your turn, Enter for advice."
    )
    why = "You cannot buy Hibernation while you are in Tokyo."
    assert question.reply("a") == Refuse(why)
    assert question.reply("hibernation") == Refuse(why)
    told = (queries(view).answer_query("shop") or [""])[0]
    assert told.startswith("(a) Hibernation, 4 energy, keep (not while you are in Tokyo): ")
    rows = ["".join(text for _style, text in row) for row in draw_shop(view, 100, 0)]
    assert rows[1].startswith(" a Hibernation, 4 energy, ")
    assert "(not while you are in Tokyo)" in rows[1]
    me.place = Place.OUTSIDE
    assert price_tag(view, hibernation).can_be_bought


def test_a_card_that_lets_its_owner_buy_nothing_is_named() -> None:
    view = table(rules=DARK)
    view.game.state.monsters[0].energy = 9
    own(view, "hibernation")
    assert price_tag(view, item(view, "wings")).describe_obstacle() == (
        "You cannot buy Wings: Hibernation lets you buy nothing."
    )


def test_a_top_card_that_is_too_expensive_says_so() -> None:
    view = table()
    view.top = item(view, "wings")
    decision = shop(view, 3)
    question = ask(view, decisions.BuyDecision(0, decision.offers[1:2], True, False, True))
    why = "Wings is too dear: it costs 6 energy, you have 3."
    assert why in question.facts()
    assert question.reply("t") == Refuse(why)
    assert "t buys" not in question.prompt()


def test_nothing_to_sweep_is_no_lack_of_energy() -> None:
    view = table()
    shop(view)
    question = ask(view, decisions.BuyDecision(0, (), False, False, False))
    assert question.reply("r") == Refuse("There are no cards that new ones could replace.")


def test_opportunist() -> None:
    view = table()
    wings = item(view, "wings")
    view.game.state.market[0] = wings
    view.game.state.monsters[0].energy = 7
    question = ask(view, decisions.OpportunistDecision(0, (decisions.Offer(wings, 6),)))
    assert question.facts() == ["Your chance to buy first: (a) Wings for 6 energy; you have 7."]
    assert question.reply("") == Propose("Advice: buy nothing.", Pass())
    assert question.reply("n") == Give(Pass())
    assert isinstance(question.reply("b"), Refuse)
    assert isinstance(question.reply("maybe"), Refuse)


def test_batteries() -> None:
    view = table()
    question = ask(view, decisions.DepositDecision(0, 5), lambda v, d: Deposit(4))
    assert question.reply("3") == Give(Deposit(3))
    assert question.reply("۳") == Give(Deposit(3))
    assert question.reply("") == Propose("Advice: 4 energy.", Deposit(4))
    for typed in ("6", "-1", "x", "99999"):
        assert isinstance(question.reply(typed), Refuse)


def test_selling() -> None:
    view = table()
    wings, jets = sorted((item(view, "wings"), item(view, "jets")))
    question = ask(view, decisions.SellDecision(0, (wings, jets)))
    both = question.reply("2 1")
    assert isinstance(both, Confirm)
    assert both.answer == Sell((wings, jets))
    assert "for 11 energy" in both.sentence
    assert question.reply("") == Propose("Advice: sell nothing.", Done())
    assert question.reply("n") == Give(Done())
    for typed in ("3", "0", "1 3", "tank"):
        assert isinstance(question.reply(typed), Refuse)


def drawn(rows: list[Row]) -> list[str]:
    return ["".join(text for _style, text in row) for row in rows]


def test_where_a_text_is_cut_the_rule_says_which_key_reads_it() -> None:
    view = table()
    view.game.state.market = [item(view, "wings"), item(view, "jets"), None]
    left = len(view.game.state.undrawn)
    whole = drawn(draw_shop(view, 47, MANY_ROWS))
    assert f"{left} more cards in the deck" in whole[0]
    assert not any(".." in row for row in whole)
    cut = drawn(draw_shop(view, 47, 1))
    assert "F2 reads them" in cut[0]
    assert any(row.endswith("..") for row in cut)


def test_a_long_head_is_broken_and_no_part_of_it_is_cut() -> None:
    view = table(rules=CLASSIC)
    view.game.state.market = [item(view, "death-from-above"), None, None]
    view.game.state.monsters[0].energy = 0
    rows = drawn(draw_shop(view, 47, 0))
    assert rows[1:3] == [" a Drop from High Altitude, 5 energy, once (too", "     dear)"]
    assert drawn(draw_shop(view, 47, NAMES_ALONE))[1] == " a 5E Drop from High Altitude"


@pytest.mark.parametrize(
    ("keys", "ends"),
    [
        (("wings", "jets", "tank"), "F2 reads them --"),
        (("acid-attack", "alien-origin", "alpha-monster"), " F2 --"),
    ],
)
def test_the_row_of_prices_names_the_key_of_texts(keys: tuple[str, str, str], ends: str) -> None:
    view = table(rules=CLASSIC)
    view.game.state.market = [item(view, key) for key in keys]
    rows = drawn(draw_shop_rule(view, 80))
    assert rows[-1].endswith(ends)
    assert {len(row) for row in rows} == {80}
    assert "".join(rows).count("E ") == 3


@pytest.mark.parametrize("code", list_languages())
def test_every_name_is_whole_in_every_rule_and_shop(code: str) -> None:
    """With the two longest names beside it, in the narrowest window with one and two columns."""
    speak(code)
    view = table(rules=CLASSIC)
    view.game.state.monsters[0].place = Place.CITY  # the longest reason why nothing can be bought
    cards = range(len(view.game.setup.deck))
    names = {card: printed_name(view.game.card(card)) for card in cards}
    longest = sorted(cards, key=lambda card: line_width(names[card]))[-2:]
    for card in cards:
        market = [card, *longest]
        view.game.state.market[:] = market
        for rows in (draw_shop_rule(view, 60), draw_shop(view, 47, NAMES_ALONE)):
            shown = " ".join(drawn(rows))
            assert all(names[one] in shown for one in market)
            assert CUT_MARK not in shown
        assert len(draw_shop_rule(view, 80)) <= 2
        assert len(draw_shop(view, 47, NAMES_ALONE)) == 1 + len(market)
        assert not any(CUT_MARK in row for row in drawn(draw_shop(view, 47, MANY_ROWS)))
