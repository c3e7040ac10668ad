"""A `Screen` on a terminal: prompt_toolkit draws and reads keys, trio plays as its guest.

Law: asyncio is the host, trio the guest, both in one thread (`trio.lowlevel.start_guest_run`).
Keys call methods of the `Screen` that never wait; trio's tasks change the `Screen` and call
`changed`. Whatever ends the game ends the application, and the other way round, so that the
terminal is always given back: trio's outcome is awaited before asyncio ends.

Known warts: prompt_toolkit asks its user to press Enter after an error in a callback, which is
why the loop's own handler is replaced; and it raises when the terminal is gone, which ends the
drawing and not the game: that is told, and ends by itself.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Any, Generic, TypeVar

import trio
from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input, create_input
from prompt_toolkit.layout import (
    BufferControl,
    FormattedTextControl,
    HSplit,
    Layout,
    VSplit,
    Window,
)
from prompt_toolkit.output import ColorDepth, Output, create_output
from prompt_toolkit.styles import Style

from cli.system.config import NO_COLOR
from cli.system.options import Palette
from cli.text.i18n import clean
from cli.ui.screen.draw import draw, keys
from cli.ui.screen.foreground import Foreground
from cli.ui.screen.keys import bindings
from cli.ui.screen.screen import Screen
from cli.ui.screen.theme import PALETTES

T = TypeVar("T")
REDRAWS = 0.05
"""Seconds between two drawings: events may come faster."""
TICK = 1.0
"""Seconds between two drawings when nothing happens: the time is shown."""


class Stage(Generic[T]):
    def __init__(
        self,
        screen: Screen,
        *,
        input: Input | None = None,
        output: Output | None = None,
        palette: Palette = Palette.DEFAULT,
    ) -> None:
        self.screen = screen
        self.input = input or create_input()
        self.output = output or create_output()
        self.hung_up: Callable[[], None] = lambda: None
        """The terminal is gone."""
        self._title = ""
        self._buffer = Buffer(multiline=False, on_text_changed=self._typed)
        self.app: Application[None] = Application(
            layout=self._layout(),
            key_bindings=bindings(screen, self._buffer),
            style=Style.from_dict(dict(PALETTES[palette])),
            full_screen=True,
            min_redraw_interval=REDRAWS,
            refresh_interval=TICK,
            color_depth=_depth(palette),
            input=self.input,
            output=self.output,
            before_render=self._announce,
            after_render=lambda _app: screen.note_drawn(),
        )
        self.app.ttimeoutlen = 0.05
        self._foreground = Foreground(self.app)
        screen.changed = self.app.invalidate
        screen.set_input = self._set_input

    # -- what is drawn -------------------------------------------------------------------

    def _layout(self) -> Layout:
        line = Window(BufferControl(self._buffer, focusable=True), height=1)
        return Layout(
            HSplit(
                [
                    Window(FormattedTextControl(self._table), wrap_lines=False),
                    VSplit([Window(FormattedTextControl("> "), width=2, height=1), line]),
                    Window(FormattedTextControl(self._keys), height=1),
                ]
            ),
            focused_element=line,
        )

    def _table(self) -> StyleAndTextTuples:
        size = self.output.get_size()
        found: StyleAndTextTuples = []
        for row in draw(self.screen, size.columns, max(1, size.rows - 2)):
            found += [(f"class:{style}", text) for style, text in row]
            found.append(("", "\n"))
        return found[:-1]

    def _keys(self) -> StyleAndTextTuples:
        columns = self.output.get_size().columns
        return [("class:key", keys(columns, ended=self.screen.ending is not None))]

    def _announce(self, app: Application[None]) -> None:
        """The bell and the title of the window, before the question is drawn."""
        if self._foreground.lost:
            return
        if self.screen.rings:
            self.screen.rings = 0
            self.output.bell()
        title = clean(f"kotp2p: {self.screen.heading}")
        if title != self._title:
            self._title = title
            self.output.set_title(title)

    def _typed(self, buffer: Buffer) -> None:
        self.screen.input = buffer.text

    def _set_input(self, text: str) -> None:
        self._buffer.text = text
        self._buffer.cursor_position = len(text)

    # -- two loops in one thread -----------------------------------------------------------

    def run(self, play: Callable[[], Awaitable[T]]) -> T:
        """Plays on the screen until `play` is over; gives what it gave, or raises what it
        raised, with the terminal as it was before."""
        return asyncio.run(self.run_async(play))

    async def run_async(self, play: Callable[[], Awaitable[T]]) -> T:
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[Any] = loop.create_future()
        scope = trio.CancelScope()
        before = loop.get_exception_handler()
        found: list[T] = []

        async def guest() -> None:
            with scope:
                found.append(await play())

        def over(result: Any) -> None:
            ended.set_result(result)
            self._exit()

        def start() -> None:
            trio.lowlevel.start_guest_run(
                guest,
                run_sync_soon_threadsafe=loop.call_soon_threadsafe,
                run_sync_soon_not_threadsafe=loop.call_soon,
                done_callback=over,
                host_uses_signal_set_wakeup_fd=True,
            )

        loop.set_exception_handler(self._fail)
        try:
            await self._show(start, ended)
        except Hopeless as fault:
            scope.cancel()
            await ended
            raise fault.error from None
        finally:
            loop.set_exception_handler(before)
        (await ended).unwrap()
        return found[0]

    async def _show(self, start: Callable[[], None], ended: asyncio.Future[Any]) -> None:
        try:
            with self._foreground.watched(asyncio.get_running_loop()):
                await self.app.run_async(
                    pre_run=start, handle_sigint=False, set_exception_handler=False
                )
        except EOFError:  # the terminal is gone; the game ends by itself
            self.screen.changed = lambda: None
            self.hung_up()
        finally:
            self.output.clear_title()
            self.output.flush()
        await asyncio.wait([ended])

    def _exit(self) -> None:
        if self.app.is_running and not self.app.is_done:
            self.app.exit()

    def _fail(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception") or RuntimeError(context["message"])
        if self.app.is_running and not self.app.is_done:
            self.app.exit(exception=Hopeless(error))


def _depth(palette: Palette) -> ColorDepth | None:
    """None: what the terminal can do, and nothing under NO_COLOR, which a flag may overrule."""
    if palette is Palette.MONO:
        return ColorDepth.DEPTH_1_BIT
    return ColorDepth.DEPTH_8_BIT if os.environ.get(NO_COLOR) else None


class Hopeless(Exception):
    """An error in a callback, which nobody else would hear."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(str(error))
        self.error = error
