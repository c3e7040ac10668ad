"""How things are drawn: the signs that they are made of, and the colours.

Scope: a colour only repeats what a word or a sign says. The default palette takes its colours
from the sixteen that the user has themed, foreground only. The colours of `okabe-ito` differ for
people with colour blindness, and `mono` has none. Each sign is a single code point of one width
on every terminal: one column in `ascii` and `unicode`, whose signs are no emoji in any font. Only
the dice of `emoji` take two columns. One process draws one table, so the signs in use are kept
here (`use_symbols`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cli.system.options import Palette, Symbols
from cli.text import names
from cli.text.i18n import _
from referee.model.answers import Face
from referee.model.state import Monster, Place

MONO = {
    "title": "reverse",
    "rule": "",
    "active": "bold",
    "out": "",
    "tokyo": "bold",
    "dear": "",
    "kept": "bold",
    "cursor": "reverse",
    "status": "bold",
    "prompt": "bold",
    "key": "",
    "log": "",
    "news": "bold",
}
PALETTES: Mapping[Palette, Mapping[str, str]] = {
    Palette.MONO: MONO | {"prompt": "bold underline"},
    Palette.DEFAULT: MONO
    | {
        "active": "ansigreen bold",
        "tokyo": "ansired bold",
        "kept": "ansigreen bold",
        "status": "ansimagenta bold",
        "prompt": "ansicyan bold",
        "news": "ansicyan bold",
    },
    Palette.OKABE_ITO: MONO
    | {
        "active": "#009e73 bold",
        "tokyo": "#d55e00 bold",
        "kept": "#009e73 bold",
        "status": "#cc79a7 bold",
        "prompt": "#56b4e9 bold",
        "news": "#56b4e9 bold",
    },
}


@dataclass(frozen=True, slots=True)
class Signs:
    heart: str
    """A heart of the bar."""
    lost_heart: str
    line: str
    active: str
    """Stands before the monster whose turn it is."""
    faces: Mapping[Face, str] = field(default_factory=dict)
    """The faces that have a sign; the others are words and digits."""


SIGNS = {
    Symbols.ASCII: Signs("#", ".", "-", ">"),
    Symbols.UNICODE: Signs(
        "■", "□", "─", "►", {Face.HEART: "♡", Face.BOLT: "↯", Face.CLAW: "⋔"}
    ),
    Symbols.EMOJI: Signs(
        "■", "□", "─", "►", {Face.HEART: "💗", Face.BOLT: "⚡", Face.CLAW: "🐾"}
    ),
}  # fmt: skip
_signs = SIGNS[Symbols.ASCII]


def use_symbols(symbols: Symbols, encoding: str = "utf-8") -> None:
    """Draws with these signs from now on; with ASCII if the terminal's encoding lacks them, as
    they would show as question marks."""
    global _signs
    wanted = SIGNS[symbols]
    try:
        "".join([wanted.heart, wanted.lost_heart, wanted.line, wanted.active,
                 *wanted.faces.values()]).encode(encoding)  # fmt: skip
    except (UnicodeEncodeError, LookupError):
        wanted = SIGNS[Symbols.ASCII]
    _signs = wanted


def heart_bar(hearts: int, most: int = 10) -> str:
    return _signs.heart * min(hearts, most) + _signs.lost_heart * (most - hearts)


def line_sign() -> str:
    return _signs.line


def active_sign() -> str:
    return _signs.active


def die_text(face: Face, *, is_kept: bool = False) -> str:
    """A die; in brackets, if it is kept."""
    shown = _signs.faces.get(face) or names.face(face)
    return f"[{shown}]" if is_kept else f" {shown} "


def place_text(monster: Monster) -> str:
    if not monster.alive:
        return _("out")
    match monster.place:
        case Place.CITY:
            return _("TOKYO")
        case Place.BAY:
            return _("BAY")
        case Place.OUTSIDE:
            return _("outside")
