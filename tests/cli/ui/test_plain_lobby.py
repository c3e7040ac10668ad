"""The plain mode in the lobby: lines from a pipe wait until there is a use for them."""

from __future__ import annotations

import trio
import trio.testing

from kotp2p.notices import LobbyChanged, LobbySeat
from tests.support.local_game import Orders, piped


async def test_a_pipe_waits_in_the_lobby_for_what_is_no_order() -> None:
    front = piped()
    orders = Orders()
    front.attach(orders)
    seat = LobbySeat("Ana", "Gigazaur", b"a", False, True)
    front.show(LobbyChanged((seat, None), 0, "second"))
    await front.wait_until_wanted("start")
    front.read_line("start")
    assert orders.given == ["start"]
    with trio.move_on_after(0) as waited:
        await front.wait_until_wanted("33c")
    assert waited.cancelled_caught
