"""How things are drawn: words and signs of ASCII, and the colours of the terminal's own theme.

Colours only repeat what the words say. They come from the sixteen that the user has themed,
foreground only, with bold and reverse.
"""

from __future__ import annotations

from cli import names
from cli.words import _
from referee.answers import Face
from referee.state import Monster, Place

STYLES = {
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


def bar(n: int, most: int = 10) -> str:
    return "#" * min(n, most) + "." * (most - n)


def face(one: Face, *, kept: bool = False) -> str:
    """A die; in brackets, if it is kept."""
    return f"[{names.face(one)}]" if kept else f" {names.face(one)} "


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
