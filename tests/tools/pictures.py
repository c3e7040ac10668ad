"""Draws what players see in each language: `python -m tests.tools.pictures FOLDER`.

Scope: the drawn table at 80x24 in a lobby, at a roll, in Tokyo, in the shop, at the end and with
its help, and the page of a game in a browser. Each picture is a PNG, with its rows as text beside
it. A language that is read from right to left is drawn as a terminal shows it that turns lines
round, and as one shows it that does not, for which the program does it.
Not here: the picture in README (`tests.tools.picture`).
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Awaitable, Callable
from html import escape
from pathlib import Path
from typing import TypeAlias

import trio

from kotp2p import bots
from kotp2p.cli.extras.forms.html import build_page
from kotp2p.cli.system.languages import list_languages, prepare_bidi, speak
from kotp2p.cli.system.options import Symbols
from kotp2p.cli.text import i18n
from kotp2p.cli.ui.notice_feed import Audience
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.screen.controls import DrawnTable, seat_screen_player
from kotp2p.game.recording import record_log
from kotp2p.referee.model.answers import Answer
from kotp2p.referee.model.decisions import Decision, Over
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.front import Control, Front
from kotp2p.seams.notices import (
    CodeStep,
    LobbyChanged,
    LobbySeat,
    Notice,
    SeatView,
    TableAnnounced,
    TableCode,
    TableOpened,
)
from tests.support.browser import Browser, started_browser
from tests.support.glass import Cell
from tests.support.local_game import Orders, Table, new_view
from tests.support.pages import GamePage
from tests.support.recorded import golden_log
from tests.support.screen_table import Asked
from tests.support.screen_terminal import F1, Terminal, on_screen
from tests.tools.transcripts import Scene, buy, roll, yields

COLUMNS, ROWS = 80, 24
PAGE_WIDTHS = (375, 1280)
PAGE_HEIGHT = 900
SEATS = 4
TABLE_CODE = "7412-kangaroo-umbrella"
IN_GAME, COMMANDS_KEY = "F2", "F6"
"""Keys that the last row names only in a game, and not any more at its end."""
STYLE = """
body { margin: 8px; background: #14161a; color: #d0d0d0; width: max-content }
div { font: 16px/20px "DejaVu Sans Mono", monospace; white-space: pre; height: 20px;
  width: 80ch; unicode-bidi: isolate; direction: ltr }
b { font-weight: inherit; display: inline-block; width: 1ch; height: 20px; overflow: visible;
  vertical-align: top; unicode-bidi: isolate }
"""
COLOURS = {"default": "#d0d0d0", "black": "#000000", "brown": "#c0a000"}

Script = Callable[[Terminal], Awaitable[None]]
Picture: TypeAlias = list[list[Cell]]
"""Rows of cells."""


# -- the scenes ----------------------------------------------------------------------------------


def draw_lobby() -> Picture:
    table = seat_screen_player(bots.advise, audience=Audience(starts_game=True), unread_seconds=0)
    seats = (
        LobbySeat("Ana", "Gigazaur", b"a", False, True), None,
        LobbySeat("Rex", "The King", b"r", False, False, ready=True),
        LobbySeat("Otto", "Alienoid", b"o", True, False),
    )  # fmt: skip

    async def play() -> None:
        table.player.attach(Orders())
        table.player.show(TableOpened(("192.168.1.20",), 4242, False))
        table.player.show(
            TableCode(CodeStep.OPEN, TABLE_CODE, "7412-1034-577", "mailbox.example", "")
        )
        table.player.show(TableAnnounced())
        table.player.show(LobbyChanged(seats, 0, "second"))

    return take(lambda script: on_screen(table, play, script, COLUMNS, ROWS), TABLE_CODE)


def draw_question(scene: Scene, keys: str = "") -> Picture:
    asked = Asked(scene.decision, view=scene.view)
    return take(lambda script: asked.by(script, COLUMNS, ROWS), IN_GAME, keys=keys)


class Watched(Front):
    """A bot plays, and its table is drawn."""

    def __init__(self, table: DrawnTable) -> None:
        self.table = table

    def attach(self, control: Control) -> None:
        self.table.player.attach(control)

    def show(self, notice: Notice) -> None:
        self.table.player.show(notice)

    async def decide(self, view: SeatView, decision: Decision) -> Answer:
        return bots.advise(view, decision)


def draw_end() -> Picture:
    table = seat_screen_player(bots.advise, unread_seconds=0)
    view = new_view(SEATS)
    trio.run(Table(view, Watched(table), random.Random(1)).play)
    assert isinstance(view.game.pending, Over)
    ending = Ending(EndKind.FINISHED, view=view, winners=view.game.pending.winners)

    async def play() -> None:
        await table.player.show_ending(ending)

    return take(lambda script: on_screen(table, play, script, COLUMNS, ROWS), "F10", COMMANDS_KEY)


def take(run: Callable[[Script], object], shown: str, gone: str = "", keys: str = "") -> Picture:
    """What stands there as soon as `shown` does and `gone` does not, or behind these keys."""
    found: Picture = []

    async def script(terminal: Terminal) -> None:
        await terminal.see(shown)
        if gone:
            await terminal.gone(gone)
        if keys:
            before = terminal.rows
            terminal.press(keys)
            await terminal.until(lambda: terminal.rows != before)
        found.extend(terminal.glass.cells())

    run(script)
    return found


SCENES: dict[str, Callable[[], Picture]] = {
    "lobby": draw_lobby,
    "roll": lambda: draw_question(roll()),
    "yield": lambda: draw_question(yields()),
    "buy": lambda: draw_question(buy()),
    "end": draw_end,
    "help": lambda: draw_question(roll(), F1),
}


# -- the pictures --------------------------------------------------------------------------------


def as_markup(picture: Picture, *, turns_lines: bool) -> str:
    """`turns_lines`: as on a terminal that puts each line into reading order. Otherwise each sign
    stands in its own cell."""
    rows = []
    for cells in picture:
        parts = [_cell_as_markup(cell, apart=not turns_lines) for cell in cells if cell.text]
        rows.append(f"<div>{''.join(parts)}</div>")
    return f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>{''.join(rows)}"


def _cell_as_markup(cell: Cell, *, apart: bool) -> str:
    colour = COLOURS.get(cell.colour, cell.colour if not cell.is_hex else f"#{cell.colour}")
    style = f"color:{colour}" + (";background:#444" if cell.is_reversed else "")
    tag = "b" if apart else "span"
    return f'<{tag} style="{style}">{escape(cell.text)}</{tag}>'


def take_pictures(folder: Path, browser: Browser, code: str, mode: str) -> None:
    speak(code)
    prepare_bidi(mode, {}, has_terminal=True)
    name = f"{code}-{mode}" if i18n.is_right_to_left() else code
    for scene, draw in SCENES.items():
        picture = draw()
        text = "".join("".join(cell.text for cell in row).rstrip() + "\n" for row in picture)
        (folder / f"{name}-{scene}.txt").write_text(text, encoding="utf-8")
        markup = folder / f"{name}-{scene}.html"
        markup.write_text(as_markup(picture, turns_lines=mode == "terminal"), encoding="utf-8")
        browser.resize(820, 500)
        browser.open(markup)
        (folder / f"{name}-{scene}.png").write_bytes(browser.picture())
        markup.unlink()


def take_pages(folder: Path, browser: Browser, code: str) -> None:
    """The page of a game from its top, and as it ends, in two widths."""
    speak(code)
    markup = folder / f"{code}-page.html"
    markup.write_text(build_page(record_log(golden_log("absent"))), encoding="utf-8")
    for width in PAGE_WIDTHS:
        browser.resize(width, PAGE_HEIGHT)
        GamePage(browser).show(markup)
        (folder / f"{code}-page-{width}.png").write_bytes(browser.picture())
        browser.run("scrollTo(0, document.body.scrollHeight)")
        (folder / f"{code}-page-{width}-end.png").write_bytes(browser.picture())


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("codes", nargs="*", default=list_languages())
    wanted = parser.parse_args(words)
    wanted.folder.mkdir(parents=True, exist_ok=True)
    theme.use_symbols(Symbols.UNICODE)
    with started_browser() as browser:
        for code in wanted.codes:
            take_pictures(wanted.folder, browser, code, "terminal")
            if i18n.is_right_to_left():
                take_pictures(wanted.folder, browser, code, "program")
            take_pages(wanted.folder, browser, code)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
