"""Dice drawn as boxes: three rows high, or five with faces as pictures, and a row higher if kept.

Scope: how dice look. A kept die is lifted and says so below; a die that was rolled last says so
above; so no colour is needed to tell them.
Not here: which dice lie on the table (`table_dice`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kotp2p.cli.text.i18n import _, number
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.screen.mouse import mark_row
from kotp2p.cli.ui.screen.rows import Row, pad_to_width
from kotp2p.referee.model.answers import Face

BOX_COLUMNS = theme.FACE_COLUMNS + 2
PITCH_COLUMNS = BOX_COLUMNS + 1
"""From one die to the next."""
BOX_ROWS = 4
"""Three of a box and one by which kept dice are lifted."""
LARGE_BOX_COLUMNS, LARGE_BOX_ROWS = 8, 6
LARGE_PITCH_COLUMNS = LARGE_BOX_COLUMNS + 1
PICTURES = {
    Face.ONE: ("..##..", ".###..", "..##..", "..##..", "..##..", ".####."),
    Face.TWO: (".####.", "##..##", "...##.", "..##..", ".##...", "######"),
    Face.THREE: ("#####.", "....##", ".####.", "....##", "....##", "#####."),
    Face.HEART: (".#..#.", "######", "######", ".####.", "..##..", "......"),
    Face.BOLT: ("...##.", "..##..", ".#####", "...##.", "..##..", ".#...."),
    Face.CLAW: (".#.#.#", ".#.#.#", ".#.#.#", "#.#.#.", "#.#.#.", "#.#.#."),
}
"""The faces of large dice, of which a sign shows two pixels."""
HALF_BLOCKS = {"..": " ", "#.": "▀", ".#": "▄", "##": "█"}
FACE_STYLES = {Face.HEART: "heart", Face.BOLT: "energy", Face.CLAW: "damage"}
"""Numbers have the style of any die."""


@dataclass(frozen=True, slots=True)
class DieBox:
    face: Face | None
    """None: not rolled yet."""
    is_kept: bool = False
    is_new: bool = False
    """It was rolled last, and others were not."""
    is_picked: bool = False
    """The cursor stands on it."""
    mark: str = ""
    """What a click on it chooses (`mouse`); empty if it cannot be chosen."""
    is_moving: bool = False
    """The face is one of those that a rolling die shows on its way."""


def columns_of_boxes(count: int, *, large: bool = False) -> int:
    return 1 + (LARGE_PITCH_COLUMNS if large else PITCH_COLUMNS) * count


def draw_boxes(dice: Sequence[DieBox], *, large: bool = False) -> list[Row]:
    """`BOX_ROWS` rows, or `LARGE_BOX_ROWS`."""
    rows: list[Row] = [[("log", " ")] for _row in range(LARGE_BOX_ROWS if large else BOX_ROWS)]
    for die in dice:
        for row, parts in zip(rows, _draw_box(die, large=large), strict=True):
            row += [*(mark_row(parts, die.mark) if die.mark else parts), ("log", " ")]
    return rows


def _draw_box(die: DieBox, *, large: bool) -> list[Row]:
    signs = theme.signs()
    frame = "cursor" if die.is_picked else _frame_style(die)
    columns = LARGE_BOX_COLUMNS if large else BOX_COLUMNS
    top_left, top_right, low_left, low_right = signs.corners
    edge = signs.line * (columns - 2)
    side, style = (frame, signs.upright), _face_style(die, frame)
    faces = _draw_picture(die.face) if large else [_draw_face(die.face)]
    box: list[Row] = [
        [(frame, top_left + edge + top_right)],
        *([side, (style, face), side] for face in faces),
        [(frame, low_left + edge + low_right)],
    ]
    if die.is_kept:
        # Translators: below a die, with a space in front; at most 5 columns wide.
        return [*box, [("kept", pad_to_width(_(" kept"), columns))]]
    # Translators: above a die, with a space in front; at most 5 columns wide.
    above = _(" new") if die.is_new else ""
    return [[("new", pad_to_width(above, columns))], *box]


def _draw_face(face: Face | None) -> str:
    return " " * theme.FACE_COLUMNS if face is None else number(theme.signs().faces[face])


def _draw_picture(face: Face | None) -> list[str]:
    """Three rows."""
    columns = LARGE_BOX_COLUMNS - 2
    rows = ("." * columns,) * columns if face is None else PICTURES[face]
    return [
        "".join(HALF_BLOCKS[upper + lower] for upper, lower in zip(*two, strict=True))
        for two in zip(rows[::2], rows[1::2], strict=True)
    ]


def _frame_style(die: DieBox) -> str:
    if die.is_moving or die.face is None:
        return "moving"
    return "kept" if die.is_kept else "new" if die.is_new else "die"


def _face_style(die: DieBox, frame: str) -> str:
    if frame in ("cursor", "moving") or die.face is None:
        return frame
    return f"face {FACE_STYLES.get(die.face, 'log')}"


def draw_in_one_row(dice: Sequence[DieBox]) -> Row:
    """For a window without room for boxes: the faces in words, kept ones in brackets."""
    row: Row = [("log", " ")]
    for die in dice:
        if die.face is not None:
            style = "cursor" if die.is_picked else "kept" if die.is_kept else "log"
            part = (style, theme.die_text(die.face, is_kept=die.is_kept))
            row += [*(mark_row([part], die.mark) if die.mark else [part]), ("log", " ")]
    return row
