"""What a terminal can do, as far as its variables tell: signs beyond ASCII, light or dark, notices.

Scope: from settings and variables to what is drawn, and the sequences of notices and the clipboard.
Not here: what the terminal itself is asked (`asked_background`).
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping

from kotp2p.cli.system.choices import Background, Shade, Symbols

POOR_TERMINALS = ("linux", "vt100", "vt220", "ansi", "cons25")
"""Values of TERM whose fonts have few signs beyond ASCII, whatever the encoding says."""
VTE_VARIABLE = "VTE_VERSION"
"""Set by terminals of GNOME and Xfce, whose menus take F1 and F10."""
TRUE_COLOUR = ("truecolor", "24bit")
SHADE_OF = {Background.DARK: Shade.DARK, Background.LIGHT: Shade.LIGHT}
"""What is known without a look at the terminal."""
DARK_NUMBERS = (*range(7), 8)
"""Of the sixteen colours those that are dark, as a background in COLORFGBG."""

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
"""Variables of programs that stand between this one and a terminal, and pass on no notice."""


def notice_sequence(text: str, environment: Mapping[str, str]) -> str:
    """What makes this terminal show a notice on the desktop; empty if it is not known to have any.
    `text` has no control characters."""
    if any(environment.get(name) for name in MULTIPLEXERS):
        return ""
    for form, signs in NOTICE_FORMS:
        for name, values in signs.items():
            value = environment.get(name, "")
            if value and (not values or value in values):
                return form.format(text=text)
    return ""


def clipboard_sequence(text: str) -> str:
    """What puts `text` into the clipboard of a terminal that allows it."""
    return f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\x07"


def choose_symbols(wanted: Symbols, encoding: str, environment: Mapping[str, str]) -> Symbols:
    """The set to draw with: `wanted`, or what this terminal has."""
    if wanted is not Symbols.AUTO:
        return wanted
    is_unicode = encoding.lower().replace("-", "").replace("_", "").startswith("utf")
    if is_unicode and environment.get("TERM", "") not in POOR_TERMINALS:
        return Symbols.UNICODE
    return Symbols.ASCII


def tell_shade(
    wanted: Background,
    environment: Mapping[str, str],
    ask: Callable[[], Shade | None] = lambda: None,
) -> Shade:
    """Light or dark: as it is set, otherwise as the terminal answers (`ask`), otherwise as
    COLORFGBG says (`15;0`, or `0;default;15`), which may be older than the terminal."""
    if wanted in SHADE_OF:
        return SHADE_OF[wanted]
    asked = ask()
    if asked is not None:
        return asked
    number = environment.get("COLORFGBG", "").rpartition(";")[2]
    if not (number.isascii() and number.isdigit()) or int(number) > 15:
        return Shade.ANY
    return Shade.DARK if int(number) in DARK_NUMBERS else Shade.LIGHT


def has_true_colour(environment: Mapping[str, str]) -> bool:
    return environment.get("COLORTERM", "").lower() in TRUE_COLOUR
