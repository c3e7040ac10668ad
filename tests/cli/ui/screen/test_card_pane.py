"""From 132 columns on, the text of the card under the cursor stands in sight."""

from __future__ import annotations

from kotp2p import bots
from kotp2p.cli.ui.screen.controls import seat_screen_player
from kotp2p.cli.ui.screen.dice_and_cards import draw_cards_of_others, item_of_answer
from kotp2p.cli.ui.screen.draw import draw_screen
from kotp2p.referee.box.rulesets import DARK
from kotp2p.referee.model.answers import Buy, Copy, Pass, Sell, Take
from kotp2p.referee.model.decisions import BuyDecision, Offer
from kotp2p.referee.model.state import Holding
from kotp2p.seams.notices import GameStarted, SeatView
from tests.support.laid_decisions import item, table, tile
from tests.support.local_game import new_view
from tests.support.screen_table import Asked
from tests.support.screen_terminal import DOWN, Terminal


def shopping_table() -> tuple[SeatView, BuyDecision]:
    view = table()
    wings, jets = item(view, "wings"), item(view, "jets")
    view.game.state.monsters[0].energy = 9
    view.game.state.market = [wings, jets, None]
    return view, BuyDecision(0, (Offer(wings, 6), Offer(jets, 5)), True, False, False)


def test_the_picked_card_is_shown_whole() -> None:
    view, decision = shopping_table()
    asked = Asked(decision, view=view)

    async def play(t: Terminal) -> None:
        await t.see("YOUR TURN: buy")
        t.press(DOWN)
        rows = await t.see("> n")
        assert not any("under the cursor" in row for row in rows)  # that answer names no card
        t.press(DOWN)
        rows = await t.see("-- The card under the cursor", "> a")
        at = next(n for n, row in enumerate(rows) if "under the cursor" in row)
        assert rows[at + 1].startswith(" Wings, keep")
        t.press(DOWN)
        rows = await t.see("> b")
        assert rows[at + 1].startswith(" Jets, keep")

    asked.by(play, 132, 40)


def test_ones_own_cards_stand_there_while_none_is_picked() -> None:
    view = new_view(3)
    view.game.state.monsters[0].holdings = [Holding(item(view, "wings"), 1)]
    seated = seat_screen_player(bots.advise)
    seated.player.show(GameStarted(view))
    text = ["".join(t for _s, t in row) for row in draw_screen(seated.screen, 132, 38)]
    at = next(n for n, row in enumerate(text) if row.startswith("-- Your cards"))
    assert text[at + 1].startswith(" Wings, keep")
    narrow = ["".join(t for _s, t in row) for row in draw_screen(seated.screen, 131, 38)]
    assert not any("Your cards" in row for row in narrow)


def test_the_card_of_an_answer() -> None:
    view = new_view(3, DARK)
    a_tile = tile(view, DARK.tiles[0].key)
    assert item_of_answer(Buy(3)) == item_of_answer(Copy(3)) == 3
    assert item_of_answer(Take(a_tile)) == a_tile
    assert item_of_answer(Pass()) is None
    assert item_of_answer(Sell((1, 2))) is None


def test_the_shop_has_its_texts_while_a_card_may_be_bought() -> None:
    """At 80x24 they take the place of the dice, so that nothing has to be opened to read them."""
    view, decision = shopping_table()
    asked = Asked(decision, view=view)

    async def play(t: Terminal) -> None:
        rows = await t.see("YOUR TURN: buy")
        whole = " ".join(row.strip() for row in rows)
        for offer in decision.offers:
            assert view.game.card(offer.card).text in whole
        assert rows[18].startswith("-- YOUR TURN: buy")
        assert rows[23].startswith("F1 Help")

    asked.by(play)


def test_the_cards_of_the_others_stand_there_where_there_is_room_with_their_letter() -> None:
    view = new_view(3)
    view.game.state.monsters[1].holdings = [Holding(item(view, "wings"), 1)]
    view.game.state.monsters[2].holdings = [Holding(item(view, "jets"), 1)]
    view.game.state.monsters[2].alive = False
    seated = seat_screen_player(bots.advise)
    seated.player.show(GameStarted(view))
    text = ["".join(t for _s, t in row) for row in draw_screen(seated.screen, 132, 38)]
    at = next(n for n, row in enumerate(text) if row.startswith("-- Cards of the others"))
    assert text[at + 1].startswith(" K Wings, keep")
    assert "you take no damage" in " ".join(row[:80] for row in text[at + 2 : at + 5])
    assert not any("Jets, keep" in row[:80] for row in text)


def test_a_card_without_room_is_left_out_whole() -> None:
    view = new_view(3)
    view.game.state.monsters[1].holdings = [Holding(item(view, "wings"), 1)]
    whole = draw_cards_of_others(view, 80, 20)
    assert draw_cards_of_others(view, 80, len(whole)) == whole
    assert draw_cards_of_others(view, 80, len(whole) - 1) == []
