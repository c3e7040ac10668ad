"""What the terminal can show."""

import base64
import os
import re
import select
import sys
import time
from collections.abc import Mapping

from kotp2p.cli.system.options import Background, Shade, Symbols

# -- symbols and shades --------------------------------------------------------------------
#
# From settings and variables to what is drawn, and the sequences of notices and the clipboard.


POOR_TERMINALS = ("linux", "vt100", "vt220", "ansi", "cons25")
"""Values of TERM whose fonts have few signs beyond ASCII, whatever the encoding says."""
ASCII_LOCALES = ("C", "POSIX")
"""Values of LC_ALL that ask for no sign beyond ASCII, though Python writes UTF-8 there."""
VTE_VARIABLE = "VTE_VERSION"
"""Set by terminals of GNOME and Xfce, whose menus take F1 and F10."""
TRUE_COLOUR = ("truecolor", "24bit")
SHADE_OF = {Background.DARK: Shade.DARK, Background.LIGHT: Shade.LIGHT}
"""What is known without a look at the terminal."""


NOTICE_FORMS = (
    ("\x1b]99;;{text}\x1b\\", {"TERM": ("xterm-kitty",), "KITTY_WINDOW_ID": ()}),
    (
        "\x1b]9;{text}\x07",
        {"TERM": ("xterm-ghostty", "wezterm"), "TERM_PROGRAM": ("iTerm.app", "WezTerm", "ghostty")},
    ),
    (
        "\x1b]777;notify;kotp2p;{text}\x1b\\",
        {
            "TERM": ("foot", "foot-extra", "rxvt-unicode", "rxvt-unicode-256color", "contour"),
            "VTE_VERSION": (),
            "KONSOLE_VERSION": (),
        },
    ),
)
"""How a terminal is asked for a notice on the desktop, and by which variables such a terminal is
known; without values, the variable alone is enough."""
MULTIPLEXERS = ("TMUX", "STY")
"""Variables of programs between this one and a terminal that pass on no notice."""


def notice_sequence(text: str, environment: Mapping[str, str]) -> str:
    """Return the sequence that shows a desktop notice; empty if none is known."""
    if any(environment.get(name) for name in MULTIPLEXERS):
        return ""
    for form, signs in NOTICE_FORMS:
        for name, values in signs.items():
            value = environment.get(name, "")
            if value and (not values or value in values):
                return form.format(text=text)
    return ""


def clipboard_sequence(text: str) -> str:
    return f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\x07"


def choose_symbols(wanted: Symbols, encoding: str, environment: Mapping[str, str]) -> Symbols:
    if wanted is not Symbols.AUTO:
        return wanted
    is_unicode = encoding.lower().replace("-", "").replace("_", "").startswith("utf")
    is_poor = environment.get("TERM", "") in POOR_TERMINALS
    is_ascii = environment.get("LC_ALL", "") in ASCII_LOCALES
    return Symbols.UNICODE if is_unicode and not is_poor and not is_ascii else Symbols.ASCII


def has_true_colour(environment: Mapping[str, str]) -> bool:
    return environment.get("COLORTERM", "").lower() in TRUE_COLOUR


# -- the colour of the background, asked of the terminal -----------------------------------
#
# One question (OSC 11) before anything is drawn, and a short wait for the answer. After it goes a
# question that every terminal answers (DA1, "what are you?"): once that answer is there, nothing
# more comes, so a terminal that knows no background costs no wait. tmux answers both by itself.
# Nothing is asked of terminals that print what they do not understand, nor of GNU screen, which may
# hand an answer to another window.


QUESTIONS = b"\x1b]11;?\x1b\\\x1b[c"
LAST_ANSWER = re.compile(rb"\x1b\[\?[0-9;]*c")
COLOUR = re.compile(rb"\x1b\]11;(?:rgba?:([0-9a-fA-F/]+)|#([0-9a-fA-F]{6}))")
WAIT_SECONDS = 0.4
"""Longer than a round trip around the world; only silent terminals take it all."""
SILENT_TERMINALS = ("", "dumb", "unknown", "linux", "ansi", "vt100", "vt220", "cons25")
MAX_ANSWER = 4096
"""The most bytes, so that a key that is held down does not prolong the wait."""


def can_be_asked(environment: Mapping[str, str]) -> bool:
    term = environment.get("TERM", "")
    if term in SILENT_TERMINALS or "INSIDE_EMACS" in environment:
        return False
    is_screen = "STY" in environment or term.startswith("screen")
    return "TMUX" in environment or not is_screen


def ask_background(
    reading: int, writing: int, environment: Mapping[str, str], wait: float = WAIT_SECONDS
) -> Shade | None:
    """Ask the terminal for its background; None without an answer. Keys typed then are lost."""
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
    """Parse `]11;rgb:1e1e/1e1e/1e1e` (one to four digits each) or `]11;#1e1e1e`."""
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
