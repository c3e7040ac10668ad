"""The keys of the table. Each calls a method of the `Screen` that does not wait.

No key that is needed to play is a letter: digits, arrows, Space, Enter, Esc and function keys
reach everything, whatever keyboard is in use.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from cli.ask.standing_orders import WORD
from cli.ui.screen.screen import Screen

LONGEST = 200
"""Signs on the input line."""


def bindings(screen: Screen, line: Buffer) -> KeyBindings:
    keys = KeyBindings()
    _always(keys, screen, line)
    _typing(keys, screen, line)
    _moving(keys, screen, line)
    return keys


def _always(keys: KeyBindings, screen: Screen, line: Buffer) -> None:
    """Keys that answer nothing, and so count at any time."""
    at_once: dict[str, Callable[[], None]] = {
        "escape": screen.close,
        "f1": screen.help,
        "f2": screen.cards,
        "f3": screen.whole_log,
        "f4": lambda: _orders(screen),
        "f10": screen.leave,
        "pageup": lambda: screen.turn(5),
        "pagedown": lambda: screen.turn(-5),
    }
    for key, method in at_once.items():
        keys.add(key, eager=True)(_calling(method))

    @keys.add("c-c", eager=True)
    @keys.add("c-d", eager=True)
    def _interrupt(event: KeyPressEvent) -> None:
        screen.break_off()

    @keys.add("c-z", eager=True)
    def _suspend(event: KeyPressEvent) -> None:
        event.app.suspend_to_background()

    @keys.add("c-l", eager=True)
    def _redraw(event: KeyPressEvent) -> None:
        event.app.renderer.clear()


def _typing(keys: KeyBindings, screen: Screen, line: Buffer) -> None:
    """Keys for what is asked: only once it was drawn and could be read."""
    when_read: dict[str, Callable[[], None]] = {
        "enter": screen.enter,
        "up": lambda: screen.pick(-1),
        "down": lambda: screen.pick(1),
        "f6": screen.menu,
    }
    for key, method in when_read.items():
        keys.add(key, eager=True)(_calling(method, screen.ready))

    @keys.add(" ", eager=True)
    def _space(event: KeyPressEvent) -> None:
        if screen.ready() and not screen.toggle():
            _insert(line, " ")

    @keys.add(Keys.Any)
    def _sign(event: KeyPressEvent) -> None:
        if event.data.isprintable() and screen.ready():
            screen.status = ""
            _insert(line, event.data)

    @keys.add(Keys.BracketedPaste, eager=True)
    def _paste(event: KeyPressEvent) -> None:
        if screen.ready():
            _insert(line, "".join(event.data.splitlines()[:1]))


def _moving(keys: KeyBindings, screen: Screen, line: Buffer) -> None:
    """Among the dice, where dice are asked for; otherwise on the line."""

    @keys.add("left", eager=True)
    def _left(event: KeyPressEvent) -> None:
        if not screen.move(-1):
            line.cursor_left()

    @keys.add("right", eager=True)
    def _right(event: KeyPressEvent) -> None:
        if not screen.move(1):
            line.cursor_right()


def _orders(screen: Screen) -> None:
    """F4: as if it were typed, but no answer to whether to leave."""
    if not screen.is_leaving:
        screen.do(partial(screen.line, WORD))


def _insert(line: Buffer, text: str) -> None:
    kept = "".join(sign for sign in text if sign.isprintable())
    line.insert_text(kept[: max(0, LONGEST - len(line.text))])


def _calling(
    method: Callable[[], None], allowed: Callable[[], bool] = lambda: True
) -> Callable[[KeyPressEvent], None]:
    def call(event: KeyPressEvent) -> None:
        if allowed():
            method()

    return call
