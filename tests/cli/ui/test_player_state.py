"""The two tables of a line player, walked by what happens at a table."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import trio
import trio.testing

from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.cli.ui.player_state import Departure, Dialogue
from kotp2p.referee.model.decisions import Decision, YieldDecision
from kotp2p.seams.front import Control, Leave
from kotp2p.seams.notices import GameStarted, Notice, SeatView
from tests.support.laid_decisions import table
from tests.support.local_game import Orders, at_terminal, piped


class Ponderer:
    """A bot that comes to no answer."""

    def attach(self, control: Control) -> None: ...

    def show(self, notice: Notice) -> None: ...

    async def decide(self, view: SeatView, decision: Decision) -> Leave:
        await trio.sleep_forever()
        raise AssertionError


Event = Callable[[LinePlayer], object]
EVENTS: dict[str, Event] = {
    "leave": lambda player: player.read_line("quit"),
    "answer": lambda player: player.read_line("l"),
    "stay": lambda player: player.read_line(""),
    "y": lambda player: player.read_line("y"),
    "F10": lambda player: player.ask_to_leave(),
    "keep": lambda player: player.keep_seat(),
    "end": lambda player: player.end_input(terminal=False),
}
WALKS = [
    ("", Dialogue.IDLE, Departure.SEATED),
    ("leave", Dialogue.LEAVE_ASKED, Departure.SEATED),
    ("F10 F10", Dialogue.LEAVE_ASKED, Departure.SEATED),
    ("leave stay", Dialogue.IDLE, Departure.SEATED),
    ("leave y", Dialogue.IDLE, Departure.LEFT),
    ("leave y leave y", Dialogue.IDLE, Departure.LEFT),
    ("leave keep", Dialogue.IDLE, Departure.KEPT),
    ("keep leave y", Dialogue.IDLE, Departure.KEPT),
    ("leave end", Dialogue.IDLE, Departure.LEFT),
    ("end", Dialogue.IDLE, Departure.INPUT_ENDED),
    ("end keep", Dialogue.IDLE, Departure.KEPT),
    ("ask", Dialogue.ASKED, Departure.SEATED),
    ("ask answer", Dialogue.IDLE, Departure.SEATED),
    ("ask withdraw", Dialogue.IDLE, Departure.SEATED),
    ("ask F10 F10", Dialogue.LEAVE_BEFORE_ANSWER, Departure.SEATED),
    ("ask leave stay", Dialogue.ASKED, Departure.SEATED),
    ("ask leave withdraw", Dialogue.LEAVE_ASKED, Departure.SEATED),
    ("ask leave y", Dialogue.IDLE, Departure.LEFT),
    ("ask keep", Dialogue.IDLE, Departure.KEPT),
    ("ask end", Dialogue.IDLE, Departure.ABANDONED),
    ("leave ask", Dialogue.LEAVE_BEFORE_ANSWER, Departure.SEATED),
    ("end ask", Dialogue.IDLE, Departure.ABANDONED),
]
BOT_WALKS = [
    ("ask", Dialogue.BOT_DECIDES, Departure.SEATED),
    ("ask withdraw", Dialogue.IDLE, Departure.SEATED),
    ("ask F10 F10", Dialogue.LEAVE_BESIDE_BOT, Departure.SEATED),
    ("ask leave stay", Dialogue.BOT_DECIDES, Departure.SEATED),
    ("ask leave withdraw", Dialogue.LEAVE_ASKED, Departure.SEATED),
    ("ask leave y", Dialogue.IDLE, Departure.LEFT),
    ("leave ask", Dialogue.LEAVE_BESIDE_BOT, Departure.SEATED),
    ("ask end", Dialogue.BOT_DECIDES, Departure.SEATED),
]


async def walk(player: LinePlayer, events: str) -> tuple[Dialogue, Departure]:
    view = table()
    player.attach(Orders())
    player.show(GameStarted(view))
    asked = trio.CancelScope()

    async def ask() -> None:
        with asked:
            await player.decide(view, YieldDecision(0, 1))

    async with trio.open_nursery() as nursery:
        for event in events.split():
            if event == "ask":
                nursery.start_soon(ask)
            elif event == "withdraw":
                asked.cancel()
            else:
                EVENTS[event](player)
            await trio.testing.wait_all_tasks_blocked()
        found = player.state.dialogue.state, player.state.departure.state
        nursery.cancel_scope.cancel()
    return found


@pytest.mark.parametrize(("events", "dialogue", "departure"), WALKS)
async def test_what_the_next_line_is_for_and_who_still_sits(
    events: str, dialogue: Dialogue, departure: Departure
) -> None:
    assert await walk(piped(), events) == (dialogue, departure)


@pytest.mark.parametrize(("events", "dialogue", "departure"), BOT_WALKS)
async def test_likewise_beside_a_bot(events: str, dialogue: Dialogue, departure: Departure) -> None:
    assert await walk(piped(Ponderer()), events) == (dialogue, departure)


async def test_a_terminal_that_ends_twice_keeps_the_seat() -> None:
    player = at_terminal()
    player.attach(Orders())
    player.show(GameStarted(table()))
    seen = []
    for _end in range(2):
        player.end_input(terminal=True)
        seen.append(player.state.dialogue.state)
    assert seen == [Dialogue.LEAVE_ASKED, Dialogue.IDLE]
    assert player.state.departure.state is Departure.KEPT


async def test_a_player_who_is_out_leaves_without_being_asked() -> None:
    player, view = piped(), table()
    view.game.state.monsters[0].alive = False
    player.attach(Orders())
    player.show(GameStarted(view))
    player.read_line("leave")
    assert player.state.dialogue.state is Dialogue.IDLE
    assert player.state.departure.state is Departure.LEFT
