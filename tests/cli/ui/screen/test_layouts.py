"""What stands where, at the sizes that people have, with ASCII signs and with others."""

import pytest

from kotp2p.cli.system.options import Symbols
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.screen.controls import DrawnTable, seat_screen_player
from kotp2p.extras import bots
from kotp2p.referee.model.answers import Face
from kotp2p.referee.model.events import DiceRolled, HeartsLost
from kotp2p.referee.model.state import DamageKind, Place
from kotp2p.seams.notices import GameStarted, Happened
from tests.support.laid_decisions import dice
from tests.support.local_game import MONSTERS, NAMES, new_view
from tests.support.screen_table import rows_of

SIZES = [(60, 20), (80, 30), (100, 30), (132, 40)]
SETS = [Symbols.ASCII, Symbols.UNICODE]


def full_table(seats: int = 6) -> DrawnTable:
    """Another player has rolled and hit: six monsters, two of them in Tokyo."""
    table = seat_screen_player(bots.advise)
    view = new_view(seats)
    state = view.game.state
    state.turn, state.active, state.rolls = 9, 1, 2
    state.dice = list(dice("33CHB1"))
    state.market = [0, 1, 2]
    state.monsters[0].place, state.monsters[0].hearts = Place.CITY, 7
    if seats > 4:
        state.monsters[3].place = Place.BAY
    table.player.show(GameStarted(view))
    rolled = DiceRolled(1, (2, 3, 4, 5), dice("33CHB1"))
    table.player.show(Happened((rolled, HeartsLost(0, 3, DamageKind.CLAWS, 1)), view))
    return table


@pytest.mark.parametrize("symbols", SETS)
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_all_that_matters_is_there_at_each_size(symbols: Symbols, columns: int, rows: int) -> None:
    theme.use_symbols(symbols)
    signs = theme.signs()
    text = rows_of(full_table().screen, columns, rows)
    assert len(text) == rows - 2
    whole = "\n".join(text)
    for letter, monster, name in zip("GKACMS", MONSTERS, NAMES, strict=True):
        assert any(row[1] == letter and monster in row and name in row for row in text[2:8])
    assert text[3].startswith(f"{signs.active}K The King")
    assert f"{signs.own}Ana" in text[2]
    assert "TOKYO" in text[2]
    assert " 7 -3 " in text[2]
    assert text[rows - 6].startswith(f"{signs.line * 2} K Rex's turn")
    if columns >= 80:
        box = signs.corners[0] + signs.line * 3 + signs.corners[1]
        assert any(row.startswith(f" {box} {box}  new   new   new   new ") for row in text)
        assert "kept  kept" in whole
        assert "Tokyo City" in whole or "City" in whole
        assert signs.faces[Face.CLAW] in whole
    assert symbols is not Symbols.ASCII or whole.isascii()


def test_at_80x24_six_monsters_leave_seven_rows_to_the_log() -> None:
    assert [row.rstrip() for row in rows_of(full_table().screen, 80, 24)[7:19]] == [
        " S Space Penguin  Sam (bot)   outside ##### 10         0      0  -",
        "-- K Dice of Rex, roll 2 -------------------------- 1 claw, 1 energy, 1 heart --",
        " [3] [3]  1   heart   energy   claw",
        "-- a 6E Acid Attack - b 3E Alien Origin - c 5E Alpha Monster -- F2 reads them --",
        " 3 Mia, Alienoid, a bot",
        " 4 Otto, Cyber Kitty, a bot",
        " 5 Lena, Meka Dragon, a bot",
        " 6 Sam, Space Penguin, a bot",
        "K o Rex rerolls 4 dice: 1, heart, energy, claw. Now 1, 3, 3, heart, energy,",
        "      claw.",
        "K x Rex hits you for 3 (4 hearts left).",
        "-- K Rex's turn ----------------------------------------------------------------",
    ]


@pytest.mark.parametrize(
    ("rolled", "worth"),
    [
        ("33CHB1", ""), ("111222", "3 points"), ("112233", "nothing"), ("333CBH", ""),
        ("CCCCCC", "6 claws"), ("", ""),
    ],
)  # fmt: skip
def test_what_dice_give_stands_beside_them_whole_or_not_at_all(rolled: str, worth: str) -> None:
    found = full_table()
    view = found.screen.state.view
    assert view is not None
    view.game.state.dice = list(dice(rolled))
    (rule,) = [row for row in rows_of(found.screen, 80, 30) if "Dice of Rex" in row]
    assert rule.endswith(f"- {worth} --" if worth else "----")


@pytest.mark.parametrize(("columns", "left"), [(100, 52), (110, 60), (160, 60)])
def test_two_columns_have_the_cards_and_the_log_on_the_right(columns: int, left: int) -> None:
    text = rows_of(full_table().screen, columns, 40)
    first = next(n for n, row in enumerate(text) if "Power cards" in row)
    assert first == 8
    below = text[first : 40 - 2 - 4]
    assert all(row[left] == "|" for row in below)
    assert any("-- Log --" in row[left:] for row in below)
    assert any("+- Tokyo City ---" in row[:left] for row in below)
    assert any("The race to 20 points" in row[:left] for row in text)


def test_the_race_has_a_bar_for_each_monster_that_is_alive() -> None:
    table = full_table(3)
    assert table.player.state.view is not None
    monsters = table.player.state.view.game.state.monsters
    monsters[0].points, monsters[1].points = 20, 1
    monsters[2].alive = False
    text = rows_of(table.screen, 132, 40)
    at = next(n for n, row in enumerate(text) if "The race to 20 points" in row)
    assert text[at + 1].startswith(" G " + "#" * 40 + "  20 ")
    assert text[at + 2].startswith(" K " + "#" * 2 + "." * 38 + "   1 ")
    assert not text[at + 3][:60].strip()


def test_the_change_of_hearts_is_gone_with_the_next_event() -> None:
    table = full_table()
    view = table.player.state.view
    assert view is not None
    assert " 7 -3 " in rows_of(table.screen, 80, 24)[2]
    table.player.show(Happened((DiceRolled(1, (0,), dice("33CHB1")),), view))
    assert " 7 -3 " not in rows_of(table.screen, 80, 24)[2]
