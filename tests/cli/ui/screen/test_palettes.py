"""Colours: each can be read on its terminals, and none says anything alone."""

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
from tests.support.colours import SIGHTS, contrast, difference, lab_of
from tests.support.laid_decisions import dice, table

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


@pytest.mark.parametrize("shade", Shade)
@pytest.mark.parametrize("palette", COLOURED)
def test_each_monster_has_a_colour_of_its_own(palette: Palette, shade: Shade) -> None:
    styles = theme.styles_of(palette, shade)
    assert len({styles[style] for style in theme.SEAT_STYLES}) == 6


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
