"""The wheel moves the log and nothing else; a click keeps a die or chooses a card."""

import io

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from kotp2p.cli.ui.screen.screen import mark_at
from kotp2p.cli.ui.screen.stage import NO_WHEEL_AS_ARROWS, TerminalStage
from kotp2p.referee.model.answers import Buy, Reroll
from kotp2p.referee.model.decisions import BuyDecision, RollDecision
from tests.support import staged_turns
from tests.support.laid_decisions import dice, item, table
from tests.support.screen_table import Asked, played, roll
from tests.support.screen_terminal import ENTER, Terminal

WHEEL_UP, WHEEL_DOWN = "\x1b[<64;10;10M", "\x1b[<65;10;10M"


def click(column: int, row: int) -> str:
    """Of the left button, where both count from 0."""
    at = f"{column + 1};{row + 1}"
    return f"\x1b[<0;{at}M\x1b[<0;{at}m"


def find(terminal: Terminal, text: str) -> tuple[int, int]:
    row = next(n for n, line in enumerate(terminal.rows) if text in line)
    return terminal.rows[row].index(text), row


def fill_log(asked: Asked) -> None:
    asked.screen.log.add([f"line {n}" for n in range(100)])
    asked.screen.redraw()


@played(lambda: Asked(roll()))
async def test_the_wheel_moves_the_log_and_types_nothing(asked: Asked, terminal: Terminal) -> None:
    fill_log(asked)
    await terminal.see("line 99")
    terminal.press(WHEEL_UP * 2)
    await terminal.gone("line 99")
    assert terminal.rows[22].strip() == ">"
    terminal.press(WHEEL_DOWN * 2)
    await terminal.see("line 99")
    assert terminal.rows[22].strip() == ">"
    assert asked.answers == []


@played(lambda: Asked(roll()), rows=30)
async def test_a_click_keeps_a_die_and_another_lets_it_go(asked: Asked, terminal: Terminal) -> None:
    column, row = find(terminal, "| 3 |")
    terminal.press(click(column + 2, row))
    await terminal.see("> 3")
    terminal.press(click(column + 8, row))
    await terminal.see("> 33")
    terminal.press(click(column + 2, row))
    await terminal.gone("> 33")
    terminal.press(click(column + 2, row) + ENTER)
    await asked.gives(terminal, Reroll((2, 3, 4, 5)))


def test_the_dice_stay_under_the_mouse_when_a_remark_comes() -> None:
    view = table(4, rolled="33HBCC")
    asked = Asked(RollDecision(0, dice("33HBCC"), 2), view=view)

    async def script(terminal: Terminal) -> None:
        await terminal.see("Keep which?")
        asking = asked.player.state.asking
        assert asking is not None
        asking.coach = "Each claw takes a heart from the one who is in Tokyo. " * 2
        asked.screen.prompt.lines.insert(0, "If you stop: somebody loses two hearts. " * 3)
        asked.screen.redraw()
        await terminal.see("Each claw", "If you stop")
        column, row = find(terminal, "| 3 |")
        terminal.press(click(column + 2, row))
        await terminal.see("> 3")
        asked.screen.prompt.remark = "This is a remark."
        asked.screen.redraw()
        await terminal.see("This is a remark.")
        terminal.press(click(column + 8, row))
        await terminal.see("> 33")

    asked.by(script)


@pytest.mark.parametrize("energy", [10, 5])
def test_a_click_on_a_card_chooses_it_or_says_that_it_is_too_dear(energy: int) -> None:
    view = staged_turns.shop("wings", "jets", change=staged_turns.has(0, energy=energy))
    asked = Asked(staged_turns.go_on(view, BuyDecision), view=view)

    async def script(terminal: Terminal) -> None:
        if energy < 6:
            terminal.press(click(*find(terminal, "Wings")))
            await terminal.see("Wings is too dear")
            assert terminal.rows[22].strip() == ">"
        terminal.press(click(*find(terminal, "Jets")))
        await terminal.see("> b", "buy Jets")
        terminal.press(ENTER)
        await asked.gives(terminal, Buy(item(view, "jets")))

    asked.by(script)


def test_a_click_elsewhere_does_nothing() -> None:
    rows = [[("log", "ab"), ("die at-die-3", "cd")], [("energy at-card-1", "x")]]
    assert [mark_at(rows, 0, at) for at in range(5)] == ["", "", "at-die-3", "at-die-3", ""]
    assert mark_at(rows, 1, 0) == "at-card-1"
    assert mark_at(rows, 2, 0) == mark_at(rows, -1, 0) == ""


@pytest.mark.parametrize("mouse", [True, False])
def test_the_setting_decides_whether_the_terminal_reports_the_mouse(*, mouse: bool) -> None:
    paper = io.StringIO()
    asked = Asked(roll())
    with create_pipe_input() as keys:
        output = Vt100_Output(paper, lambda: Size(24, 80), term="xterm", enable_cpr=False)
        stage: TerminalStage[None] = TerminalStage(
            asked.table, input=keys, output=output, mouse=mouse
        )

        async def play() -> None:
            return

        stage.run(play)
    assert ("\x1b[?1000h" in paper.getvalue()) == mouse
    assert (NO_WHEEL_AS_ARROWS in paper.getvalue()) != mouse
