"""Colours: each can be read on its terminals, and none says anything alone."""

import re
from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

import pytest
from prompt_toolkit.styles import Style

from kotp2p.cli.system.options import Palette, Shade
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.screen.controls import seat_screen_player
from kotp2p.cli.ui.screen.draw import draw_screen
from kotp2p.cli.ui.screen.screen import CARD, DIE
from kotp2p.extras import bots
from kotp2p.referee.model.events import DiceRolled, HeartsLost
from kotp2p.referee.model.state import DamageKind, Place
from kotp2p.seams.notices import GameStarted, Happened
from tests.support.laid_decisions import dice, table

Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]

USUAL_SIGHT: Matrix = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
SIGHTS: dict[str, Matrix] = {
    "usual": USUAL_SIGHT,
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
TO_XYZ: Matrix = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE: Triple = (0.95047, 1.0, 1.08883)


def linear_of(colour: str) -> Triple:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return _linear(red), _linear(green), _linear(blue)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def luminance(colour: str) -> float:
    red, green, blue = linear_of(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def lab_of(colour: str, sight: Matrix = USUAL_SIGHT) -> Triple:
    """CIELAB of what is seen in place of this colour."""
    seen = [min(1.0, max(0.0, part)) for part in _times(sight, linear_of(colour))]
    xyz = _times(TO_XYZ, (seen[0], seen[1], seen[2]))
    x, y, z = (_root(part / white) for part, white in zip(xyz, WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _times(matrix: Matrix, vector: Triple) -> Triple:
    first, second, third = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return first, second, third


def _root(part: float) -> float:
    return part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116


def difference(one: Triple, other: Triple) -> float:
    """CIEDE2000 between two colours in CIELAB. About 1 is just noticed side by side."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean_c7 = ((hypot(a1, b1) + hypot(a2, b2)) / 2) ** 7
    stretch = 1 + 0.5 * (1 - sqrt(mean_c7 / (mean_c7 + 25**7)))
    c1, c2 = hypot(stretch * a1, b1), hypot(stretch * a2, b2)
    h1, h2 = _hue(stretch * a1, b1), _hue(stretch * a2, b2)
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    by_hue = 2 * sqrt(c1 * c2) * sin(radians(turn) / 2)
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    hue = h1 + h2 if c1 * c2 == 0 else (h1 + turn / 2) % 360
    weight = (
        1
        - 0.17 * cos(radians(hue - 30))
        + 0.24 * cos(radians(2 * hue))
        + 0.32 * cos(radians(3 * hue + 6))
        - 0.20 * cos(radians(4 * hue - 63))
    )
    s_light = 1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2)
    by_light = (l2 - l1) / s_light
    by_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    by_hue /= 1 + 0.015 * chroma * weight
    spread = 60 * exp(-(((hue - 275) / 25) ** 2))
    mixed = -sin(radians(spread)) * 2 * sqrt(chroma**7 / (chroma**7 + 25**7))
    return sqrt(by_light**2 + by_chroma**2 + by_hue**2 + mixed * by_chroma * by_hue)


def _hue(a: float, b: float) -> float:
    return degrees(atan2(b, a)) % 360


LEAST_CONTRAST = 4.5
"""Of text, as the Web Content Accessibility Guidelines want it."""
BACKGROUNDS = {
    Shade.DARK: ("#000000", "#1e1e1e", "#282c34", "#002b36", "#300a24"),
    Shade.LIGHT: ("#ffffff", "#fdf6e3", "#eeeeee"),
    Shade.ANY: ("#000000", "#ffffff"),
}
"""Of terminals as they are sold, and of themes that many people use."""
VALUES = ("heart", "energy", "points")
TOLD_APART = 10.0
"""Of CIEDE2000: 1 is just noticed side by side, from 10 on two colours are other ones at a glance,
also in single letters that stand rows apart."""
COLOURED = [palette for palette in Palette if palette is not Palette.MONO]


@pytest.mark.parametrize("shade", Shade)
@pytest.mark.parametrize("palette", COLOURED)
def test_every_colour_can_be_read(palette: Palette, shade: Shade) -> None:
    styles = theme.styles_of(palette, shade)
    colours = {style: re.findall(r"#[0-9a-f]{6}", value) for style, value in styles.items()}
    found = {
        (style, colour, background): contrast(colour, background)
        for style, one in colours.items()
        for colour in one
        for background in BACKGROUNDS[shade]
    }
    assert len(found) > 20
    assert not {where: n for where, n in found.items() if n < LEAST_CONTRAST}


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("shade", Shade)
def test_people_with_colour_blindness_tell_all_pairs_apart(shade: Shade, sight: str) -> None:
    """The monsters among each other, and hearts, energy and points."""
    assert not close_pairs(Palette.OKABE_ITO, shade, sight, TOLD_APART)


@pytest.mark.parametrize("shade", Shade)
def test_the_default_colours_are_far_apart_for_everybody_else(shade: Shade) -> None:
    assert not close_pairs(Palette.DEFAULT, shade, "usual", 2 * TOLD_APART)


def close_pairs(palette: Palette, shade: Shade, sight: str, least: float) -> dict[str, float]:
    styles = theme.styles_of(palette, shade)
    found = {}
    for group in (theme.SEAT_STYLES, VALUES):
        colours = {style: re.findall(r"#[0-9a-f]{6}", styles[style])[0] for style in group}
        seen = {style: lab_of(colour, SIGHTS[sight]) for style, colour in colours.items()}
        for one, other in combinations(group, 2):
            found[f"{one} {other}"] = difference(seen[one], seen[other])
    assert len(found) == 15 + 3
    return {pair: apart for pair, apart in found.items() if apart < least}


@pytest.mark.parametrize("shade", Shade)
@pytest.mark.parametrize("palette", Palette)
def test_a_palette_has_a_style_for_all_that_is_drawn(palette: Palette, shade: Shade) -> None:
    styles = theme.styles_of(palette, shade)
    Style.from_dict(dict(styles))
    assert set(styles) == set(theme.MONO)
    assert not any("bg:" in style for style in styles.values())
    assert any("#" in style for style in styles.values()) is (palette is not Palette.MONO)
    seated = seat_screen_player(bots.advise)
    view = table(rolled="33CHB1")
    view.game.state.monsters[0].place = Place.CITY
    view.game.state.monsters[2].alive = False
    seated.player.show(GameStarted(view))
    events = (DiceRolled(0, (1, 2), dice("33CHB1")), HeartsLost(1, 2, DamageKind.CLAWS, 0))
    seated.player.show(Happened(events, view))
    for columns, rows in [(60, 20), (80, 24), (80, 40), (100, 30), (132, 40)]:
        drawn = draw_screen(seated.screen, columns, rows - 2)
        used = {name for row in drawn for style, _text in row for name in style.split()}
        used = {name for name in used if not name.startswith((DIE, CARD))}
        assert used <= set(styles)
