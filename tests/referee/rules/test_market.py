"""Cards: lazy draws, refills, the end of the deck, the top card, sweeps, purchases."""

import pytest

from kotp2p.referee.box.rulesets import CLASSIC, SECOND
from kotp2p.referee.model import answers
from kotp2p.referee.model.decisions import BuyDecision, Chance, ChanceKind, Draw, ResponseDecision
from kotp2p.referee.model.events import CardBought, DeckRenewed, MarketFilled, TopLost, TopSeen
from kotp2p.referee.model.state import Source
from tests.support.referee_table import CITY, Played, Sits, seated

QUIET = "112233"


def shopping(*monsters: Sits, market: tuple[str, ...] = ("wings", "jets", "tank"),
             undrawn: tuple[str, ...] = (), discard: tuple[str, ...] = ()) -> Played:  # fmt: skip
    """Seat 0, outside, is asked what to buy; seat 1 holds the City."""
    play = seated(SECOND, *monsters, market=market, undrawn=undrawn, discard=discard)
    play.roll(QUIET)
    play.default_until("buy")
    return play


def test_a_bought_card_is_replaced_in_its_slot_and_can_be_bought_at_once() -> None:
    play = shopping(Sits(energy=8), Sits(CITY), undrawn=("corner-store", "heal"))
    play.say(0, answers.Buy(play.item("tank")))
    assert play.chance.draws == (Draw(2, 0),)
    play.draw("corner-store")
    assert play.state.market[2] == play.item("corner-store")
    assert (play.monster(0).energy, play.monster(0).points) == (4, 4)
    play.say(0, answers.Buy(play.item("corner-store")))
    play.draw("heal")
    assert (play.monster(0).energy, play.monster(0).points) == (1, 5)


def test_a_storm_asks_again_about_the_energy_that_it_would_take_now() -> None:
    others = Sits(CITY), Sits(hearts=4, energy=7, cards=("rapid-healing",))
    play = shopping(Sits(energy=6), *others, market=("vast-storm",))
    play.say(0, answers.Buy(play.item("vast-storm")))
    for loss in (3, 2, 1):
        assert isinstance(play.decision, ResponseDecision)
        assert play.decision.amount == loss
        play.say(2, answers.Use(play.item("rapid-healing")))


def test_without_cards_to_draw_no_chance_is_asked() -> None:
    play = shopping(Sits(energy=9), Sits(CITY))
    play.say(0, answers.Buy(play.item("tank")))
    assert play.asks == (0, "buy")
    assert play.state.market == [play.item("wings"), play.item("jets"), None]
    assert play.state.discard == [play.item("tank")], "it could not fill its own gap (A-87)"


def test_the_discard_pile_becomes_the_deck_within_one_refill() -> None:
    """A-62: one card is left, two come from the discard pile."""
    play = shopping(Sits(energy=2), Sits(CITY), undrawn=("heal",), discard=("energize", "frenzy"))
    play.say(0, answers.Sweep())
    chance = play.chance
    assert chance.draws == (Draw(1, 0), Draw(5, 1), Draw(5, 1))
    swept = {play.item(key) for key in ("wings", "jets", "tank")}
    assert swept < set(chance.piles[1])
    play.draw("heal", "wings", "frenzy")
    filled = [event for event in play.events if isinstance(event, MarketFilled | DeckRenewed)]
    assert [type(event) for event in filled] == [MarketFilled, DeckRenewed, MarketFilled]
    assert play.state.discard == []
    assert play.state.undrawn == sorted(play.item(k) for k in ("jets", "tank", "energize"))


def test_what_no_pile_can_give_stays_a_gap() -> None:
    play = shopping(Sits(energy=4), Sits(CITY), market=("wings",), undrawn=("heal",))
    assert play.state.market[1:] == [None, None]
    play.say(0, answers.Sweep())
    assert play.chance.draws == (Draw(1, 0), Draw(1, 1))
    play.draw("heal", "wings")
    assert play.state.market == [play.item("heal"), play.item("wings"), None]


def test_an_empty_market_is_filled_before_a_buy_step_in_which_nothing_can_be_bought() -> None:
    """A-101: as soon as there is a card again."""
    play = seated(SECOND, Sits(), Sits(CITY), discard=("heal",))
    play.roll(QUIET)
    while not isinstance(play.game.pending, Chance):
        play.say(play.decision.seat, play.decision.default)
    play.draw("heal")
    assert play.state.market == [play.item("heal"), None, None]


def test_two_draws_of_one_pile_give_two_cards() -> None:
    play = shopping(Sits(energy=2), Sits(CITY), undrawn=("heal", "energize", "frenzy"))
    play.say(0, answers.Sweep())
    assert play.chance.why_illegal((1, 1, 0)) is answers.Reason.BAD_OUTCOME
    assert play.chance.why_illegal((1, 2, 0)) is None


def test_a_card_that_cannot_be_paid_is_not_for_sale() -> None:
    play = shopping(Sits(energy=4), Sits(CITY))
    play.refuses(answers.Buy(play.item("wings")), answers.Reason.NOT_FOR_SALE)


def test_a_monster_that_can_do_nothing_is_not_asked() -> None:
    play = seated(SECOND, Sits(energy=1), Sits(CITY), market=("wings", "jets", "tank"))
    play.roll(QUIET)
    play.finish_turn()
    assert (0, "buy") not in play.asked


# -- the top card ----------------------------------------------------------------------------------


LAB = Sits(energy=9, cards=("made-in-a-lab",))


def looked() -> Played:
    play = shopping(LAB, Sits(CITY), Sits(), undrawn=("heal", "skyscraper", "energize"))
    play.say(0, answers.Peek())
    assert (play.chance.kind, play.chance.seat) == (ChanceKind.LOOK, 0)
    assert play.chance.piles == (tuple(play.state.undrawn),)
    play.look(0)
    return play


def test_the_state_shows_of_a_look_only_the_seat_that_has_looked() -> None:
    play = looked()
    assert play.events[-1] == TopSeen(0)
    assert play.state.seen_by == (0,)
    assert len(play.state.undrawn) == 3


def test_only_its_seat_can_look() -> None:
    play = shopping(LAB, Sits(CITY), undrawn=("heal",))
    play.say(0, answers.Peek())
    with pytest.raises(answers.IllegalAction):
        play.look(1)
    with pytest.raises(answers.IllegalAction):
        play.game.submit(answers.Looked(0, 2))
    assert play.state.seen_by == ()


def test_the_same_top_card_is_not_looked_at_twice() -> None:
    play = looked()
    play.refuses(answers.Peek(), answers.Reason.ALREADY_SEEN)


def test_the_top_card_is_bought_without_a_new_market_card() -> None:
    play = looked()
    market = list(play.state.market)
    play.say(0, answers.BuyTop(play.item("skyscraper")))
    assert CardBought(0, play.item("skyscraper"), 6, Source.TOP) in play.events
    assert play.state.market == market
    assert (play.monster(0).points, play.monster(0).energy) == (4, 3)
    assert play.state.seen_by == ()
    decision = play.decision
    assert isinstance(decision, BuyDecision) and decision.peek, "the next one can be looked at"


def test_a_top_card_that_cannot_be_paid_is_refused() -> None:
    play = looked()
    play.say(0, answers.Buy(play.item("jets")))
    play.draw("heal")
    assert play.state.seen_by == (), "the seen card is the first to come"
    play.say(0, answers.Peek())
    play.look(0)
    play.refuses(answers.BuyTop(play.item("skyscraper")), answers.Reason.CANNOT_PAY)


def test_a_top_card_is_bought_only_by_a_seat_that_has_seen_it() -> None:
    play = shopping(Sits(energy=9), Sits(CITY), undrawn=("heal",))
    play.refuses(answers.BuyTop(play.item("heal")), answers.Reason.NOT_SEEN)


def test_the_top_card_is_burnt_when_its_first_looker_leaves() -> None:
    play = looked()
    play.out(0)
    assert TopLost() in play.events
    assert play.state.seen_by == ()


def test_the_top_card_stays_seen_over_the_turns() -> None:
    play = looked()
    play.say(0, answers.Done())
    assert play.state.active == 1
    assert play.state.seen_by == (0,)
    play.out(2)
    assert play.state.seen_by == (0,), "another monster that leaves does not matter"


def test_a_look_at_an_empty_deck_turns_the_discard_pile_over() -> None:
    play = shopping(LAB, Sits(CITY), discard=("heal",))
    play.say(0, answers.Peek())
    assert DeckRenewed() in play.events
    assert play.chance.piles == ((play.item("heal"),),)


def test_a_second_look_comes_behind_the_first() -> None:
    play = shopping(
        LAB, Sits(CITY, energy=9, cards=("mimic",)), Sits(), undrawn=("heal", "energize")
    )
    play.say(0, answers.Peek())
    play.look(0)
    play.say(0, answers.Done())
    play.default_until("copy")
    play.say(1, answers.Copy(play.item("made-in-a-lab")))
    play.roll(QUIET)
    play.default_until("buy")
    play.say(1, answers.Peek())
    play.look(1)
    assert play.state.seen_by == (0, 1)
    play.out(0)
    assert not play.state.seen_by


# -- prices of purchases ---------------------------------------------------------------------------


def test_discounts_of_two_cards_add_up() -> None:
    play = seated(
        CLASSIC,
        Sits(CITY, energy=9, cards=("alien-origin", "mimic")),
        Sits(),
        market=("wings", "jets", "corner-store"),
    )
    play.say(0, answers.Copy(play.item("alien-origin")))
    play.roll(QUIET)
    play.default_until("buy")
    decision = play.decision
    assert isinstance(decision, BuyDecision)
    assert [offer.price for offer in decision.offers] == [4, 3, 1]
    play.say(0, answers.Sweep())
    assert play.monster(0).energy == 6, "1 for the copy, 2 for the sweep"


def test_who_has_sold_made_in_a_lab_knows_the_top_card_in_vain() -> None:
    play = shopping(
        Sits(energy=9, cards=("made-in-a-lab", "metamorph")), Sits(CITY), undrawn=("heal",)
    )
    play.say(0, answers.Peek())
    play.look(0)
    play.say(0, answers.Done())
    play.say(0, answers.Sell((play.item("made-in-a-lab"),)))
    play.finish_turn()
    play.roll(QUIET)
    play.finish_turn()
    play.roll(QUIET)
    play.default_until("buy")
    decision = play.decision
    assert isinstance(decision, BuyDecision)
    assert play.state.seen_by == (decision.seat,) == (0,)
    assert (decision.peek, decision.top, decision.tops) == (False, False, ())
    play.refuses(answers.BuyTop(play.item("heal")), answers.Reason.NOT_SEEN)
