"""The portraits of the monsters, and the file that they are drawn in."""

import re

import pytest

from kotp2p.cli.extras.pictures import portraits
from kotp2p.cli.extras.pictures.portrait_rows import draw_pixels
from kotp2p.cli.extras.pictures.portraits import SIXTEEN, colour_in
from kotp2p.cli.system.options import Depth, Mood
from kotp2p.cli.ui.screen.stage import class_of
from kotp2p.wire.names import MONSTERS
from tests.support.paths import folder_of

MOST_BYTES = 40_000
MOST_COLOURS = 12
BLANK = "." * portraits.SIDE
HEAD = ["monster Blob", "a #102030", "picture"]
ROWS = ["a" * portraits.SIDE, *[BLANK] * (portraits.SIDE - 1)]


def test_every_monster_of_the_box_has_a_portrait_and_nobody_else() -> None:
    assert tuple(portraits.load_portraits()) == MONSTERS


def test_the_file_is_small_enough_to_be_edited_by_hand() -> None:
    size = (folder_of("cli") / "extras" / "pictures" / "portraits.txt").stat().st_size
    assert size <= MOST_BYTES


@pytest.mark.parametrize("monster", MONSTERS)
def test_a_mood_changes_eyes_and_mouth_and_leaves_most_of_the_picture(monster: str) -> None:
    pictures = {mood: portraits.paint(monster, mood) for mood in Mood}
    calm = pictures[Mood.CALM]
    assert calm is not None
    for mood in (Mood.HURT, Mood.WINNING):
        other = pictures[mood]
        assert other is not None
        pairs = zip(sum(calm, ()), sum(other, ()), strict=True)
        changed = sum(one != two for one, two in pairs)
        assert 0 < changed < portraits.SIDE * portraits.SIDE // 4, mood


@pytest.mark.parametrize("monster", MONSTERS)
def test_the_small_size_has_colours_of_the_palette_alone(monster: str) -> None:
    small = portraits.paint_small(monster)
    assert small is not None
    assert [len(row) for row in small] == [portraits.SMALL_SIDE] * portraits.SMALL_SIDE
    assert set(sum(small, ())) - {portraits.BACKDROP} <= set(
        portraits.load_portraits()[monster].palette.values()
    )


def test_a_monster_that_is_not_in_the_box_has_no_portrait() -> None:
    assert portraits.paint("Godzilla") is None
    assert portraits.paint_small("Godzilla") is None


def test_an_overlay_leaves_the_pixels_that_it_does_not_name() -> None:
    lines = [*HEAD, *ROWS, "hurt 26 1", "_a"]
    letters = portraits.read_portraits("\n".join(lines))["Blob"].letters(Mood.HURT)
    assert letters[1] == "." * (portraits.SIDE - 1) + "a"
    assert letters[0] == ROWS[0]


@pytest.mark.parametrize("monster", MONSTERS)
def test_a_drawing_has_the_form_that_the_file_describes(monster: str) -> None:
    found = portraits.load_portraits()[monster]
    side = portraits.SIDE
    assert len(found.palette) <= MOST_COLOURS
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in found.palette.values())
    assert [len(row) for row in found.rows] == [side] * side
    assert set("".join(found.rows)) <= {*found.palette, portraits.BACKGROUND}
    for overlay in found.moods.values():
        assert overlay.row + len(overlay.rows) <= side
        assert overlay.column + max(map(len, overlay.rows)) <= side
        drawn = {*found.palette, portraits.BACKGROUND, portraits.AS_IT_IS}
        assert set("".join(overlay.rows)) <= drawn


# -- colours of terminals -----------------------------------------------------------------


@pytest.mark.parametrize("name", SIXTEEN)
def test_each_of_the_sixteen_is_itself(name: str) -> None:
    colour = "#" + bytes(SIXTEEN[name]).hex()
    assert colour_in(Depth.SIXTEEN, colour) == name


def test_a_green_between_two_greys_stays_green() -> None:
    assert colour_in(Depth.SIXTEEN, "#3fa34d") == "ansigreen"


def test_with_more_colours_the_colour_stays_as_it_is() -> None:
    assert colour_in(Depth.MANY, "#3fa34d") == "#3fa34d"


# -- half blocks --------------------------------------------------------------------------


RED, BLUE = "#ff0000", "#0000ff"


def test_a_sign_stands_for_two_pixels_and_equal_ones_are_one_part() -> None:
    rows = draw_pixels(((RED, RED, RED), (BLUE, BLUE, RED)), Depth.MANY)
    assert rows == [[("fg:#ff0000 bg:#0000ff", "▀▀"), ("fg:#ff0000 bg:#ff0000", "▀")]]


def test_in_sixteen_colours_the_nearest_is_named() -> None:
    assert draw_pixels(((RED,), (RED,)), Depth.SIXTEEN) == [[("fg:ansired bg:ansired", "▀")]]


def test_a_pixel_is_no_class_and_any_other_style_is_one() -> None:
    assert class_of("fg:#ff0000 bg:#0000ff") == "fg:#ff0000 bg:#0000ff"
    assert class_of("log seat1") == "class:log class:seat1"
