"""The time that a player has left: shown beside the question, and a warning before it is up."""

import pytest
import trio
import trio.testing

from kotp2p.cli.text.notices import describe_time_left
from kotp2p.cli.ui.line_player import WARNING_SECONDS, LinePlayer
from kotp2p.seams.notices import GameStarted, OwnClock
from tests.support.laid_decisions import table
from tests.support.local_game import at_terminal, said
from tests.support.screen_table import ROLLED, Asked, roll
from tests.support.screen_terminal import Terminal

pytestmark = pytest.mark.virtual_time

WARNING = f"You have {WARNING_SECONDS} seconds left."
TIME_IS_UP = "Your time is up. Your answer still counts."
BOT = (" After that the others may soon let a bot play for you.", ", until a bot plays for you.")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (94.0, "1:34 left of 2:00"), (93.2, "1:34 left of 2:00"), (60, "1:00 left of 2:00"),
        (59.1, "1:00 left of 2:00"), (0.1, "0:01 left of 2:00"), (0.0, "time is up"),
        (-5.0, "time is up"),
    ],
)  # fmt: skip
def test_the_time_left_in_words(seconds: float, words: str) -> None:
    assert describe_time_left(seconds, 120) == words


def test_the_screen_counts_down_what_the_peer_has_told() -> None:
    now = 5.0
    asked = Asked(roll(), clock=lambda: now, bell=False)

    async def look(t: Terminal) -> None:
        nonlocal now
        rows = await t.see("Keep which?")
        assert " left" not in rows[18]  # no limit was told
        asked.player.show(OwnClock(100.0, 120))
        await t.see("1:40 left of 2:00")
        now += 30.5
        asked.screen.redraw()
        await t.see("1:10 left of 2:00")

    asked.by(look)


@pytest.mark.parametrize("n", [2, 3])
async def test_a_player_is_warned_once_when_the_time_is_nearly_up(n: int) -> None:
    """Among two, no bot can step in for the other."""
    soon, over = WARNING, TIME_IS_UP
    if n == 3:
        soon, over = WARNING + BOT[0], TIME_IS_UP[:-1] + BOT[1]
    front = at_terminal()
    async with trio.open_nursery() as nursery:
        await _ask(front, nursery, n)
        front.show(OwnClock(45.0, 45))
        await trio.sleep(45.0 - WARNING_SECONDS - 0.1)
        assert warnings(front, soon) == 0
        await trio.sleep(0.2)
        assert warnings(front, soon) == 1
        assert warnings(front, over) == 0
        await trio.sleep(WARNING_SECONDS)
        assert warnings(front, over) == 1
        await trio.sleep(200)
        assert (warnings(front, soon), warnings(front, over)) == (1, 1)
        nursery.cancel_scope.cancel()


async def test_nobody_is_warned_when_nothing_is_asked() -> None:
    front = at_terminal()
    async with trio.open_nursery() as nursery:
        await _ask(front, nursery)
        front.show(OwnClock(44.0, 45))
        front.read_line("33", front.prompt_number)  # answers
        await trio.sleep(200)
        assert warnings(front) == 0
        assert warnings(front, TIME_IS_UP) == 0
        nursery.cancel_scope.cancel()


def warnings(front: LinePlayer, words: str = WARNING) -> int:
    return sum(line.endswith(words) for line in said(front))


async def _ask(front: LinePlayer, nursery: trio.Nursery, keepers: int = 2) -> None:
    view = table(rolled=ROLLED)
    view.keepers = {seat: seat for seat in range(keepers)}
    front.show(GameStarted(view))
    nursery.start_soon(front.watch_time)
    nursery.start_soon(front.decide, view, roll())
    await trio.testing.wait_all_tasks_blocked()
