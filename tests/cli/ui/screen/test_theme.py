"""Signs: one width on every terminal, and nothing said by a colour alone."""

import unicodedata

import pytest
from prompt_toolkit.utils import get_cwidth

from kotp2p.cli.system.options import Symbols
from kotp2p.cli.text.i18n import line_width
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.screen.controls import seat_screen_player
from kotp2p.cli.ui.screen.dice_and_cards import DieBox, draw_boxes
from kotp2p.cli.ui.screen.draw import draw_screen
from kotp2p.cli.ui.screen.screen import Screen
from kotp2p.cli.ui.screen.theme import row_width
from kotp2p.extras import bots
from kotp2p.referee.model.answers import Face
from kotp2p.referee.model.state import Place
from kotp2p.seams.notices import GameStarted
from tests.support.laid_decisions import table

EMOJI = {"♥", "❤", "⚔", "▶", "◀", "▪", "▫", "◼", "◻", "☠"}
"""Signs that some fonts draw as pictures of another width."""


@pytest.mark.parametrize("symbols", theme.SIGNS)
def test_every_sign_has_one_width_everywhere(symbols: Symbols) -> None:
    signs = theme.SIGNS[symbols]
    for sign in set(signs.every_sign()) - {"💗", "⚡", "🐾"}:
        assert line_width(sign) == get_cwidth(sign) == 1
        assert sign not in EMOJI
        assert symbols is not Symbols.ASCII or sign.isascii()
    single = [signs.heart, signs.lost_heart, signs.line, signs.upright, signs.active, signs.own]
    assert all(len(sign) == 1 for sign in [*single, *signs.corners, *signs.place_corners])
    assert set(signs.faces) == set(Face)
    for face in signs.faces.values():
        assert not any(unicodedata.category(sign) == "Mn" for sign in face), "a variation selector"
        assert line_width(face) == get_cwidth(face) == theme.FACE_COLUMNS
        is_wide = any(unicodedata.east_asian_width(sign) == "W" for sign in face)
        assert is_wide <= (symbols is Symbols.EMOJI)


def screen() -> Screen:
    seated = seat_screen_player(bots.advise)
    view = table(rolled="33CHB1")
    view.game.state.monsters[0].place = Place.CITY
    view.game.state.monsters[1].hearts = 4
    seated.player.show(GameStarted(view))
    return seated.screen


@pytest.mark.parametrize("symbols", theme.SIGNS)
@pytest.mark.parametrize("columns", [60, 80, 120])
def test_the_table_keeps_its_columns(symbols: Symbols, columns: int) -> None:
    theme.use_symbols(symbols)
    rows = draw_screen(screen(), columns, 30)
    text = ["".join(part for _style, part in row) for row in rows]
    assert all(row_width(row) <= columns for row in rows)
    assert all(get_cwidth(line) == line_width(line) for line in text)
    head = next(line for line in text if "Player" in line)
    ana = next(line for line in text if "TOKYO" in line)
    before = head[: head.index("Points")]
    assert line_width(ana[: ana.index("TOKYO")]) == line_width(head[: head.index("Where")])
    assert line_width(before) < line_width(ana)
    assert symbols is not Symbols.ASCII or all(line.isascii() for line in text)
    claw = theme.SIGNS[symbols].faces[Face.CLAW]
    assert any(claw in line for line in text)


def test_dice_of_each_set() -> None:
    shown = {}
    for symbols in theme.SIGNS:
        theme.use_symbols(symbols)
        middle = draw_boxes([DieBox(face, is_kept=True) for face in Face])[1]
        shown[symbols] = "".join(text for _style, text in middle).strip()
    assert shown == {
        Symbols.ASCII: "| 1 | | 2 | | 3 | | H | | E | | C |",
        Symbols.UNICODE: "│ 1 │ │ 2 │ │ 3 │ │ ♡ │ │ ↯ │ │╱╱╱│",
        Symbols.EMOJI: "│ 1 │ │ 2 │ │ 3 │ │💗 │ │⚡ │ │🐾 │",
    }
    in_words = "".join(theme.die_text(face, is_kept=True) for face in Face)
    assert in_words == "[1][2][3][heart][energy][claw]"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "no-such-encoding"])
def test_what_the_terminal_cannot_write_is_not_drawn(encoding: str) -> None:
    theme.use_symbols(Symbols.UNICODE, encoding)
    assert theme.signs() is theme.SIGNS[Symbols.ASCII]
