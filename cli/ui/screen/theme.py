"""The signs that the table is made of.

Scope: each sign is a single code point of one column on every terminal, and none is an emoji in
any font, but for the faces of `emoji`. What has a sign of more than ASCII has an ASCII twin. One
process draws one table, so the signs in use are kept here (`use_symbols`).
Not here: colours (`palettes`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kotp2p.cli.system.options import Symbols
from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.story import LineKind
from kotp2p.referee.model.answers import Face
from kotp2p.referee.model.state import Monster, Place

FACE_COLUMNS = 3
"""Columns of a face in its box."""


@dataclass(frozen=True, slots=True)
class Signs:
    heart: str
    """A heart of the bar."""
    lost_heart: str
    line: str
    upright: str
    corners: tuple[str, str, str, str]
    """Of a die: top left, top right, bottom left, bottom right."""
    place_corners: tuple[str, str, str, str]
    """Of a place, in the same order."""
    active: str
    """Stands before the monster whose turn it is."""
    strike: str
    """Two of them and the sign of the active monster are an arrow from an attacker."""
    own: str
    """Stands before the reader's own name."""
    skyline: str
    """Houses of Tokyo, again and again."""
    kinds: Mapping[LineKind, str]
    """The marks of the log."""
    faces: Mapping[Face, str]
    """Each of `FACE_COLUMNS` columns."""
    levels: str = "▁▂▃▄▅▆▇█"
    """From nothing to the most."""

    def every_sign(self) -> str:
        return "".join(
            [self.heart, self.lost_heart, self.line, self.upright, *self.corners,
             *self.place_corners, self.active, self.strike, self.own, self.skyline,
             *self.kinds.values(), *self.faces.values(), self.levels]
        )  # fmt: skip


ASCII_KINDS = {
    LineKind.DICE: "o", LineKind.DAMAGE: "x", LineKind.HEALING: "+", LineKind.POINTS: "*",
    LineKind.ENERGY: "$", LineKind.CARD: "=", LineKind.TOKYO: "^", LineKind.CHAT: ">",
    LineKind.INCIDENT: "!",
}  # fmt: skip
KINDS = {
    LineKind.DICE: "⚄", LineKind.DAMAGE: "×", LineKind.HEALING: "♡", LineKind.POINTS: "★",
    LineKind.ENERGY: "↯", LineKind.CARD: "▤", LineKind.TOKYO: "⌂", LineKind.CHAT: "»",
    LineKind.INCIDENT: "!",
}  # fmt: skip
SKYLINE = "▁▃▂▅▂▁▆▃▄▁▂▇▃▁▄▂"
NUMBERS = {Face.ONE: " 1 ", Face.TWO: " 2 ", Face.THREE: " 3 "}
ASCII = Signs(
    "#", ".", "-", "|", ("+",) * 4, ("+",) * 4, ">", "=", "*", "_|-|_.|^|__", ASCII_KINDS,
    NUMBERS | {Face.HEART: " H ", Face.BOLT: " E ", Face.CLAW: " C "},
    levels="0123456789",
)  # fmt: skip
UNICODE = Signs(
    "■", "□", "─", "│", ("╭", "╮", "╰", "╯"), ("┌", "┐", "└", "┘"), "►", "═", "●", SKYLINE,
    KINDS,
    NUMBERS | {Face.HEART: " ♡ ", Face.BOLT: " ↯ ", Face.CLAW: "╱╱╱"},
)  # fmt: skip
EMOJI = Signs(
    "■", "□", "─", "│", ("╭", "╮", "╰", "╯"), ("┌", "┐", "└", "┘"), "►", "═", "●", SKYLINE,
    KINDS,
    NUMBERS | {Face.HEART: "💗 ", Face.BOLT: "⚡ ", Face.CLAW: "🐾 "},
)  # fmt: skip
SIGNS = {Symbols.ASCII: ASCII, Symbols.UNICODE: UNICODE, Symbols.EMOJI: EMOJI}
_signs = ASCII


def use_symbols(symbols: Symbols, encoding: str = "utf-8") -> None:
    """Draws with these signs from now on."""
    global _signs
    _signs = signs_for(symbols, encoding)


def signs_for(symbols: Symbols, encoding: str = "utf-8") -> Signs:
    """These signs, or those of ASCII if the terminal's encoding lacks them, as they would show as
    question marks."""
    wanted = SIGNS[symbols]
    try:
        wanted.every_sign().encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return wanted


def signs() -> Signs:
    """Those in use."""
    return _signs


def arrow() -> str:
    """From an attacker to whom it hits."""
    return _signs.strike * 2 + _signs.active


def line_sign() -> str:
    return _signs.line


def die_text(face: Face, *, is_kept: bool = False) -> str:
    """A die in words, for where a box has no room; in brackets, if it is kept."""
    shown = names.face(face)
    return f"[{shown}]" if is_kept else f" {shown} "


def place_text(monster: Monster) -> str:
    if not monster.alive:
        return _("out")
    match monster.place:
        case Place.CITY:
            # Translators: where a monster is; at most 7 columns wide.
            return _("TOKYO")
        case Place.BAY:
            # Translators: where a monster is, Tokyo Bay; at most 7 columns wide.
            return _("BAY")
        case Place.OUTSIDE:
            # Translators: where a monster is, outside Tokyo; at most 7 columns wide.
            return _("outside")
