"""Asking the terminal for the colour of its background.

Scope: one question (OSC 11) before anything is drawn, and a short wait for the answer. Behind it
goes a question that every terminal answers (DA1, "what are you?"): once that answer is there,
nothing more comes, so a terminal that knows no background costs no wait. tmux answers both by
itself. Nothing is asked of terminals that print what they do not understand, nor of GNU screen,
which may hand an answer to another window.
Not here: answers that come too late; the drawn table drops those (`cli.ui.screen.late_answers`).
"""

from __future__ import annotations

import os
import re
import select
import sys
import time
from collections.abc import Mapping

from kotp2p.cli.system.choices import Shade

QUESTIONS = b"\x1b]11;?\x1b\\\x1b[c"
LAST_ANSWER = re.compile(rb"\x1b\[\?[0-9;]*c")
COLOUR = re.compile(rb"\x1b\]11;(?:rgba?:([0-9a-fA-F/]+)|#([0-9a-fA-F]{6}))")
WAIT_SECONDS = 0.4
"""Longer than a way to the other side of the world and back; only silent terminals take it."""
SILENT_TERMINALS = ("", "dumb", "unknown", "linux", "ansi", "vt100", "vt220", "cons25")
MAX_ANSWER = 4096
"""Bytes; somebody who holds down a key does not keep us here."""


def can_be_asked(environment: Mapping[str, str]) -> bool:
    term = environment.get("TERM", "")
    if term in SILENT_TERMINALS or "INSIDE_EMACS" in environment:
        return False
    is_screen = "STY" in environment or term.startswith("screen")
    return "TMUX" in environment or not is_screen


def ask_background(
    reading: int, writing: int, environment: Mapping[str, str], wait: float = WAIT_SECONDS
) -> Shade | None:
    """Light or dark; None if the terminal does not say. What is typed meanwhile is lost, as no
    prompt stands there yet."""
    if sys.platform == "win32" or not can_be_asked(environment):
        return None
    import termios
    import tty

    try:
        before = termios.tcgetattr(reading)
    except termios.error:
        return None
    try:
        tty.setcbreak(reading)  # without echo; Ctrl-C goes on to be a signal
        os.write(writing, QUESTIONS)
        return shade_in(_read_answers(reading, wait))
    except OSError:  # the terminal is gone, as the first drawing will find
        return None
    finally:
        termios.tcsetattr(reading, termios.TCSADRAIN, before)


def _read_answers(reading: int, wait: float) -> bytes:
    found = b""
    until = time.monotonic() + wait
    while len(found) < MAX_ANSWER and not LAST_ANSWER.search(found):
        ready, _writable, _faults = select.select(
            [reading], [], [], max(0.0, until - time.monotonic())
        )
        more = os.read(reading, MAX_ANSWER) if ready else b""
        if not more:
            break
        found += more
    return found


def shade_in(answers: bytes) -> Shade | None:
    """`]11;rgb:1e1e/1e1e/1e1e`, with one to four digits for each part, or `]11;#1e1e1e`."""
    told = COLOUR.search(answers)
    if told is None:
        return None
    whole, split = told[2] or b"", told[1] or b""
    parts = [whole[at : at + 2] for at in (0, 2, 4)] if whole else split.split(b"/")[:3]
    if len(parts) < 3 or not all(parts):
        return None
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in parts)
    # Of linear light: where black has as much contrast as white, 0.18.
    light = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2
    return Shade.LIGHT if light > 0.18 else Shade.DARK
