"""What a terminal can show, as far as its variables tell: signs beyond ASCII, light or dark.

Scope: from settings and variables to what is drawn.
Not here: what the terminal itself is asked (`asked_background`).
"""

from __future__ import annotations

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
