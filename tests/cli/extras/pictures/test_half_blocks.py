"""Pixels as half blocks."""

from kotp2p.cli.extras.pictures.portrait_rows import draw_pixels
from kotp2p.cli.system.options import Depth
from kotp2p.cli.ui.screen.stage import class_of

RED, BLUE = "#ff0000", "#0000ff"


def test_a_sign_stands_for_two_pixels_and_equal_ones_are_one_part() -> None:
    rows = draw_pixels(((RED, RED, RED), (BLUE, BLUE, RED)), Depth.MANY)
    assert rows == [[("fg:#ff0000 bg:#0000ff", "▀▀"), ("fg:#ff0000 bg:#ff0000", "▀")]]


def test_in_sixteen_colours_the_nearest_is_named() -> None:
    assert draw_pixels(((RED,), (RED,)), Depth.SIXTEEN) == [[("fg:ansired bg:ansired", "▀")]]


def test_a_pixel_is_no_class_and_any_other_style_is_one() -> None:
    assert class_of("fg:#ff0000 bg:#0000ff") == "fg:#ff0000 bg:#0000ff"
    assert class_of("log seat1") == "class:log class:seat1"
