"""What the next line is for, and who still sits, walked by what happens at a table."""

from collections.abc import Callable

import pytest
import trio
import trio.testing

from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.cli.ui.player_state import Departure
from kotp2p.referee.model.decisions import Decision, YieldDecision
from kotp2p.seams.commands import Control, Leave
from kotp2p.seams.notices import GameStarted, Notice, SeatView
from tests.support.laid_decisions import table
from tests.support.local_game import Orders, piped


class Ponderer:
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
    "F10": lambda player: player.leaving.ask_to_leave(),
    "keep": lambda player: player.leaving.keep_seat(),
    "end": lambda player: player.leaving.end_input(terminal=False),
}
WALKS = [
    ("", "", Departure.SEATED),
    ("leave", "leave", Departure.SEATED),
    ("F10 F10", "leave", Departure.SEATED),
    ("leave stay", "", Departure.SEATED),
    ("leave y", "", Departure.LEFT),
    ("leave y leave y", "", Departure.LEFT),
    ("leave keep", "", Departure.KEPT),
    ("keep leave y", "", Departure.KEPT),
    ("leave end", "", Departure.LEFT),
    ("end", "", Departure.INPUT_ENDED),
    ("end keep", "", Departure.KEPT),
    ("ask", "asked", Departure.SEATED),
    ("ask answer", "", Departure.SEATED),
    ("ask withdraw", "", Departure.SEATED),
    ("ask F10 F10", "leave asked", Departure.SEATED),
    ("ask leave stay", "asked", Departure.SEATED),
    ("ask leave withdraw", "leave", Departure.SEATED),
    ("ask leave y", "", Departure.LEFT),
    ("ask keep", "", Departure.KEPT),
    ("ask end", "", Departure.ABANDONED),
    ("leave ask", "leave asked", Departure.SEATED),
    ("end ask", "", Departure.ABANDONED),
]
BOT_WALKS = [
    ("ask", "bot", Departure.SEATED),
    ("ask withdraw", "", Departure.SEATED),
    ("ask F10 F10", "leave bot", Departure.SEATED),
    ("ask leave stay", "bot", Departure.SEATED),
    ("ask leave withdraw", "leave", Departure.SEATED),
    ("ask leave y", "", Departure.LEFT),
    ("leave ask", "leave bot", Departure.SEATED),
    ("ask end", "bot", Departure.SEATED),
]


def purpose_of(player: LinePlayer) -> str:
    """What the next typed line is for."""
    state = player.state
    asked = {
        "leave": state.is_leave_asked, "asked": state.asking is not None, "bot": state.is_bot_asked
    }  # fmt: skip
    return " ".join(name for name, is_so in asked.items() if is_so)


async def walk(player: LinePlayer, events: str) -> tuple[str, Departure]:
    view, orders = table(), Orders()
    player.attach(orders)
    player.show(GameStarted(view))
    asked = trio.CancelScope()

    async def ask() -> None:
        with asked:
            orders.left |= isinstance(await player.decide(view, YieldDecision(0, 1)), Leave)

    async with trio.open_nursery() as nursery:
        for event in events.split():
            if event == "ask":
                nursery.start_soon(ask)
            elif event == "withdraw":
                asked.cancel()
            else:
                EVENTS[event](player)
            await trio.testing.wait_all_tasks_blocked()
        found = purpose_of(player), player.state.departure
        nursery.cancel_scope.cancel()
    assert orders.left is (found[1] in (Departure.LEFT, Departure.ABANDONED))
    return found


@pytest.mark.parametrize(
    ("bot", "events", "dialogue", "departure"),
    [*((None, *one) for one in WALKS), *((Ponderer(), *one) for one in BOT_WALKS)],
)
async def test_what_the_next_line_is_for_and_who_still_sits(
    bot: Ponderer | None, events: str, dialogue: str, departure: Departure
) -> None:
    assert await walk(piped(bot), events) == (dialogue, departure)


async def test_a_player_who_is_out_leaves_without_being_asked() -> None:
    player, view, orders = piped(), table(), Orders()
    view.game.state.monsters[0].alive = False
    player.attach(orders)
    player.show(GameStarted(view))
    player.read_line("leave")
    assert purpose_of(player) == ""
    assert player.state.departure is Departure.LEFT
    assert orders.left
