"""Colours: each can be read on its terminals, and none says anything alone."""

from __future__ import annotations

import ast
import re

import pytest
from prompt_toolkit.styles import Style

from cli.system.choices import Palette, Shade
from cli.ui.screen import palettes
from cli.ui.screen.draw import draw_screen
from cli.ui.screen.drawn_table import seat_screen_player
from kotp2p import bots
from kotp2p.notices import GameStarted, Happened
from referee.model.events import DiceRolled, HeartsLost
from referee.model.kinds import DamageKind
from referee.model.state import Place
from tests.support.laid_decisions import dice, table
from tests.support.paths import ROOT

LEAST_CONTRAST = 4.5
"""Of text, as the Web Content Accessibility Guidelines want it."""
BACKGROUNDS = {
    Shade.DARK: ("#000000", "#1e1e1e", "#282c34", "#002b36", "#300a24"),
    Shade.LIGHT: ("#ffffff", "#fdf6e3", "#eeeeee"),
    Shade.ANY: ("#000000", "#ffffff"),
}
"""Of terminals as they are sold, and of themes that many people use."""
COLOURED = [palette for palette in Palette if palette is not Palette.MONO]


def luminance(colour: str) -> float:
    """The relative luminance of #rrggbb, by the formula of those guidelines."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_formula_knows_black_on_white() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("shade", Shade)
@pytest.mark.parametrize("palette", COLOURED)
def test_every_colour_can_be_read(palette: Palette, shade: Shade) -> None:
    styles = palettes.styles_of(palette, shade)
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
    styles = palettes.styles_of(palette, shade)
    assert len({styles[style] for style in palettes.SEAT_STYLES}) == 6


@pytest.mark.parametrize("shade", Shade)
@pytest.mark.parametrize("palette", Palette)
def test_a_palette_has_a_style_for_all_that_is_drawn(palette: Palette, shade: Shade) -> None:
    styles = palettes.styles_of(palette, shade)
    Style.from_dict(dict(styles))
    assert set(styles) == set(palettes.MONO)
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
    for columns, rows in [(60, 20), (80, 24), (100, 30), (132, 40)]:
        drawn = draw_screen(seated.screen, columns, rows - 2)
        used = {name for row in drawn for style, _text in row for name in style.split()}
        assert used <= set(styles)


def test_a_style_that_the_code_names_exists() -> None:
    """Also one that is drawn in few moments only: prompt_toolkit says nothing of an unknown one."""
    named: set[str] = set()
    for path in sorted((ROOT / "cli" / "ui" / "screen").glob("*.py")):
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
    assert named <= set(palettes.MONO)


def constants_of(node: ast.expr) -> set[str]:
    """The styles that an expression may give: a text, or one of two by a condition."""
    if isinstance(node, ast.IfExp):
        return constants_of(node.body) | constants_of(node.orelse)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return set(node.value.removeprefix("class:").split())
    return set()
