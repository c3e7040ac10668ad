"""Colours: each can be read on its terminals, and none says anything alone."""

from __future__ import annotations

import ast
import re
from itertools import combinations

import pytest
from prompt_toolkit.styles import Style

from kotp2p import bots
from kotp2p.cli.system.options import Palette, Shade
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.screen.controls import seat_screen_player
from kotp2p.cli.ui.screen.draw import draw_screen
from kotp2p.cli.ui.screen.screen import CARD, DIE
from kotp2p.referee.model.events import DiceRolled, HeartsLost
from kotp2p.referee.model.state import DamageKind, Place
from kotp2p.seams.notices import GameStarted, Happened
from tests.support.colours import SIGHTS, Triple, contrast, difference, lab_of
from tests.support.laid_decisions import dice, table
from tests.support.paths import folder_of

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


def test_the_formula_knows_black_on_white() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


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


@pytest.mark.parametrize("shade", Shade)
@pytest.mark.parametrize("palette", COLOURED)
def test_each_monster_has_a_colour_of_its_own(palette: Palette, shade: Shade) -> None:
    styles = theme.styles_of(palette, shade)
    assert len({styles[style] for style in theme.SEAT_STYLES}) == 6


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 2.5, 0), (50, 0, -2.5), 4.3065),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((6.7747, -0.2908, -2.4247), (5.8714, -0.0985, -2.2286), 0.6377),
    ],
)
def test_the_formula_of_differences_is_that_of_its_authors(
    one: Triple, other: Triple, expected: float
) -> None:
    assert difference(one, other) == pytest.approx(expected, abs=0.0001)


def test_the_matrices_take_away_what_is_not_seen() -> None:
    for sight, (red, green) in {
        "deuteranopia": ("#a46904", "#e12a31"), "protanopia": ("#005f00", "#875f00")
    }.items():  # fmt: skip
        usual = difference(lab_of(red), lab_of(green))
        assert difference(lab_of(red, SIGHTS[sight]), lab_of(green, SIGHTS[sight])) < usual / 5
    for matrix in SIGHTS.values():
        assert lab_of("#ffffff", matrix) == pytest.approx((100, 0, 0), abs=0.1)


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
    events = (
        DiceRolled(0, (1, 2), dice("33CHB1")),
        HeartsLost(1, 2, DamageKind.CLAWS, 0),
    )
    seated.player.show(Happened(events, view))
    for columns, rows in [(60, 20), (80, 24), (80, 40), (100, 30), (132, 40)]:
        drawn = draw_screen(seated.screen, columns, rows - 2)
        used = {name for row in drawn for style, _text in row for name in style.split()}
        used = {name for name in used if not name.startswith((DIE, CARD))}
        assert used <= set(styles)


def test_a_style_that_the_code_names_exists() -> None:
    """Also one that is drawn in few moments only: prompt_toolkit says nothing of an unknown one."""
    named: set[str] = set()
    for path in sorted((folder_of("cli") / "ui" / "screen").glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            match node:
                case ast.Assign(targets=[ast.Name(id="style")], value=value):
                    named |= constants_of(value)
                case ast.keyword(arg="style", value=value):
                    named |= constants_of(value)
                case ast.Call(func=ast.Attribute(attr="append"), args=[ast.Tuple(elts=[first, _])]):
                    named |= constants_of(first)
                case ast.List(elts=parts):
                    pairs = [one for one in parts if isinstance(one, ast.Tuple)]
                    named |= {s for one in pairs for s in constants_of(one.elts[0])}
                case _:  # no part of a row
                    pass
    assert {"danger", "news", "title", "tokyo", "kept"} <= named
    assert named <= set(theme.MONO)


def constants_of(node: ast.expr) -> set[str]:
    """The styles that an expression may give: a text, or one of two by a condition."""
    if isinstance(node, ast.IfExp):
        return constants_of(node.body) | constants_of(node.orelse)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return set(node.value.removeprefix("class:").split())
    return set()
