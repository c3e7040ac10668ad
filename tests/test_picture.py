"""The picture in README: drawn by the program, the same each time, small, and readable anywhere."""

from __future__ import annotations

from xml.etree import ElementTree

from kotp2p.cli.ui.screen.rows import row_width
from tests.support.paths import ROOT
from tests.tools.picture import COLUMNS, PICTURE, ROWS, picture_text, take_picture

MAX_BYTES = 60_000


def test_the_picture_is_a_whole_screen_and_the_same_each_time() -> None:
    rows = take_picture()
    assert len(rows) == ROWS
    assert all(row_width(row) <= COLUMNS for row in rows)
    assert rows == take_picture()
    assert picture_text(rows) == picture_text(take_picture())


def test_the_picture_of_readme_needs_nothing_else() -> None:
    assert "](docs/table.svg)" in (ROOT / "README.md").read_text("utf-8")
    drawn = PICTURE.read_text("utf-8")
    assert len(drawn.encode()) < MAX_BYTES
    assert "@import" not in drawn and "url(http" not in drawn, "a font from elsewhere"
    ElementTree.fromstring(drawn)  # well-formed
    words = drawn.replace("&#160;", " ")
    assert "YOUR TURN: keep dice" in words
    assert "F1" in words
