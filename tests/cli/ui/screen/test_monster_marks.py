"""One letter and one colour for each monster, wherever its name stands."""

from dataclasses import replace

import pytest

from kotp2p.cli.ui.screen.controls import seat_screen_player
from kotp2p.cli.ui.screen.draw import draw_screen
from kotp2p.cli.ui.screen.panels import LastEvents, monster_rows
from kotp2p.cli.ui.screen.theme import BOX_LETTERS, list_letters, mark_names
from kotp2p.extras import bots
from kotp2p.seams.notices import GameStarted
from kotp2p.wire.names import MONSTERS
from tests.support.local_game import new_view


def test_every_monster_of_the_box_has_a_letter_of_its_own_name() -> None:
    assert set(BOX_LETTERS) == set(MONSTERS)
    assert len(set(BOX_LETTERS.values())) == len(MONSTERS)
    assert all(letter in name.upper() for name, letter in BOX_LETTERS.items())


@pytest.mark.parametrize(
    ("monsters", "letters"),
    [
        (["The King", "Gigazaur"], ["K", "G"]),
        (["Kong", "The King"], ["1", "K"]),
        (["The King", "The King"], ["K", "2"]),
    ],
)
def test_no_letter_stands_for_two_monsters(monsters: list[str], letters: list[str]) -> None:
    assert list_letters(monsters) == letters


def test_names_that_begin_alike_stay_apart_where_the_name_of_a_card_has_room() -> None:
    view = new_view(3)
    view.players = tuple(
        replace(player, name=f"Guest{n}", automatic=True) for n, player in enumerate(view.players)
    )
    _head, *rows = monster_rows(view, 80, {}, LastEvents())
    for n, row in enumerate(rows):
        assert f"Guest{n} (" in "".join(text for _style, text in row)


def test_names_are_found_as_whole_words() -> None:
    view = new_view(3)
    text = "Ana hits Rex, not Anabel; The King is Rex."
    marked = mark_names([("log", text)], view)
    assert "".join(part for _style, part in marked) == text
    assert [(style, part) for style, part in marked if style != "log"] == [
        ("log seat0", "Ana"),
        ("log seat1", "Rex"),
        ("log seat1", "The King"),
        ("log seat1", "Rex"),
    ]


def test_a_name_without_letters_is_not_marked() -> None:
    view = new_view(2)
    one = view.players[0]
    view.players = (replace(one, name="-", monster="..."), view.players[1])
    assert mark_names([("rule", "-- a - b ...")], view) == [("rule", "-- a - b ...")]


@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (80, 24), (100, 30), (132, 40)])
def test_letter_and_colour_of_each_monster_stand_in_the_table(columns: int, rows: int) -> None:
    table = seat_screen_player(bots.advise)
    view = new_view(6)
    table.player.show(GameStarted(view))
    drawn = draw_screen(table.screen, columns, rows - 2)
    for seat, letter in enumerate("GKACMS"):
        row = drawn[2 + seat]
        marked = [text for style, text in row if style == f"seat{seat}"]
        assert marked[0].startswith(letter + " ")
