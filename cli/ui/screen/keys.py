"""The keys of the table, and the method of `Controls` that each calls.

Scope: which key does what. No key that is needed to play is a letter: digits, arrows, Space,
Enter, Esc and function keys reach everything, whatever keyboard is in use.
"""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from kotp2p.cli.ui.screen.controls import Controls

MAX_INPUT_SIGNS = 200
"""Signs that the input line takes."""
KEYS_THAT_NEVER_WAIT = (
    Keys.F5, Keys.F10, Keys.ControlC, Keys.ControlD, Keys.ControlZ, Keys.ControlL,
)  # fmt: skip
KEYS_OF_A_PAGE = (Keys.Escape, Keys.PageUp, Keys.PageDown)
NO_KEYS = (
    Keys.CPRResponse, Keys.Vt100MouseEvent, Keys.WindowsMouseEvent, Keys.Ignore, Keys.SIGINT,
)  # fmt: skip
"""What prompt_toolkit calls keys, and nobody has pressed."""


def bind_keys(controls: Controls, line: Buffer) -> KeyBindings:
    keys = KeyBindings()
    _bind_at_any_time(keys, controls)
    _bind_when_read(keys, controls, line)
    _bind_cursor(keys, controls, line)
    _bind_jump(keys, controls)
    return keys


def _bind_at_any_time(keys: KeyBindings, controls: Controls) -> None:
    """Keys that answer nothing, and so count at any time."""
    at_any_time: dict[str, Callable[[], None]] = {
        "escape": controls.close_page,
        "f1": controls.show_help,
        "f2": controls.show_cards,
        "f3": controls.show_log,
        "f4": controls.show_standing_orders,
        "f5": controls.show_look,
        "f10": controls.ask_to_leave,
        "pageup": lambda: controls.turn_pages(-1),
        "pagedown": lambda: controls.turn_pages(1),
    }
    for key, method in at_any_time.items():
        keys.add(key, eager=True)(_handler(method))

    @keys.add("c-c", eager=True)
    @keys.add("c-d", eager=True)
    def _interrupt(event: KeyPressEvent) -> None:
        controls.interrupt()

    @keys.add("c-z", eager=True)
    def _suspend(event: KeyPressEvent) -> None:
        event.app.suspend_to_background()

    @keys.add("c-l", eager=True)
    def _redraw(event: KeyPressEvent) -> None:
        event.app.renderer.clear()


def _bind_when_read(keys: KeyBindings, controls: Controls, line: Buffer) -> None:
    """Keys for what is asked: only once it was drawn and could be read."""
    when_read: dict[str, Callable[[], None]] = {
        "enter": controls.submit_line,
        "up": lambda: controls.pick_answer(-1),
        "down": lambda: controls.pick_answer(1),
        "f6": controls.pick_command,
    }
    for key, method in when_read.items():
        keys.add(key, eager=True)(_handler(method, controls.accept_key))

    @keys.add(" ", eager=True)
    def _space(event: KeyPressEvent) -> None:
        if controls.accept_key() and not controls.toggle_die():
            insert_text(line, " ")

    @keys.add(Keys.Any)
    def _sign(event: KeyPressEvent) -> None:
        if event.data.isprintable() and controls.accept_key():
            controls.clear_remark()
            insert_text(line, event.data)

    @keys.add(Keys.BracketedPaste, eager=True)
    def _paste(event: KeyPressEvent) -> None:
        if controls.accept_key():
            insert_text(line, "".join(event.data.splitlines()[:1]))


def _bind_cursor(keys: KeyBindings, controls: Controls, line: Buffer) -> None:
    """Keys that move among the dice, where dice are asked for; otherwise on the line."""

    @keys.add("left", eager=True)
    def _left(event: KeyPressEvent) -> None:
        if not controls.move_cursor(-1):
            line.cursor_left()

    @keys.add("right", eager=True)
    def _right(event: KeyPressEvent) -> None:
        if not controls.move_cursor(1):
            line.cursor_right()


def _bind_jump(keys: KeyBindings, controls: Controls) -> None:
    """Bound last, so that they win: while the screen shows the past, every other key brings it to
    the present and does nothing else."""
    is_behind = Condition(lambda: controls.is_behind)
    is_table_in_sight = Condition(lambda: not controls.is_page_open)
    jump = _handler(controls.jump_to_present)
    for key in [*Keys, " "]:
        if key in KEYS_OF_A_PAGE:
            keys.add(key, filter=is_behind & is_table_in_sight, eager=True)(jump)
        elif key not in (*KEYS_THAT_NEVER_WAIT, *NO_KEYS):
            keys.add(key, filter=is_behind, eager=True)(jump)


def insert_text(line: Buffer, text: str) -> None:
    kept = "".join(sign for sign in text if sign.isprintable())
    line.insert_text(kept[: max(0, MAX_INPUT_SIGNS - len(line.text))])


def _handler(
    method: Callable[[], None], is_allowed: Callable[[], bool] = lambda: True
) -> Callable[[KeyPressEvent], None]:
    def handle(event: KeyPressEvent) -> None:
        if is_allowed():
            method()

    return handle
