"""A terminal in memory: real drawing into pyte, keys through a pipe, trio as asyncio's guest.

No test sleeps: it waits for what is drawn. A screen of a test takes keys at once
(`unread_seconds=0`) unless it is about that.
"""

import asyncio
import io
from collections.abc import Awaitable, Callable

import pyte
import trio
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.input.base import PipeInput
from prompt_toolkit.output.vt100 import Vt100_Output

from kotp2p.cli.text.i18n import line_width
from kotp2p.cli.ui.screen.controls import DrawnTable
from kotp2p.cli.ui.screen.stage import Face, TerminalStage

LIMIT = 20.0
"""Seconds after which a test has failed, however slow the machine."""

UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
F1, F2, F3, F4, F5 = "\x1bOP", "\x1bOQ", "\x1bOR", "\x1bOS", "\x1b[15~"
F6, F10 = "\x1b[17~", "\x1b[21~"
PAGE_UP, PAGE_DOWN, ESC, ENTER = "\x1b[5~", "\x1b[6~", "\x1b", "\r"


class Glass(pyte.Screen):
    """pyte drops the rest of a text behind a sign without a width, such as an isolate. Here it
    stands in the cell of the sign before it, as prompt_toolkit and terminals have it."""

    def draw(self, data: str) -> None:
        for sign in data:
            if line_width(sign) > 0:
                super().draw(sign)
            elif self.cursor.x > 0:
                row, x = self.buffer[self.cursor.y], self.cursor.x - 1
                row[x] = row[x]._replace(data=row[x].data + sign)

    @property
    def display(self) -> list[str]:
        return [
            "".join(self.buffer[y][x].data for x in range(self.columns)) for y in range(self.lines)
        ]


class Paper(io.StringIO):
    """Where the program writes: into the screen, and kept."""

    def __init__(self, stream: pyte.Stream) -> None:
        super().__init__()
        self._stream = stream
        self.raw = ""

    def write(self, text: str) -> int:
        self.raw += text
        self._stream.feed(text)
        return len(text)


class Terminal:
    def __init__(self, table: Face, keys: PipeInput, columns: int, rows: int) -> None:
        self.table = table
        self.size = Size(rows, columns)
        self.glass = Glass(columns, rows)
        self.paper = Paper(pyte.Stream(self.glass))
        output = Vt100_Output(
            self.paper, lambda: self.size, term="xterm-256color", enable_cpr=False
        )
        self._keys = keys
        self.stage: TerminalStage[None] = TerminalStage(table, input=keys, output=output)
        self.stage.app.after_render += lambda _app: self._drawn.set()
        self._drawn = asyncio.Event()

    @property
    def rows(self) -> list[str]:
        return [row.rstrip() for row in self.glass.display]

    def press(self, keys: str) -> None:
        self._keys.send_text(keys)

    async def until(self, true: Callable[[], bool], what: str = "it") -> None:
        async def look() -> None:
            while not true():
                self._drawn.clear()
                await self._drawn.wait()

        try:
            await asyncio.wait_for(look(), LIMIT)
        except TimeoutError:
            raise AssertionError(f"{what} never came:\n" + "\n".join(self.rows)) from None

    async def see(self, *texts: str) -> list[str]:
        """Waits until all of these stand on the screen."""
        await self.until(lambda: all(text in "\n".join(self.rows) for text in texts), str(texts))
        return self.rows

    async def gone(self, text: str) -> list[str]:
        await self.until(lambda: text not in "\n".join(self.rows), f"the end of {text!r}")
        return self.rows

    def resize(self, columns: int, rows: int) -> None:
        self.size = Size(rows, columns)
        self.glass.resize(rows, columns)
        self.stage.app._on_resize()


Script = Callable[[Terminal], Awaitable[None]]


def on_screen(
    table: DrawnTable,
    play: Callable[[], Awaitable[None]],
    script: Script,
    columns: int = 80,
    rows: int = 24,
) -> Terminal:
    """Runs `play` as the game and `script` as the player; the game is cut off behind him."""

    async def play_at_table() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(table.run_jobs)
            nursery.start_soon(table.player.watch_time)
            await play()
            await trio.sleep_forever()

    return on_stage(table, play_at_table, script, columns, rows)


def on_stage(
    face: Face,
    play: Callable[[], Awaitable[None]],
    script: Script,
    columns: int = 80,
    rows: int = 24,
) -> Terminal:
    """Runs `play` on a stage with this face; it is cut off behind the script."""

    async def whole() -> Terminal:
        with create_pipe_input() as keys:
            terminal = Terminal(face, keys, columns, rows)
            with create_app_session(input=keys, output=terminal.stage.output):
                cut = trio.CancelScope()

                async def game() -> None:
                    with cut:
                        await play()

                running = asyncio.ensure_future(terminal.stage.run_async(game))
                playing = asyncio.ensure_future(script(terminal))
                await asyncio.wait([running, playing], return_when=asyncio.FIRST_COMPLETED)
                if running.done():
                    playing.cancel()
                    running.result()
                else:
                    cut.cancel()
                    await running
                if not playing.cancelled():
                    playing.result()
        return terminal

    return asyncio.run(whole())
