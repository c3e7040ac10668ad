"""A `Screen` on a terminal: prompt_toolkit draws and reads keys, trio plays as its guest.

Scope: asyncio is the host and trio the guest, both in one thread (`trio.lowlevel.start_guest_run`).
Keys call methods that never wait. Trio's tasks change the `Screen` and call `redraw`. The end of
the game ends the application and the other way round, so that the terminal is always given back:
trio's outcome is awaited before asyncio ends.

Known limitation: prompt_toolkit asks its user to press Enter after an error in a callback, so the
loop's own handler is replaced. It also raises when the terminal is gone. That ends the drawing and
not the game, which is informed and ends by itself.
"""

import asyncio
import os
import re
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Generic, Protocol, TypeVar

import trio
from prompt_toolkit import layout
from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input, create_input
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, DummyOutput, Output, create_output
from prompt_toolkit.styles import Style

from kotp2p.cli.system.config import NO_COLOR_VARIABLE
from kotp2p.cli.system.languages import row_in_reading_order
from kotp2p.cli.system.options import Depth, Palette, Shade
from kotp2p.cli.system.terminal import clipboard_sequence, has_true_colour, notice_sequence
from kotp2p.cli.text.i18n import clean_line
from kotp2p.cli.ui.screen.draw import INPUT_AND_KEYS_ROWS
from kotp2p.cli.ui.screen.panels import FRAME_SECONDS, Moment
from kotp2p.cli.ui.screen.screen import ROWS_OF_A_NOTCH, Screen, ask_for_reports, mark_at
from kotp2p.cli.ui.screen.theme import Row, styles_of

T = TypeVar("T")
MIN_SECONDS_BETWEEN_DRAWINGS = 0.05
"""The least time between drawings, as events may come faster."""
MOST_SECONDS_BETWEEN_DRAWINGS = 5.0
"""The most time between drawings, for changes that the terminal was not informed of."""
WINDOWS_SIZE_SECONDS = 0.5
MOMENT_SECONDS = 1.0
"""How long a great moment fills the table, if no key ends it."""
ESCAPE_TIMEOUT_SECONDS = 0.05
"""An Esc after which nothing comes for this time is the key, not the start of a sequence."""
PIXEL_STYLES = ("fg:", "bg:")

NO_WHEEL_AS_ARROWS, WHEEL_AS_BEFORE = "\x1b[?1007s\x1b[?1007l", "\x1b[?1007r"
"""Mode 1007 of xterm, with what it was before."""


class Face(Protocol):
    screen: Screen

    def draw(self, columns: int, height: int) -> list[Row]:
        """Return `height` rows, without the input line and the keys."""

    def draw_keys(self, columns: int) -> Row:
        """Return the last row."""

    def bind_keys(self, line: Buffer) -> KeyBindings: ...

    def click(self, mark: str) -> None:
        """Handle a click on a mark, which may be empty."""


class TableControl(layout.FormattedTextControl):
    def __init__(
        self, text: Callable[[], StyleAndTextTuples], hear: Callable[[MouseEvent], bool]
    ) -> None:
        super().__init__(text)
        self._hear = hear

    def mouse_handler(self, mouse_event: MouseEvent) -> Any:
        if not self._hear(mouse_event):
            return NotImplemented  # so prompt_toolkit asks, and then draws nothing anew
        return None


class TerminalStage(Generic[T]):
    def __init__(
        self,
        face: Face,
        *,
        input: Input | None = None,
        output: Output | None = None,
        palette: Palette = Palette.DEFAULT,
        shade: Shade = Shade.ANY,
        mouse: bool = True,
    ) -> None:
        """Set up; with `mouse` the terminal reports the mouse."""
        self.face = face
        self._mouse = mouse
        self._shown: list[Row] = []
        screen = self.screen = face.screen
        self.input = input or create_input()
        drop_late_answers(self.input)
        self.output = output or create_output()
        ask_for_reports(self.output)
        self.on_hangup: Callable[[], None] = lambda: None
        self._title = ""
        self._next_frame: asyncio.TimerHandle | None = None
        self._timed_moment: Moment | None = None
        self._moment_end: asyncio.TimerHandle | None = None
        self._next_drawing: asyncio.TimerHandle | None = None
        self._buffer = Buffer(multiline=False, on_text_changed=self._note_typed)
        keys = face.bind_keys(self._buffer)
        screen.focus.bind_reports(keys)
        self.app = self._build_application(keys, palette, shade, mouse)
        self.app.ttimeoutlen = ESCAPE_TIMEOUT_SECONDS
        self.app.key_processor.before_key_press += self._end_moment
        screen.depth = picture_depth(self.app.color_depth)
        self._foreground = Foreground(self.app)
        screen.redraw = self.app.invalidate
        screen.input.on_replaced = self._replace_line
        screen.write_clipboard = self._write_clipboard

    def _build_application(
        self, keys: KeyBindings, palette: Palette, shade: Shade, mouse: bool
    ) -> Application[None]:
        return Application(
            layout=self._build_layout(),
            key_bindings=keys,
            style=Style.from_dict(dict(styles_of(palette, shade))),
            full_screen=True,
            min_redraw_interval=MIN_SECONDS_BETWEEN_DRAWINGS,
            terminal_size_polling_interval=(
                WINDOWS_SIZE_SECONDS if sys.platform == "win32" else None
            ),
            color_depth=color_depth(palette),
            mouse_support=mouse,
            input=self.input,
            output=self.output,
            before_render=self._announce_question,
            after_render=self._note_drawn,
        )

    # -- what is drawn -------------------------------------------------------------------

    def _build_layout(self) -> layout.Layout:
        line = layout.Window(layout.BufferControl(self._buffer, focusable=True), height=1)
        return layout.Layout(
            layout.HSplit(
                [
                    layout.Window(
                        TableControl(self._render_table, self._hear_mouse), wrap_lines=False
                    ),
                    layout.VSplit(
                        [layout.Window(layout.FormattedTextControl("> "), width=2, height=1), line]
                    ),
                    layout.Window(layout.FormattedTextControl(self._render_keys), height=1),
                ]
            ),
            focused_element=line,
        )

    def _render_table(self) -> StyleAndTextTuples:
        size = self.output.get_size()
        found: StyleAndTextTuples = []
        self._shown = []
        for row in self.face.draw(size.columns, max(1, size.rows - INPUT_AND_KEYS_ROWS)):
            self._shown.append(row_in_reading_order(row))
            found += [(class_of(style), text) for style, text in self._shown[-1]]
            found.append(("", "\n"))
        return found[:-1]

    def _hear_mouse(self, event: MouseEvent) -> bool:
        match event.event_type:
            case MouseEventType.SCROLL_UP:
                self.screen.scroll(-ROWS_OF_A_NOTCH)
            case MouseEventType.SCROLL_DOWN:
                self.screen.scroll(ROWS_OF_A_NOTCH)
            case MouseEventType.MOUSE_UP if event.button is MouseButton.LEFT:
                self.face.click(mark_at(self._shown, event.position.y, event.position.x))
            case _:  # a move, or another button
                return False
        return True

    def _render_keys(self) -> StyleAndTextTuples:
        row = self.face.draw_keys(self.output.get_size().columns)
        return [(class_of(style), text) for style, text in row_in_reading_order(row)]

    def _announce_question(self, app: Application[None]) -> None:
        """Ring the bell and set the title before the question; notify beside another window."""
        if self._foreground.lost:
            return
        title = clean_line(f"kotp2p: {self.screen.heading}")
        if self.screen.bell.take_ring():
            self.output.bell()
            if self.screen.focus.in_front is False:
                self.output.write_raw(notice_sequence(title, os.environ))
        if title != self._title:
            self._title = title
            self.output.set_title(title)

    def _note_drawn(self, app: Application[None]) -> None:
        self.screen.guard.note_drawn()
        loop = asyncio.get_running_loop()
        if self._next_drawing is not None:
            self._next_drawing.cancel()
        wait = self.screen.seconds_to_change
        self._next_drawing = loop.call_later(
            MOST_SECONDS_BETWEEN_DRAWINGS if wait is None else wait, self.app.invalidate
        )
        if self.screen.motion.is_moving and self._next_frame is None:
            self._next_frame = loop.call_later(FRAME_SECONDS, self._step_motion)
        self._time_moment(loop)

    def _time_moment(self, loop: asyncio.AbstractEventLoop) -> None:
        moment = self.screen.moments.shown
        if moment is self._timed_moment:
            return
        self._timed_moment = moment
        if self._moment_end is not None:
            self._moment_end.cancel()
        if moment is not None:
            self._moment_end = loop.call_later(MOMENT_SECONDS, self._end_moment)

    def _end_moment(self, _keys: object = None) -> None:
        if self.screen.moments.shown is not None:
            self.screen.moments.end()
            self.app.invalidate()

    def _write_clipboard(self, text: str) -> None:
        self.output.write_raw(clipboard_sequence(text))
        self.output.flush()

    def _step_motion(self) -> None:
        self._next_frame = None
        self.screen.motion.step()
        self.app.invalidate()

    def _note_typed(self, buffer: Buffer) -> None:
        self.screen.input.text = buffer.text

    def _replace_line(self, text: str) -> None:
        self._buffer.text = text
        self._buffer.cursor_position = len(text)

    # -- two loops in one thread -----------------------------------------------------------

    def run(self, play: Callable[[], Awaitable[T]]) -> T:
        """Show the screen until `play` is over, and return its result or raise its error."""
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

        def note_end(result: Any) -> None:
            ended.set_result(result)
            if self.app.is_running and not self.app.is_done:
                self.app.exit()

        def start() -> None:
            trio.lowlevel.start_guest_run(
                guest,
                run_sync_soon_threadsafe=loop.call_soon_threadsafe,
                run_sync_soon_not_threadsafe=loop.call_soon,
                done_callback=note_end,
                host_uses_signal_set_wakeup_fd=True,
            )

        loop.set_exception_handler(self._end_by_error)
        try:
            await self._show(start, ended)
        except CallbackError as fault:
            scope.cancel()
            await ended
            raise fault.error from None
        finally:
            loop.set_exception_handler(before)
        (await ended).unwrap()
        return found[0]

    async def _show(self, start: Callable[[], None], ended: asyncio.Future[Any]) -> None:
        try:
            loop = asyncio.get_running_loop()
            if not self._mouse:  # otherwise some terminals send arrow keys for the wheel
                self.output.write_raw(NO_WHEEL_AS_ARROWS)
            with unblocked_keys(self.input), self._foreground.watched(loop):
                await self.app.run_async(
                    pre_run=start, handle_sigint=False, set_exception_handler=False
                )
        except (EOFError, OSError):  # the terminal is gone; the game ends by itself
            self.screen.redraw = lambda: None
            self.on_hangup()
        finally:
            with suppress(OSError):  # so says a terminal that is gone
                if not self._mouse:
                    self.output.write_raw(WHEEL_AS_BEFORE)
                self.output.clear_title()
                self.output.flush()
        await asyncio.wait([ended])

    def _end_by_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception") or RuntimeError(context["message"])
        if self.app.is_running and not self.app.is_done:
            self.app.exit(exception=CallbackError(error))


def class_of(style: str) -> str:
    """Return the style as prompt_toolkit writes it; the style of a pixel is its colours."""
    return " ".join(n if n.startswith(PIXEL_STYLES) else f"class:{n}" for n in style.split())


def color_depth(palette: Palette) -> ColorDepth | None:
    """Return the depth for a palette; None leaves it to TERM and NO_COLOR."""
    if palette is Palette.MONO:
        return ColorDepth.DEPTH_1_BIT
    if has_true_colour(os.environ):
        return ColorDepth.DEPTH_24_BIT
    return ColorDepth.DEPTH_8_BIT if os.environ.get(NO_COLOR_VARIABLE) else None


def picture_depth(depth: ColorDepth) -> Depth:
    if depth is ColorDepth.DEPTH_1_BIT:
        return Depth.NONE
    return Depth.SIXTEEN if depth is ColorDepth.DEPTH_4_BIT else Depth.MANY


class CallbackError(Exception):
    """An error in a callback of the loop, carried out of the application."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(str(error))
        self.error = error


# -- foreground ----------------------------------------------------------------------------
#
# prompt_toolkit handles Ctrl-Z, but a process that is stopped by a signal has no chance to tidy
# up. Either way a shell takes the terminal, in a mode of its own, and may let this process go on
# in the background (`bg`, a signal from elsewhere). The keys and the picture are the shell's
# then, so nothing is read and nothing is drawn. In front again, mode and picture are made anew.


CHECK_FOREGROUND_EVERY_SECONDS = 0.3
"""A shell need not signal a running process that it is in front again, so the process asks."""


class Foreground:
    def __init__(self, app: Application[None]) -> None:
        self._app = app
        self._away = ExitStack()
        self.lost = False

    @contextmanager
    def watched(self, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        if not hasattr(signal, "SIGCONT"):  # Windows knows no background
            yield
            return
        loop.add_signal_handler(signal.SIGCONT, self._note_continued, loop)
        try:
            yield
        finally:
            loop.remove_signal_handler(signal.SIGCONT)
            self._away.close()
            self.lost = False

    def _note_continued(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self._is_in_background():
            self._take_terminal()
        elif not self.lost:
            self._give_up_terminal()
            loop.call_later(CHECK_FOREGROUND_EVERY_SECONDS, self._check_again, loop)

    def _check_again(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self.lost:
            return
        if self._is_in_background():
            loop.call_later(CHECK_FOREGROUND_EVERY_SECONDS, self._check_again, loop)
        else:
            self._take_terminal()

    def _is_in_background(self) -> bool:
        try:
            return os.tcgetpgrp(self._app.input.fileno()) != os.getpgrp()
        except (OSError, NotImplementedError):
            return False  # it is no terminal, or not ours: no other process takes it

    def _give_up_terminal(self) -> None:
        self.lost = True
        self._away.enter_context(self._app.input.detach())
        renderer = self._app.renderer
        self._away.callback(setattr, renderer, "output", renderer.output)
        renderer.output = DummyOutput()

    def _take_terminal(self) -> None:
        self._away.close()
        self.lost = False
        # Entered only: what the terminal was like before the game is restored at its end.
        self._app.input.raw_mode().__enter__()
        self._app.renderer.clear()
        self._app.invalidate()


# -- keys are read without ever waiting for one --------------------------------------------
#
# How the bytes of the terminal are read when the loop says that there are some. While this
# process is in the background, the shell may read them first. A read that then waits for the next
# key would stop the loop, and with it the links of the game.


CONTROLLING_TERMINAL = "/dev/tty"


@contextmanager
def unblocked_keys(source: Input) -> Iterator[None]:
    """Let `source` read without blocking by a file of its own, as the shell shares the input."""
    if os.name == "nt":
        yield
        return
    from prompt_toolkit.input.posix_utils import PosixStdinReader
    from prompt_toolkit.input.vt100 import Vt100Input

    descriptor = open_unblocked(source.fileno()) if isinstance(source, Vt100Input) else None
    if descriptor is None or not isinstance(source, Vt100Input):
        yield
        return
    before = source.stdin_reader
    source.stdin_reader = PosixStdinReader(descriptor, encoding=source.stdin.encoding)
    try:
        yield
    finally:
        source.stdin_reader = before
        os.close(descriptor)


def open_unblocked(terminal: int) -> int | None:
    """Open this terminal for reads that never block; None if it does not control the process."""
    try:
        os.tcgetpgrp(terminal)  # refused for any other one
        flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY
        return os.open(CONTROLLING_TERMINAL, flags)
    except OSError:
        return None


# -- late answers of the terminal: they are no keys ----------------------------------------
#
# From the text that the terminal sends to the text that was typed. What a terminal answers to
# `cli.system.terminal` may come after the wait, over a slow line.


ANSWER = re.compile(r"\x1b\][0-9]+;[^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[\?[0-9;]*c")
BEGUN = re.compile(r"\x1b(?:\][0-9]*(?:;[^\x07\x1b]*\x1b?)?|\[\?[0-9;]*)$")
MAX_ANSWER = 80
"""The length after which a sequence is no answer."""


class AnswerFilter:
    def __init__(self) -> None:
        self._begun = ""
        """The beginning of an answer that is not complete yet."""

    def drop_answers(self, text: str) -> str:
        """Return what was typed; a lone Esc is a key and passes at once."""
        text = ANSWER.sub("", self._begun + text)
        begun = BEGUN.search(text)
        self._begun = ""
        if begun is None or len(begun[0]) > MAX_ANSWER:
            return text
        self._begun = begun[0]
        return text[: begun.start()]


def drop_late_answers(source: Input) -> None:
    if not isinstance(source, Vt100Input):
        return
    parser, found = source.vt100_parser, AnswerFilter()
    feed = parser.feed

    def feed_keys(data: str) -> None:
        feed(found.drop_answers(data))

    parser.feed = feed_keys  # type: ignore[method-assign]
