"""Rows of a screen: styled parts, cut and filled to a width.

Scope: text and its width, no terminal. A part is (style, text). A style is one or more names, with
spaces between, to which `palettes` gives a colour or none; what it says is always said by the text
too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from kotp2p.cli.system.output import wrap_line
from kotp2p.cli.text.i18n import as_cell, clean_line, line_width
from kotp2p.cli.ui.screen import theme

Part: TypeAlias = tuple[str, str]
Row: TypeAlias = list[Part]

CUT_MARK = ".."
"""Stands where a text was cut; the whole text is on the cards page or the help page."""


def cut_to_width(text: str, most: int) -> str:
    """At most `most` columns; a mark shows that something is cut off."""
    text = clean_line(text)
    if line_width(text) <= most:
        return text
    kept = ""
    for sign in text:
        if line_width(kept + sign) > most - len(CUT_MARK):
            break
        kept += sign
    return (kept.rstrip() + CUT_MARK)[: max(most, 0)]


def pad_to_width(text: str, columns: int) -> str:
    """Exactly `columns` columns."""
    text = as_cell(cut_to_width(text, columns))
    return text + " " * (columns - line_width(text))


def align_right(text: str, columns: int) -> str:
    text = as_cell(cut_to_width(text, columns))
    return " " * (columns - line_width(text)) + text


def rule_row(columns: int, left: str = "", end: str = "", style: str = "rule") -> Row:
    """`-- left ------------ end --`"""
    dash = theme.line_sign()
    end = f" {clean_line(end)} {dash * 2}" if end else ""
    left = f"{dash * 2} {cut_to_width(left, columns - line_width(end) - 5)} " if left else ""
    return [(style, left + dash * (columns - line_width(left) - line_width(end)) + end)]


def fold_lines(lines: Iterable[str], columns: int) -> list[str]:
    """Lines broken at spaces into rows; what continues a line is indented by two."""
    rows = []
    for line in lines:
        first, *rest = wrap_line(clean_line(line), columns) or [""]
        rows.append(first)
        # broken once more, since the indent takes room
        rows += [f"  {part}" for part in wrap_line(" ".join(rest), columns - 2)] if rest else []
    return [part for row in rows for part in _break_anywhere(row, columns)]


def _break_anywhere(row: str, columns: int) -> list[str]:
    """Breaks a word that is longer than the screen."""
    parts = []
    while line_width(row) > columns:
        at = len(row)
        while line_width(row[:at]) > columns:
            at -= 1
        parts.append(row[:at])
        row = row[at:]
    return [*parts, row]


def row_width(row: Row) -> int:
    return sum(line_width(text) for _style, text in row)


def fit_row(row: Row, columns: int) -> Row:
    """Exactly `columns` columns; what is too much is cut without a mark."""
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


def put_side_by_side(
    left: list[Row], right: list[Row], left_columns: int, between: str
) -> list[Row]:
    """As many rows as the longer of the two; the left ones exactly `left_columns` wide."""
    height = max(len(left), len(right))
    whole_left = left + [[("log", "")]] * (height - len(left))
    whole_right = right + [[("log", "")]] * (height - len(right))
    return [
        [*fit_row(one, left_columns), ("rule", between), *other]
        for one, other in zip(whole_left, whole_right, strict=True)
    ]
