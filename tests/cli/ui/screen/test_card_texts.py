"""The texts of the cards for sale, and of those of the others, where there is room."""

from kotp2p.cli.ui.screen import controls, dice_and_cards
from kotp2p.extras import bots
from kotp2p.referee.model.decisions import BuyDecision, Offer
from kotp2p.referee.model.state import Holding
from kotp2p.seams.notices import GameStarted, SeatView
from tests.support import laid_decisions, local_game, screen_table, screen_terminal


def shopping_table() -> tuple[SeatView, BuyDecision]:
    view = laid_decisions.table()
    wings, jets = laid_decisions.item(view, "wings"), laid_decisions.item(view, "jets")
    view.game.state.monsters[0].energy = 9
    view.game.state.market = [wings, jets, None]
    return view, BuyDecision(0, (Offer(wings, 6), Offer(jets, 5)), True, False, False)


def test_the_shop_has_its_texts_while_a_card_may_be_bought() -> None:
    """At 80x24 they take the place of the dice, so that nothing has to be opened to read them."""
    view, decision = shopping_table()
    asked = screen_table.Asked(decision, view=view)

    async def play(t: screen_terminal.Terminal) -> None:
        rows = await t.see("YOUR TURN: buy")
        whole = " ".join(row.strip() for row in rows)
        for offer in decision.offers:
            assert view.game.card(offer.card).text in whole
        assert rows[18].startswith("-- YOUR TURN: buy")
        assert rows[23].startswith("F1 Help")

    asked.by(play)


def test_the_cards_of_the_others_stand_there_where_there_is_room_with_their_letter() -> None:
    view = local_game.new_view(3)
    view.game.state.monsters[1].holdings = [Holding(laid_decisions.item(view, "wings"), 1)]
    view.game.state.monsters[2].holdings = [Holding(laid_decisions.item(view, "jets"), 1)]
    view.game.state.monsters[2].alive = False
    seated = controls.seat_screen_player(bots.advise)
    seated.player.show(GameStarted(view))
    text = screen_table.rows_of(seated.screen, 132, 40)
    at = next(n for n, row in enumerate(text) if row.startswith("-- Cards of the others"))
    assert text[at + 1].startswith(" K Wings, keep")
    assert "you take no damage" in " ".join(row[:80] for row in text[at + 2 : at + 5])
    assert not any("Jets, keep" in row[:80] for row in text)


def test_a_card_without_room_is_left_out_whole() -> None:
    view = local_game.new_view(3)
    view.game.state.monsters[1].holdings = [Holding(laid_decisions.item(view, "wings"), 1)]
    whole = dice_and_cards.draw_cards_of_others(view, 80, 20)
    assert dice_and_cards.draw_cards_of_others(view, 80, len(whole)) == whole
    assert dice_and_cards.draw_cards_of_others(view, 80, len(whole) - 1) == []
