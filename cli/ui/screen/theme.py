"""The look of the table: colours, signs, rows of styled text, and a mark for each monster.

Scope: text and its width, no terminal. A part is (style, text). A colour only repeats what a word,
a letter or a sign says.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

from kotp2p.cli.system.options import Palette, Shade, Symbols
from kotp2p.cli.system.output import wrap_line
from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _, as_cell, clean_line, line_width
from kotp2p.cli.text.story import LineKind, ToldLine
from kotp2p.referee.model.answers import Face, Seat
from kotp2p.referee.model.state import Monster, Place
from kotp2p.seams.notices import SeatView
from kotp2p.wire.genesis import MAX_SEATS

# -- the colours of the table, by what they mean, for light and for dark terminals ---------
#
# A colour only repeats what a word, a letter or a sign says. All are foreground colours with a
# contrast of at least 4.5 (WCAG) against the backgrounds of their shade. Where the background is
# not known, colours of the middle are taken, which have that contrast on black and on white.
# `okabe-ito` is for people with colour blindness. As in the palette of Okabe and Ito, any two of
# its colours differ also for those who do not see red, green or blue; as that palette is made for
# shapes and not for text, these were found by measurement. The default colours of a known shade are
# exact in the 256 colours of `xterm`. `mono` has none.


SEAT_STYLES = tuple(f"seat{seat}" for seat in range(MAX_SEATS))
"""The style of each seat's monster, wherever its name is."""

PLAIN_STYLES = (
    "rule", "log", "key", "out", "lost", "heart", "energy", "points", "dear", "die", "moving",
    "turn", "card", "chat",
)  # fmt: skip
BOLD_STYLES = (
    "keyname", "active", "own", "tokyo", "damage", "healed", "face", "kept", "new", "incident",
    "status", "news", *SEAT_STYLES,
)  # fmt: skip
MONO: Mapping[str, str] = {
    **dict.fromkeys(PLAIN_STYLES, ""),
    **dict.fromkeys(BOLD_STYLES, "bold"),
    "title": "reverse",
    "cursor": "reverse",
    "danger": "bold reverse",
    "prompt": "bold underline",
}
"""All styles. What is bold here stays bold in colour."""


@dataclass(frozen=True, slots=True)
class Hues:
    """The colours of one palette on one shade of terminal, as #rrggbb."""

    grey: str
    red: str
    amber: str
    green: str
    teal: str
    blue: str
    magenta: str

    @property
    def seats(self) -> tuple[str, ...]:
        return self.green, self.amber, self.blue, self.magenta, self.teal, self.red


HUES: Mapping[tuple[Palette, Shade], Hues] = {
    (Palette.DEFAULT, Shade.DARK): Hues(
        "#9e9e9e", "#ff8787", "#ffaf00", "#87d75f", "#5fd7d7", "#87afff", "#ff87ff"
    ),
    (Palette.DEFAULT, Shade.LIGHT): Hues(
        "#626262", "#af0000", "#875f00", "#005f00", "#005f5f", "#005faf", "#8700af"
    ),
    (Palette.DEFAULT, Shade.ANY): Hues(
        "#767676", "#e12a31", "#a46904", "#0f890f", "#038383", "#356def", "#cc24be"
    ),
    (Palette.OKABE_ITO, Shade.DARK): Hues(
        "#9e9e9e", "#ed7015", "#ebfb2f", "#a1fecb", "#03a78d", "#a57df7", "#edc0e9"
    ),
    (Palette.OKABE_ITO, Shade.LIGHT): Hues(
        "#626262", "#c62c52", "#5a520e", "#07361b", "#020dba", "#3f5ee6", "#5b0143"
    ),
    (Palette.OKABE_ITO, Shade.ANY): Hues(
        "#767676", "#ed0303", "#917046", "#078378", "#c931b1", "#2f68fe", "#e10977"
    ),
}


def styles_of(palette: Palette, shade: Shade = Shade.ANY) -> Mapping[str, str]:
    if palette is Palette.MONO:
        return MONO
    hues = HUES[palette, shade]
    colours = {
        "rule": hues.grey, "out": hues.grey, "lost": hues.grey, "dear": hues.grey,
        "moving": hues.grey, "key": hues.grey, "turn": hues.grey,
        "tokyo": hues.red, "heart": hues.red, "damage": hues.red, "incident": hues.red,
        "energy": hues.amber, "new": hues.amber,
        "points": hues.blue, "card": hues.teal, "chat": hues.magenta,
        "healed": hues.green, "kept": hues.green,
        "status": hues.magenta, "prompt": hues.blue, "news": hues.teal, "danger": hues.red,
    } | dict(zip(SEAT_STYLES, hues.seats, strict=True))  # fmt: skip
    plain = {**MONO, "prompt": "bold"}
    return {style: f"{colours.get(style, '')} {mono}".strip() for style, mono in plain.items()}


# -- the signs that the table is made of ---------------------------------------------------
#
# Each sign is a single code point of one column on every terminal, and none is an emoji in any
# font, but for the faces of `emoji`. What has a sign of more than ASCII has an ASCII twin. One
# process draws one table, so the signs in use are kept here (`use_symbols`).


FACE_COLUMNS = 3


@dataclass(frozen=True, slots=True)
class Signs:
    heart: str
    lost_heart: str
    line: str
    upright: str
    corners: tuple[str, str, str, str]
    """The corners of a die: top left, top right, bottom left, bottom right."""
    place_corners: tuple[str, str, str, str]
    """The corners of a place, in the same order."""
    active: str
    """The sign before the monster whose turn it is."""
    own: str
    skyline: str
    """Houses of Tokyo, again and again."""
    kinds: Mapping[LineKind, str]
    faces: Mapping[Face, str]
    levels: str = "▁▂▃▄▅▆▇█"
    """The levels of a chart, from nothing to the most."""

    def every_sign(self) -> str:
        return "".join(
            [self.heart, self.lost_heart, self.line, self.upright, *self.corners,
             *self.place_corners, self.active, self.own, self.skyline,
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
    "#", ".", "-", "|", ("+",) * 4, ("+",) * 4, ">", "*", "_|-|_.|^|__", ASCII_KINDS,
    NUMBERS | {Face.HEART: " H ", Face.BOLT: " E ", Face.CLAW: " C "},
    levels="0123456789",
)  # fmt: skip
UNICODE = Signs(
    "■", "□", "─", "│", ("╭", "╮", "╰", "╯"), ("┌", "┐", "└", "┘"), "►", "●", SKYLINE,
    KINDS,
    NUMBERS | {Face.HEART: " ♡ ", Face.BOLT: " ↯ ", Face.CLAW: "╱╱╱"},
)  # fmt: skip
EMOJI = replace(UNICODE, faces=NUMBERS | {Face.HEART: "💗 ", Face.BOLT: "⚡ ", Face.CLAW: "🐾 "})
SIGNS = {Symbols.ASCII: ASCII, Symbols.UNICODE: UNICODE, Symbols.EMOJI: EMOJI}
_signs = ASCII


def use_symbols(symbols: Symbols, encoding: str = "utf-8") -> None:
    global _signs
    _signs = signs_for(symbols, encoding)


def signs_for(symbols: Symbols, encoding: str = "utf-8") -> Signs:
    """Return these signs, or those of ASCII if the terminal's encoding lacks them."""
    wanted = SIGNS[symbols]
    try:
        wanted.every_sign().encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return wanted


def signs() -> Signs:
    return _signs


def die_text(face: Face, *, is_kept: bool = False) -> str:
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


# -- rows of a screen: styled parts, cut and filled to a width -----------------------------


Part: TypeAlias = tuple[str, str]
Row: TypeAlias = list[Part]

CUT_MARK = ".."
"""The mark of a cut text, which is whole on the cards page or the help page."""


def cut_to_width(text: str, most: int) -> str:
    """Cut to at most `most` columns; a mark shows that something is cut off."""
    text = clean_line(text)
    if line_width(text) <= most:
        return text
    kept = _first_columns(text, max(0, most - len(CUT_MARK)))
    return (kept.rstrip() + CUT_MARK)[: max(most, 0)]


def pad_to_width(text: str, columns: int) -> str:
    """Cut or pad to exactly `columns` columns."""
    text = as_cell(cut_to_width(text, columns))
    return text + " " * (columns - line_width(text))


def align_right(text: str, columns: int) -> str:
    text = as_cell(cut_to_width(text, columns))
    return " " * (columns - line_width(text)) + text


def rule_row(columns: int, left: str = "", end: str = "", style: str = "rule") -> Row:
    """Draw a rule as in `-- left ------------ end --`, with at most 9 columns besides the texts."""
    dash = signs().line
    end = f" {clean_line(end)} {dash * 2}" if end else ""
    left = f"{dash * 2} {cut_to_width(left, columns - line_width(end) - 5)} " if left else ""
    return [(style, left + dash * (columns - line_width(left) - line_width(end)) + end)]


def fold_lines(lines: Iterable[str], columns: int) -> list[str]:
    """Break lines at spaces into rows; what continues a line is indented by two."""
    rows = []
    for line in lines:
        first, *rest = wrap_line(clean_line(line), columns) or [""]
        rows.append(first)
        # broken once more, since the indent takes room
        rows += [f"  {part}" for part in wrap_line(" ".join(rest), columns - 2)] if rest else []
    return [part for row in rows for part in _break_anywhere(row, columns)]


def draw_text(lines: Iterable[str], columns: int, style: str = "log") -> list[Row]:
    """Draw lines, folded, with a column free on each side."""
    return [[(style, f" {row}")] for row in fold_lines(lines, columns - 2)]


def _break_anywhere(row: str, columns: int) -> list[str]:
    parts = []
    while line_width(row) > columns:
        parts.append(_first_columns(row, columns))
        row = row[len(parts[-1]) :]
    return [*parts, row]


def row_width(row: Row) -> int:
    return sum(line_width(text) for _style, text in row)


def fit_row(row: Row, columns: int) -> Row:
    """Cut or pad to exactly `columns` columns, without a mark."""
    found: Row = []
    left = columns
    for style, text in row:
        kept = text if line_width(text) <= left else _first_columns(text, left)
        found.append((style, kept))
        left -= line_width(kept)
        if kept != text:
            break
    return [*found, ("log", " " * left)] if left > 0 else found


def _first_columns(text: str, most: int) -> str:
    at = len(text)
    while line_width(text[:at]) > most:
        at -= 1
    return text[:at]


def center_row(row: Row, columns: int) -> Row:
    indent = max(0, (columns - row_width(row)) // 2)
    return fit_row([("log", " " * indent), *row], columns)


def put_side_by_side(
    left: list[Row], right: list[Row], left_columns: int, between: str
) -> list[Row]:
    """Join rows side by side; the left ones get exactly `left_columns` columns."""
    height = max(len(left), len(right))
    whole_left = left + [[("log", "")]] * (height - len(left))
    whole_right = right + [[("log", "")]] * (height - len(right))
    return [
        [*fit_row(one, left_columns), ("rule", between), *other]
        for one, other in zip(whole_left, whole_right, strict=True)
    ]


# -- one letter and one colour for each monster, wherever its name is ----------------------


BOX_LETTERS = {
    "Gigazaur": "G",
    "The King": "K",
    "Alienoid": "A",
    "Meka Dragon": "M",
    "Kraken": "R",
    "Cyber Bunny": "B",
    "Cyber Kitty": "C",
    "Space Penguin": "S",
}
"""The monsters of the box keep their letters from game to game."""


def monster_letter(view: SeatView, seat: Seat) -> str:
    return list_letters([player.monster for player in view.players])[seat]


def list_letters(monsters: Sequence[str]) -> list[str]:
    """Return a letter for each monster, or the number of its seat if it is not in the box."""
    letters = [BOX_LETTERS.get(name, "") for name in monsters]
    return [
        letter if letter and letters.index(letter) == seat else str(seat + 1)
        for seat, letter in enumerate(letters)
    ]


def seat_style(seat: Seat) -> str:
    return SEAT_STYLES[seat]


def rule_of_monster(
    view: SeatView, seat: Seat, columns: int, left: str, end: str = "", style: str = "rule"
) -> Row:
    letter = monster_letter(view, seat)
    ((_style, text),) = rule_row(columns, f"{letter} {left}", end)
    at = text.index(letter)
    rest = mark_names([(style, text[at + 1 :])], view)
    return [(style, text[:at]), (seat_style(seat), letter), *rest]


def mark_names(row: Row, view: SeatView | None) -> Row:
    """Colour the names of players and monsters in a row, keeping the styles of its sentences."""
    if view is None:
        return row
    styles = _styles_by_name(tuple([(player.monster, player.name) for player in view.players]))
    if not styles:
        return row
    pattern = _pattern_of(tuple(styles))
    found: Row = []
    for style, text in row:
        found += [
            (f"{style} {styles[part]}" if part in styles else style, part)
            for part in pattern.split(text)
            if part
        ]
    return found


@lru_cache
def _styles_by_name(seats: tuple[tuple[str, str], ...]) -> dict[str, str]:
    return {
        name: seat_style(seat)
        for seat, names in enumerate(seats)
        for name in names
        if any(sign.isalnum() for sign in name)
    }


@lru_cache
def _pattern_of(names: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?!\w)")


# -- log marks -----------------------------------------------------------------------------


MARGIN_COLUMNS = 4
"""A letter, a mark, and a space after each. A line that is no event begins further left."""
STYLES: Mapping[LineKind, str] = {
    LineKind.FACT: "log",
    LineKind.TURN: "turn",
    LineKind.DICE: "rule",
    LineKind.DAMAGE: "damage",
    LineKind.HEALING: "healed",
    LineKind.POINTS: "points",
    LineKind.ENERGY: "energy",
    LineKind.CARD: "card",
    LineKind.TOKYO: "tokyo",
    LineKind.CHAT: "chat",
    LineKind.INCIDENT: "incident",
}


@dataclass(frozen=True, slots=True)
class LogRow:
    line: str
    text: str
    is_first: bool


def list_log_rows(line: str, columns: int) -> list[LogRow]:
    if isinstance(line, ToldLine) and line.kind is LineKind.TURN:
        return [LogRow(line, line, True)]
    margin = MARGIN_COLUMNS if isinstance(line, ToldLine) else 2
    folded = fold_lines([line], columns - margin)
    return [LogRow(line, text, at == 0) for at, text in enumerate(folded)]


def draw_log_row(row: LogRow, columns: int, view: SeatView | None) -> Row:
    if not isinstance(row.line, ToldLine):
        return [("log", " "), *mark_names([("log", row.text)], view)]
    kind, seat = row.line.kind, row.line.seat
    if kind is LineKind.TURN and view is not None and seat is not None:
        return rule_of_monster(view, seat, columns, _turn_text(row.line, columns), style="turn")
    stands_out = row.line.stands_out
    marked = mark_names([(f"{STYLES[kind]} face" if stands_out else "log", row.text)], view)
    letter, style = " ", "log"
    if row.is_first and view is not None and seat is not None:
        letter, style = monster_letter(view, seat), seat_style(seat)
    mark = signs().kinds.get(kind, " ") if row.is_first else " "
    drawn: Row = [(style, letter + " "), (STYLES[kind], mark + " "), *marked]
    left = columns - row_width(drawn) - 1
    if stands_out and row.is_first and left > 0:
        drawn.append((STYLES[kind], " " + signs().line * left))
    return drawn


def _turn_text(line: str, columns: int) -> str:
    """Return the sentence, or its short form if it does not fit into a rule."""
    text = line.rstrip(".")
    if isinstance(line, ToldLine) and line.short and line_width(text) > columns - 10:
        return line.short
    return text


def describe_marks() -> str:
    named = {kind.lower(): sign for kind, sign in signs().kinds.items()}
    return _(
        "Marks of the log: {dice} dice, {damage} hearts lost, {healing} hearts won or kept, "
        "{points} points, {energy} energy, {card} cards, {tokyo} Tokyo, {chat} chat, "
        "{incident} players and connections.",
        **named,
    )
