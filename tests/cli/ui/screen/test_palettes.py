"""Colours: each can be read on its terminals, and none says anything alone."""

from __future__ import annotations

import re

import pytest
from prompt_toolkit.styles import Style

from cli.system.options import Palette, Shade
from cli.ui.screen import palettes
from cli.ui.screen.draw import draw_screen
from cli.ui.screen.drawn_table import seat_screen_player
from kotp2p import bots
from kotp2p.notices import GameStarted, Happened
from referee.model.events import DiceRolled, HeartsLost
from referee.model.kinds import DamageKind
from referee.model.state import Place
from tests.support.laid_decisions import dice, table

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
