"""The sum of what has happened since the player's last turn, in lines and on the screen."""

import trio
import trio.testing

from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.cli.ui.screen.controls import seat_screen_player
from kotp2p.extras import bots
from kotp2p.referee.model.events import Event, HeartsLost, TurnEnded, TurnStarted
from kotp2p.referee.model.state import DamageKind
from kotp2p.seams.notices import GameStarted, Happened, SeatView
from tests.support.laid_decisions import table
from tests.support.local_game import Orders, at_terminal, said
from tests.support.screen_table import ROLLED, roll
from tests.support.screen_terminal import Terminal, on_screen

LINES = [
    "Since your last turn:",
    "Ana (you): 8 hearts (10 before), 0 points.",
    "Rex: 10 hearts, 0 points; hit you for 2.",
]


def goes(player: LinePlayer, view: SeatView, *events: Event) -> None:
    for event in events:
        event.apply(view.game.state)
    player.show(Happened(events, view))


def play_a_round(player: LinePlayer, view: SeatView) -> None:
    player.attach(Orders())
    player.show(GameStarted(view))
    hit = HeartsLost(0, 2, DamageKind.CLAWS, 1)
    goes(player, view, TurnEnded(0), TurnStarted(1), hit, TurnEnded(1), TurnStarted(0))


async def test_in_lines_it_comes_before_the_first_question_of_a_turn() -> None:
    player, view = at_terminal(), table(rolled=ROLLED)
    play_a_round(player, view)
    async with trio.open_nursery() as nursery:
        for _question in range(2):
            nursery.start_soon(player.decide, view, roll())
            await trio.testing.wait_all_tasks_blocked()
            player.read_line("33")
            await trio.testing.wait_all_tasks_blocked()
    lines = said(player)
    at = lines.index(LINES[0])
    assert lines[at : at + 3] == LINES
    assert lines.count(LINES[0]) == 1


async def test_it_is_not_told_in_the_turn_of_another() -> None:
    player, view = at_terminal(), table(rolled=ROLLED)
    play_a_round(player, view)
    view.game.state.active = 1
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.decide, view, roll())
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert LINES[0] not in said(player)


async def test_since_tells_it_at_any_time() -> None:
    player, view = at_terminal(), table(rolled=ROLLED)
    player.attach(Orders())
    player.show(GameStarted(view))
    player.read_line("since")
    assert said(player)[-1].endswith("Nothing has changed.")
    goes(player, view, HeartsLost(0, 1, DamageKind.CLAWS, 1))
    player.read_line("since")
    assert "Since the start:" in said(player)[-3]
    play_a_round(player, table(rolled=ROLLED))
    player.read_line("since")
    assert said(player)[-2:] == LINES[1:]


def test_on_the_screen_it_stands_in_the_log() -> None:
    seated, view = seat_screen_player(bots.advise, unread_seconds=0), table(rolled=ROLLED)

    async def play() -> None:
        play_a_round(seated.player, view)
        await seated.player.decide(view, roll())
        goes(seated.player, view, TurnEnded(0), TurnStarted(1))

    async def look(t: Terminal) -> None:
        rows = await t.see("Keep which?", "Since your last turn")
        at = next(n for n, row in enumerate(rows) if "Since your last turn" in row)
        assert [row.strip() for row in rows[at : at + 3]] == LINES
        assert rows[18].startswith("-- YOUR TURN")

    on_screen(seated, play, look)
