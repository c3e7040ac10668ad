"""How things are drawn: the signs they are made of, and the colours.

Law: a colour only repeats what a word or a sign says. The default palette takes colours from
the sixteen that the user has themed, foreground only; `okabe-ito` has colours that people who
see few colours can tell apart; `mono` has none. Signs of a set are single code points of one
width on every terminal: one column each in `ascii` and `unicode`, which are no emoji in any
font; only the dice of `emoji` take two. One process draws one table, so what it wears (`wear`)
is kept here.
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
    full: str
    """A heart of the bar, and one that is lost."""
    empty: str
    line: str
    active: str
    """Before the monster whose turn it is."""
    faces: Mapping[Face, str] = field(default_factory=dict)
    """Those that have a sign; the others are words and digits."""


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


def wear(symbols: Symbols, encoding: str = "utf-8") -> None:
    """Draw with these from now on; with ASCII if the terminal has no code for them, which would
    show as question marks."""
    global _signs
    wanted = SIGNS[symbols]
    try:
        "".join([wanted.full, wanted.empty, wanted.line, wanted.active,
                 *wanted.faces.values()]).encode(encoding)  # fmt: skip
    except (UnicodeEncodeError, LookupError):
        wanted = SIGNS[Symbols.ASCII]
    _signs = wanted


def bar(n: int, most: int = 10) -> str:
    return _signs.full * min(n, most) + _signs.empty * (most - n)


def line() -> str:
    return _signs.line


def active() -> str:
    return _signs.active


def face(one: Face, *, kept: bool = False) -> str:
    """A die; in brackets, if it is kept."""
    shown = _signs.faces.get(one) or names.face(one)
    return f"[{shown}]" if kept else f" {shown} "


def place(monster: Monster) -> str:
    if not monster.alive:
        return _("out")
    match monster.place:
        case Place.CITY:
            return _("TOKYO")
        case Place.BAY:
            return _("BAY")
        case Place.OUTSIDE:
            return _("outside")
