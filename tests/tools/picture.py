"""Writes docs/table.svg, the picture of the table in README.

    python -m tests.tools.picture

Scope: a game with fixed seeds up to a moment that shows much, drawn by the program itself, and its
rows as SVG: words as text, pixels as rectangles. The same commit makes the same picture.
"""

import random
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

import trio
import trio.testing

from kotp2p.cli.system.options import Depth, Palette, Shade, Symbols
from kotp2p.cli.text.i18n import line_width
from kotp2p.cli.ui.screen import controls, draw, theme
from kotp2p.extras import bots
from kotp2p.referee.model.answers import Answer, Reroll
from kotp2p.referee.model.decisions import Decision, RollDecision
from kotp2p.seams import commands, notices
from tests.support import local_game, paths, tool_line

PICTURE = paths.ROOT / "docs" / "table.svg"
COLUMNS, ROWS = 120, 40
SEATS = 4
SEED = 3
FIRST_TURN = 11
"""From here on the picture may be taken: there is something on the table."""
TEXT, BACKGROUND = "#d0d0d0", "#14161a"
CELL_COLUMNS, CELL_ROWS = 8, 17
"""The size of a cell."""
BASELINE = 13
FORMAT = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">
<title>A game of kotp2p at the moment of a roll</title>
<style>
text {{ font: 13px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace }}
</style>
<rect width="{width}" height="{height}" rx="8" fill="{background}"/>
<g transform="translate({margin} {margin})">
{cells}
</g>
</svg>
"""
MARGIN = 12
RUN = re.compile(r"([▀▄█])\1*")
WORD = re.compile(r"\S+")


BLOCKS = {"▀": (0.5, 0.0), "▄": (0.5, 0.5), "█": (1.0, 0.0)}
"""Signs that are drawn as a share of the cell, from a share of its height on."""


@dataclass(frozen=True, slots=True)
class Look:
    colour: str
    background: str | None
    is_bold: bool


class Sitter(commands.Front):
    """Plays by a bot until a moment is worth a picture; then the question stays open."""

    def __init__(self) -> None:
        self.table: controls.DrawnTable = controls.seat_screen_player(bots.advise)
        self.rows: list[theme.Row] = []

    def attach(self, control: commands.Control) -> None:
        self.table.player.attach(control)

    def show(self, notice: notices.Notice) -> None:
        self.table.player.show(notice)

    async def decide(self, view: notices.SeatView, decision: Decision) -> Answer:
        answer = bots.advise(view, decision)
        if not self.rows and is_worth_a_picture(view, decision, answer):
            await self._sit_still(view, decision, answer)
        return answer

    async def _sit_still(self, view: notices.SeatView, decision: Decision, answer: Answer) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.table.player.decide, view, decision)
            await trio.testing.wait_all_tasks_blocked()
            self.rows = draw_rows(self.table, answer)
            nursery.cancel_scope.cancel()


def is_worth_a_picture(view: notices.SeatView, decision: Decision, answer: Answer) -> bool:
    """One's own second roll, with dice to keep; Tokyo is taken, and somebody has cards."""
    state = view.game.state
    others = [monster for monster in state.monsters if monster.place]
    return (
        isinstance(decision, RollDecision)
        and decision.rolls_left == 1
        and isinstance(answer, Reroll)
        and len(answer.dice) < len(decision.dice) - 1
        and state.turn >= FIRST_TURN
        and len(others) == 1
        and any(monster.holdings for monster in state.monsters)
        and all(monster.alive for monster in state.monsters)
    )


def draw_rows(table: controls.DrawnTable, answer: Answer) -> list[theme.Row]:
    """With the answer typed, and not sent."""
    screen, asking = table.screen, table.player.state.asking
    assert asking is not None
    screen.input.text = asking.question.line_for(answer)
    upper = draw.draw_screen(screen, COLUMNS, ROWS - draw.INPUT_AND_KEYS_ROWS)
    return [*upper, [("log", f"> {screen.input.text}")], draw.draw_key_row(screen, COLUMNS)]


def take_picture() -> list[theme.Row]:
    theme.use_symbols(Symbols.UNICODE)
    sitter = Sitter()
    sitter.table.screen.depth = Depth.MANY

    async def play() -> None:
        await local_game.Table(local_game.new_view(SEATS), sitter, random.Random(SEED)).play()

    try:
        trio.run(play)
    finally:
        theme.use_symbols(Symbols.ASCII)
    assert sitter.rows, "no moment of this game is worth a picture: take another seed"
    return sitter.rows


def picture_text(rows: list[theme.Row]) -> str:
    """Each word stands at its own place, whatever the font of the viewer is like."""
    cells = [cell for at, row in enumerate(rows) for cell in draw_cells(row, at * CELL_ROWS)]
    return FORMAT.format(
        width=COLUMNS * CELL_COLUMNS + 2 * MARGIN,
        height=len(rows) * CELL_ROWS + 2 * MARGIN,
        background=BACKGROUND,
        margin=MARGIN,
        cells="\n".join(cells),
    )


def draw_cells(row: theme.Row, top: int) -> Iterator[str]:
    column = 0
    for style, text in row:
        look = look_of(style)
        columns = line_width(text)
        if look.background is not None:
            yield rectangle(column, top, columns, 1.0, look.background)
        for run in RUN.finditer(text):
            share, start = BLOCKS[run[1]]
            at = column + line_width(text[: run.start()])
            yield rectangle(at, top, len(run[0]), share, look.colour, start)
        for found in WORD.finditer("".join(" " if sign in BLOCKS else sign for sign in text)):
            at = column + line_width(text[: found.start()])
            yield draw_word(found[0], at, top, look)
        column += columns


def rectangle(
    column: int, top: int, columns: int, share: float, colour: str, start: float = 0.0
) -> str:
    """`start` and `share`: which part of the height of a row."""
    x, width = column * CELL_COLUMNS, columns * CELL_COLUMNS
    y, height = top + start * CELL_ROWS, share * CELL_ROWS
    return f'<rect x="{x}" y="{y:g}" width="{width}" height="{height:g}" fill="{colour}"/>'


def draw_word(word: str, column: int, top: int, look: Look) -> str:
    bold = ' font-weight="bold"' if look.is_bold else ""
    return (
        f'<text x="{column * CELL_COLUMNS}" y="{top + BASELINE}" fill="{look.colour}"{bold}'
        f' textLength="{line_width(word) * CELL_COLUMNS}">{escape(word)}</text>'
    )


def look_of(style: str) -> Look:
    """As prompt_toolkit joins the parts of a style: the last colour counts."""
    names = style.split()
    styles = theme.styles_of(Palette.DEFAULT, Shade.DARK)
    parts = [part for name in names for part in styles.get(name, name).split()]
    colours = [part.removeprefix("fg:") for part in parts if part.startswith(("#", "fg:"))]
    grounds = [part.removeprefix("bg:") for part in parts if part.startswith("bg:")]
    colour, ground = [TEXT, *colours][-1], grounds[-1] if grounds else None
    if "reverse" in parts:
        colour, ground = ground or BACKGROUND, colour
    return Look(colour, ground, "bold" in parts)


def main() -> int:
    PICTURE.write_text(picture_text(take_picture()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    tool_line.tool_parser("tests.tools.picture", __doc__).parse_args()
    sys.exit(main())
