"""Writes docs/table.svg, the picture of the table in README.

    python -m tests.tools.picture

Scope: a game with fixed seeds up to a moment that shows much, drawn by the program itself, and its
rows as SVG (rich). The same commit makes the same picture.
"""

from __future__ import annotations

import io
import random
import sys

import trio
import trio.testing
from rich.console import Console
from rich.style import Style
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from kotp2p import bots
from kotp2p.cli.system.choices import Palette, Shade, Symbols
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.screen.draw import INPUT_AND_KEYS_ROWS, draw_screen
from kotp2p.cli.ui.screen.drawn_table import DrawnTable, seat_screen_player
from kotp2p.cli.ui.screen.key_row import draw_key_row
from kotp2p.cli.ui.screen.palettes import styles_of
from kotp2p.cli.ui.screen.rows import Row
from kotp2p.front import Control, Front
from kotp2p.notices import Notice
from kotp2p.referee.model.answers import Answer, Reroll
from kotp2p.referee.model.decisions import Decision
from kotp2p.referee.model.dice_decisions import RollDecision
from kotp2p.seat_view import SeatView
from tests.support.local_game import Table, new_view
from tests.support.paths import ROOT
from tests.support.tool_line import tool_parser

PICTURE = ROOT / "docs" / "table.svg"
COLUMNS, ROWS = 100, 30
SEATS = 6
SEED = 1
FIRST_TURN = 11
"""From here on the picture may be taken: there is something on the table."""
TEXT, BACKGROUND = (0xD0, 0xD0, 0xD0), (0x14, 0x16, 0x1A)
SIXTEEN = [TEXT] * 8
FORMAT = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">
<title>A game of kotp2p at the moment of a roll</title>
<style>
.{unique_id}-matrix {{
  font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: {char_height}px; line-height: {line_height}px; white-space: pre;
}}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


class Sitter(Front):
    """Plays by a bot until a moment is worth a picture; then the question stays open."""

    def __init__(self) -> None:
        self.table: DrawnTable = seat_screen_player(bots.advise)
        self.rows: list[Row] = []

    def attach(self, control: Control) -> None:
        self.table.player.attach(control)

    def show(self, notice: Notice) -> None:
        self.table.player.show(notice)

    async def decide(self, view: SeatView, decision: Decision) -> Answer:
        answer = bots.advise(view, decision)
        if not self.rows and is_worth_a_picture(view, decision, answer):
            await self._sit_still(view, decision, answer)
        return answer

    async def _sit_still(self, view: SeatView, decision: Decision, answer: Answer) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.table.player.decide, view, decision)
            await trio.testing.wait_all_tasks_blocked()
            self.rows = draw_rows(self.table, answer)
            nursery.cancel_scope.cancel()


def is_worth_a_picture(view: SeatView, decision: Decision, answer: Answer) -> bool:
    """One's own second roll, with dice to keep; both places of Tokyo taken, somebody with cards."""
    state = view.game.state
    others = [monster for monster in state.monsters if monster.place]
    return (
        isinstance(decision, RollDecision)
        and decision.rolls_left == 1
        and isinstance(answer, Reroll)
        and len(answer.dice) < len(decision.dice) - 1
        and state.turn >= FIRST_TURN
        and len(others) == 2
        and any(monster.holdings for monster in state.monsters)
        and all(monster.alive for monster in state.monsters)
    )


def draw_rows(table: DrawnTable, answer: Answer) -> list[Row]:
    """With the answer typed, and not sent."""
    screen, asking = table.screen, table.player.state.asking
    assert asking is not None
    screen.input.text = asking.question.line_for(answer)
    upper = draw_screen(screen, COLUMNS, ROWS - INPUT_AND_KEYS_ROWS)
    return [*upper, [("log", f"> {screen.input.text}")], draw_key_row(screen, COLUMNS)]


def take_picture() -> list[Row]:
    """The rows of the terminal."""
    theme.use_symbols(Symbols.UNICODE)
    sitter = Sitter()

    async def play() -> None:
        await Table(new_view(SEATS), sitter, random.Random(SEED)).play()

    try:
        trio.run(play)
    finally:
        theme.use_symbols(Symbols.ASCII)
    assert sitter.rows, "no moment of this game is worth a picture: take another seed"
    return sitter.rows


def picture_text(rows: list[Row]) -> str:
    styles = {
        name: Style.parse(" ".join(value.split()) or "none")
        for name, value in styles_of(Palette.DEFAULT, Shade.DARK).items()
    }
    console = Console(
        record=True, width=COLUMNS, file=io.StringIO(), color_system="truecolor",
        force_terminal=True, legacy_windows=False, highlight=False,
    )  # fmt: skip
    for row in rows:
        line = Text(end="")
        for names, text in row:
            line.append(text, Style.combine([styles[name] for name in names.split()]))
        console.print(line, no_wrap=True, overflow="crop")
    colours = TerminalTheme(BACKGROUND, TEXT, SIXTEEN)
    drawn = console.export_svg(
        title="kotp2p", theme=colours, code_format=FORMAT, unique_id="kotp2p", font_aspect_ratio=0.6
    )
    return "\n".join(line.rstrip() for line in drawn.splitlines()) + "\n"


def main() -> int:
    PICTURE.write_text(picture_text(take_picture()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    tool_parser("tests.tools.picture", __doc__).parse_args()
    sys.exit(main())
