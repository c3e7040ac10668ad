"""The page of the end: it stays until its question is answered, and no stray key closes it."""

from dataclasses import replace

import pytest

from kotp2p.cli.ui.notice_feed import Audience
from kotp2p.cli.ui.screen.controls import seat_screen_player
from kotp2p.extras import bots
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import GameFinished, GameStarted, SeatView
from tests.support.laid_decisions import table
from tests.support.screen_table import played
from tests.support.screen_terminal import DOWN, ENTER, ESC, F1, F6, F10, Script, Terminal, on_screen

PAGE = "You are second; Rex wins."
AGAIN = "Another game against the same bots? y plays it, n ends."


def against_bots() -> SeatView:
    view = table(2)
    view.players = tuple(replace(p, automatic=n > 0, keeper=0) for n, p in enumerate(view.players))
    return view


class AtTheEnd:
    """A game has ended, and its page lies there."""

    def __init__(self, kind: EndKind = EndKind.FINISHED, *, answers: bool = True) -> None:
        audience = Audience(solo=True, answers=answers)
        self.table = seat_screen_player(bots.advise, audience=audience, unread_seconds=0)
        self.kind = kind
        self.is_closed = False

    @property
    def wants_another(self) -> bool | None:
        return self.table.player.state.wants_another

    async def play(self) -> None:
        view = against_bots()
        self.table.player.show(GameStarted(view))
        self.table.player.show(GameFinished((1,), (0, 1), view))
        await self.table.player.show_ending(Ending(self.kind, view=view, winners=(1,)))
        self.is_closed = True

    def by(self, script: Script, columns: int = 80, rows: int = 24) -> None:
        on_screen(self.table, self.play, script, columns, rows)


@pytest.mark.parametrize(
    ("typed", "wants_another"),
    [
        ("y" + ENTER, True), ("YES" + ENTER, True), ("n" + ENTER, False), ("quit" + ENTER, False),
        (DOWN + ENTER, True), (DOWN * 2 + ENTER, False), (F10, False), ("\x03", False),
    ],
)  # fmt: skip
@played(AtTheEnd)
async def test_the_page_asks_for_another_game_and_the_keys_that_leave_close_it(
    end: AtTheEnd, t: Terminal, typed: str, wants_another: bool
) -> None:
    await t.see(PAGE, AGAIN)
    t.press(typed)
    await t.until(lambda: end.is_closed)
    assert end.wants_another is wants_another


@played(AtTheEnd)
async def test_neither_a_stray_enter_nor_a_word_closes_it(end: AtTheEnd, t: Terminal) -> None:
    await t.see(PAGE, AGAIN)
    t.press(ENTER)
    await t.see(PAGE, AGAIN, "Enter alone does nothing here.")
    t.press("again" + ENTER)
    await t.see(PAGE, AGAIN, "That is neither y nor n.")
    t.press(F6)
    t.press("n")
    await t.see("> n")
    assert not end.is_closed


@played(AtTheEnd)
async def test_escape_goes_between_the_page_and_the_table_and_closes_other_pages(
    end: AtTheEnd, t: Terminal
) -> None:
    await t.see(PAGE, "Esc Table")
    t.press(ESC)
    await t.see("Esc The end")
    await t.gone(PAGE)
    t.press(ESC)
    await t.see(PAGE)
    for key in (ESC, ENTER):
        t.press(F1)
        await t.see("-- Help")
        t.press(key)
        await t.see(PAGE, AGAIN)
    assert not end.is_closed


@pytest.mark.parametrize(
    ("kind", "answers"), [(EndKind.ADJOURNED, True), (EndKind.FINISHED, False)]
)
def test_without_another_game_enter_closes_it_no_word_does(kind: EndKind, answers: bool) -> None:
    end = AtTheEnd(kind, answers=answers)

    async def script(t: Terminal) -> None:
        await t.see("Enter ends.")
        t.press("again" + ENTER)
        await t.see("The game is over, so there is nothing more to type.")
        assert not end.is_closed
        t.press(ENTER)
        await t.until(lambda: end.is_closed)

    end.by(script)
    assert end.wants_another is None
