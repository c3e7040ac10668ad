"""What a terminal can show, as far as its variables tell: signs beyond ASCII, light or dark.

Scope: from settings and variables to what is drawn. Nothing is asked of the terminal itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from cli.system.choices import Background, Shade, Symbols

POOR_TERMINALS = ("linux", "vt100", "vt220", "ansi", "cons25")
"""Values of TERM whose fonts have few signs beyond ASCII, whatever the encoding says."""
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


def tell_shade(wanted: Background, environment: Mapping[str, str]) -> Shade:
    """Light or dark, if it is set or if COLORFGBG says it (`15;0`, or `0;default;15`)."""
    if wanted in SHADE_OF:
        return SHADE_OF[wanted]
    number = environment.get("COLORFGBG", "").rpartition(";")[2]
    if not (number.isascii() and number.isdigit()) or int(number) > 15:
        return Shade.ANY
    return Shade.DARK if int(number) in DARK_NUMBERS else Shade.LIGHT


def has_true_colour(environment: Mapping[str, str]) -> bool:
    return environment.get("COLORTERM", "").lower() in TRUE_COLOUR
