"""What lies over the table, at F1, F2 and F4 and after a command, until it is closed."""

import trio

from kotp2p.cli.ask.standing_orders import Orders as StandingOrders
from kotp2p.cli.ui.screen.controls import seat_screen_player
from kotp2p.extras import bots
from kotp2p.referee.model.answers import Yield
from kotp2p.referee.model.decisions import YieldDecision
from kotp2p.seams.notices import LobbyChanged, LobbySeat
from tests.support import screen_terminal as keys
from tests.support.local_game import Orders
from tests.support.screen_table import Asked, played, roll
from tests.support.screen_terminal import ENTER, ESC, F1, F2, Terminal, on_screen


@played(lambda: Asked(roll()))
async def test_pages_lie_over_the_table_and_the_prompt_stays(asked: Asked, t: Terminal) -> None:
    t.press(F1)
    rows = await t.see("-- Help", "h is a heart", "F6: pick a command", "Esc: clear the line")
    assert "Keep which?" in rows[21]
    t.press(keys.PAGE_DOWN + keys.PAGE_DOWN + keys.PAGE_DOWN)
    await t.see("?: this help.")
    t.press(ESC)
    await t.see("Gigazaur")
    t.press(F2)
    await t.see("Cards in sight", "For sale:")
    t.press("state" + ENTER)
    await t.see("What you asked for", "Ana (you), Gigazaur, outside Tokyo")
    t.press(ENTER)
    await t.see("F2 reads them")
    assert not asked.answers


@played(lambda: Asked(roll()))
async def test_f1_once_more_shows_the_rules_and_so_does_the_word(asked: Asked, t: Terminal) -> None:
    t.press(F1)
    await t.see("-- Help", "F1: this help, and the rules.")
    t.press(F1)
    await t.see("-- How the game is played", "The aim: 20 points", "Enter on an empty line")
    t.press(F1)
    await t.see("-- Help")
    t.press(ESC + "rules tokyo" + ENTER)
    rows = await t.see("What you asked for", "1 point for entering")
    assert "Keep which?" in rows[21]
    assert not asked.answers


@played(lambda: Asked(roll()))
async def test_f4_shows_the_standing_orders_and_answers_nothing(asked: Asked, t: Terminal) -> None:
    t.press("orders yield 3" + ENTER)
    await t.see("You leave Tokyo if staying leaves you 3 hearts or fewer.")
    t.press(ESC)
    await t.see("F2 reads them")
    t.press(keys.F4)
    await t.see(
        "What you asked for: orders", "orders yield 3: you leave Tokyo", "orders stay 6: you stay"
    )
    t.press(ESC + keys.F10)
    await t.see("Leave the game for good?")
    t.press(keys.F4)
    await t.see("Leave the game for good?")
    assert not asked.answers


def test_orders_of_the_settings_hold_at_the_drawn_table_and_are_shown() -> None:
    asked = Asked(YieldDecision(0, 1), roll())
    asked.player.standing.orders = StandingOrders(yield_at=10)

    async def play(t: Terminal) -> None:
        await t.see("Keep which?", "You leave Tokyo if staying", "Standing order: you leave Tokyo")
        t.press(keys.F3 + keys.PAGE_UP)
        await t.see("Your standing orders:")
        assert asked.answers == [Yield()]
        t.press(keys.F4)
        await t.see("You leave Tokyo if staying leaves you 10 hearts or fewer.")

    asked.by(play)


def test_f4_works_in_the_lobby() -> None:
    seated = seat_screen_player(bots.advise, unread_seconds=0)
    ana = LobbySeat("Ana", "Gigazaur", b"a", bot=False, host=True)

    async def wait() -> None:
        seated.player.attach(Orders())
        seated.player.show(LobbyChanged((ana, None), 0, "second"))
        await trio.sleep_forever()

    async def play(t: Terminal) -> None:
        await t.see("start: begin the game.")
        t.press(keys.F4)
        await t.see("You have no standing orders", "orders yield 3: you")
        t.press(ESC + "orders stay 6" + ENTER)
        await t.see("You stay in Tokyo if that leaves you 6 hearts or more.")

    on_screen(seated, wait, play)
