"""The picture in README: drawn by the program, the same each time, small, and readable anywhere."""

from __future__ import annotations

from xml.etree import ElementTree

from kotp2p.cli.ui.screen.theme import row_width
from tests.support.paths import ROOT
from tests.tools.picture import COLUMNS, PICTURE, ROWS, picture_text, take_picture

MAX_BYTES = 200_000


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
    picture = ElementTree.fromstring(drawn)
    texts = [one.text or "" for one in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert " ".join(texts).count("YOUR TURN: roll 2 of 3") == 2  # the title and the prompt
    assert "F1" in texts
    assert len([*picture.iter("{http://www.w3.org/2000/svg}rect")]) > 4 * 14 * 7 / 2, "portraits"


def test_each_word_of_the_picture_stands_apart_in_any_font() -> None:
    picture = ElementTree.fromstring(PICTURE.read_text("utf-8"))
    ends: dict[str, float] = {}
    for one in picture.iter("{http://www.w3.org/2000/svg}text"):
        assert one.text and " " not in one.text and "\N{NO-BREAK SPACE}" not in one.text
        row, start = one.attrib["y"], float(one.attrib["x"])
        assert start >= ends.get(row, 0.0), one.text
        ends[row] = start + float(one.attrib["textLength"])
