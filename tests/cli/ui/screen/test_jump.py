"""Keys while the screen still shows what has happened before. The clock stands still."""

import pytest
import trio
from prompt_toolkit.input.ansi_escape_sequences import REVERSE_ANSI_SEQUENCES
from prompt_toolkit.keys import Keys

from kotp2p.cli.system.options import Speed
from kotp2p.cli.ui.paced_front import PacedFront
from kotp2p.cli.ui.screen.controls import KEYS_THAT_NEVER_WAIT, NO_KEYS, seat_screen_player
from kotp2p.extras import bots
from kotp2p.referee.model.events import DiceRolled, HeartsLost
from kotp2p.referee.model.state import DamageKind
from kotp2p.seams.notices import GameStarted, Happened
from tests.support import screen_terminal as keys
from tests.support.laid_decisions import dice, table
from tests.support.local_game import Orders
from tests.support.screen_table import ROLLED, played, roll
from tests.support.screen_terminal import ENTER, ESC, Script, Terminal, on_screen

HURT = "Rex hits you for"
NO_KEYS_OF_A_TERMINAL = {
    Keys.Any, Keys.BracketedPaste, Keys.ScrollUp, Keys.ScrollDown, *NO_KEYS, *KEYS_THAT_NEVER_WAIT,
}  # fmt: skip
KEYS = {
    "a": "a", "3": "3", "y": "y", "space": " ", "persian": "۳", "paste": "\x1b[200~33c\x1b[201~",
    **{
        key.value: sequence
        for key, sequence in REVERSE_ANSI_SEQUENCES.items()
        if isinstance(key, Keys) and key not in NO_KEYS_OF_A_TERMINAL
    },
}  # fmt: skip


class Behind:
    """A roll of Rex is shown. That it hit Ana is not, and Ana is asked something already."""

    def __init__(self) -> None:
        self.seated = seat_screen_player(bots.advise, unread_seconds=0)
        self.player, self.screen = self.seated.player, self.seated.screen
        self.player.state.pace.choose_speed(Speed.NORMAL)
        self.front = PacedFront(self.player, clock=lambda: 0.0)
        self.orders = Orders()
        self.view = table(rolled=ROLLED)
        self.is_answered = False

    async def play(self) -> None:
        self.front.attach(self.orders)
        self.front.show(GameStarted(self.view))
        self.rolls_and_hits()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.front.run)
            await self.front.decide(self.view, roll())
            self.is_answered = True

    def rolls_and_hits(self) -> None:
        rolled = DiceRolled(1, tuple(range(6)), dice(ROLLED))
        hit = HeartsLost(0, 2, DamageKind.CLAWS, 1)
        for event in (rolled, hit):
            event.apply(self.view.game.state)
        self.front.show(Happened((rolled, hit), self.view))

    def by(self, script: Script, columns: int = 80, rows: int = 24) -> None:
        async def begin(t: Terminal) -> None:
            await t.see("Rex rerolls all")
            await script(t)

        on_screen(self.seated, self.play, begin, columns, rows)


@played(Behind)
async def test_any_key_jumps_and_does_nothing_else(behind: Behind, t: Terminal) -> None:
    for name, key in KEYS.items():
        if not behind.player.state.pace.is_behind:
            behind.rolls_and_hits()
        assert behind.player.state.pace.is_behind
        t.press(key)
        await t.until(lambda: not behind.player.state.pace.is_behind, f"a jump by {name}")
        assert not behind.screen.input.text, name
        assert behind.screen.page is None, name
        assert not behind.screen.prompt.remark, name
    assert not behind.is_answered
    assert not behind.orders.given


@played(Behind)
async def test_a_burst_of_keys_is_one_jump(behind: Behind, t: Terminal) -> None:
    """It shows the rest and the question, and answers nothing."""
    rows = await t.see("Rex rerolls all")
    assert HURT not in "\n".join(rows)
    t.press("33c" + ENTER + "y" + ENTER)
    rows = await t.see(HURT, "Keep which")
    assert rows[22] == ">"
    assert not behind.is_answered


@played(Behind)
async def test_a_key_of_the_present_counts_as_ever(behind: Behind, t: Terminal) -> None:
    t.press(ENTER)
    await t.see("Keep which")
    t.press("33")
    await t.see("> 33")
    t.press(ENTER)
    await t.until(lambda: behind.is_answered, "an answer")


@pytest.mark.parametrize("key", [keys.F10, "\x03", "\x04"])
@played(Behind)
async def test_leaving_waits_for_nothing(behind: Behind, t: Terminal, key: str) -> None:
    t.press(key)
    rows = await t.see("Leave the game for good?")
    assert HURT not in "\n".join(rows)


@played(Behind)
async def test_a_page_is_read_on_while_the_game_is_shown(behind: Behind, t: Terminal) -> None:
    behind.seated.screen.show_log()
    await t.see("Esc closes")
    t.press(keys.PAGE_UP + ESC)
    await t.gone("Esc closes")
    assert behind.player.state.pace.is_behind
    t.press(keys.F3)
    await t.see(HURT)
    assert behind.screen.page is None


@played(Behind)
async def test_a_line_begun_in_the_present_is_written_to_end(behind: Behind, t: Terminal) -> None:
    behind.screen.replace_input("say hell")
    t.press("o")
    await t.see("> say hello")
    t.press(ENTER)
    await t.until(lambda: behind.orders.given == ["say hello"], "the chat")
    assert behind.player.state.pace.is_behind


@played(Behind)
async def test_f5_shows_the_speed_first(behind: Behind, t: Terminal) -> None:
    await t.see("Rex rerolls all", "Any key shows the rest at once.")
    t.press(keys.F5)
    await t.see("-- What you see --", "You are shown what happens at the normal speed.")
    assert behind.player.state.pace.is_behind
    t.press(ESC)
    await t.see("Any key shows the rest at once.")


@played(Behind)
async def test_whoever_is_asked_whether_to_leave_answers_that_and_f5_does_not(
    behind: Behind, t: Terminal
) -> None:
    t.press(keys.F10)
    await t.see("Leave the game for good?")
    t.press(keys.F5 + "y")
    await t.see("> y")
    assert behind.player.state.pace.speed is Speed.NORMAL
    t.press(ENTER)
    await t.until(lambda: behind.orders.left, "a farewell")


def test_a_key_that_is_too_early_for_nothing_leaves_no_remark() -> None:
    seated = seat_screen_player(bots.advise, unread_seconds=1e9)

    async def play() -> None:
        seated.player.attach(Orders())
        seated.player.state.prompt_number += 1  # something was asked a moment ago
        seated.player.show(GameStarted(table(rolled=ROLLED)))

    async def press(t: Terminal) -> None:
        await t.see("The game begins.")
        t.press("x" + keys.F3)
        rows = await t.see("Esc closes")
        assert rows[22] == ">"
        assert not seated.screen.prompt.remark

    on_screen(seated, play, press)
