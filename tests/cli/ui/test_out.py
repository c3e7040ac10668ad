"""A player who is out of the game and watches on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.ui import table_commands
from kotp2p.notices import GameStarted
from kotp2p.seat_view import SeatView
from tests.support.laid_decisions import table
from tests.support.local_game import at_terminal, said
from tests.support.recorded_control import Orders

REFUSAL = "You are out of the game, so the others decide about that without you."


def out_of_it(*, bot_plays: bool = False) -> SeatView:
    view = table()
    view.players = tuple(
        replace(p, keeper=0 if bot_plays and seat == 2 else seat)
        for seat, p in enumerate(view.players)
    )
    view.game.state.monsters[0].alive = False
    return view


@pytest.mark.parametrize("word", [c.word for c in table_commands.COMMANDS])
def test_the_others_decide_without_a_player_who_is_out(word: str) -> None:
    """But for the end of the own pause."""
    front, orders = at_terminal(), Orders()
    front.attach(orders)
    front.show(GameStarted(out_of_it()))
    front.read_line(word)
    is_own_pause = word == table_commands.GO_ON.word
    assert bool(orders.given) is is_own_pause
    assert (REFUSAL in said(front)) is not is_own_pause


def test_whoever_keeps_a_bot_in_the_game_still_has_a_say() -> None:
    front, orders = at_terminal(), Orders()
    front.attach(orders)
    front.show(GameStarted(out_of_it(bot_plays=True)))
    front.read_line("drop")
    assert orders.given
