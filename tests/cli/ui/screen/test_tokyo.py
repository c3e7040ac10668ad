"""Tokyo as a place, in its two drawings."""

from __future__ import annotations

import pytest

from kotp2p.cli.ui.screen import panels
from kotp2p.cli.ui.screen.theme import Row, row_width
from kotp2p.referee.box.rulesets import CLASSIC, Options, Setup
from kotp2p.referee.game import Game
from kotp2p.referee.model.state import Place
from kotp2p.seams.notices import SeatView
from tests.support.local_game import new_view


def text_of(rows: list[Row]) -> list[str]:
    return ["".join(part for _style, part in row).rstrip() for row in rows]


def peopled(seats: int) -> SeatView:
    view = new_view(seats)
    view.game.state.active = 2
    view.game.state.monsters[1].place = Place.CITY
    if seats > 4:
        view.game.state.monsters[3].place = Place.BAY
    return view


def test_the_small_drawing_of_three() -> None:
    assert text_of(panels.draw_small(peopled(3), 30)) == [
        "+- Tokyo --------------------+",
        "| K The King |-|_.|^|___|-|_.|",
        "+----------------------------+",
        "outside:  G >A",
    ]


def test_the_small_drawing_of_six_with_the_bay() -> None:
    assert text_of(panels.draw_small(peopled(6), 41)) == [
        "+- Tokyo City -----+ +- Tokyo Bay ------+",
        "| K The King |-|_.|| | C Cyber Kitty _.||",
        "+------------------+ +------------------+",
        "outside:  G >A  M  S",
    ]


def test_the_large_drawing_has_the_others_around_in_the_order_of_the_seats() -> None:
    view = peopled(6)
    view.game.state.monsters[5].alive = False
    rows = text_of(panels.draw_large(view, 64))
    assert len(rows) == panels.LARGE_ROWS
    assert rows[0].split() == ["K", "is", "in", ">A", "Alienoid"]
    middle = rows[len(rows) // 2]
    assert middle.startswith(" G Gigazaur |")
    assert middle.endswith("| C is in")
    assert "K The King" in rows[2]
    assert rows[-1].split() == ["S", "is", "out", "M", "Meka", "Dragon"]


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("columns", [52, 80])
def test_each_monster_has_its_chair(seats: int, columns: int) -> None:
    view = new_view(seats)
    rows = panels.draw_large(view, columns)
    assert {row_width(row) for row in rows} == {columns}
    joined = "\n".join(text_of(rows))
    assert all(player.monster in joined for player in view.players)
    assert len(panels.CHAIRS[seats]) == seats == len(set(panels.CHAIRS[seats]))


def test_the_bay_is_shown_while_it_is_open() -> None:
    view = new_view(5)
    assert panels.is_bay_shown(view)
    view.game.state.monsters[0].alive = False
    assert not panels.is_bay_shown(view)
    view.game.state.monsters[1].place = Place.BAY
    assert panels.is_bay_shown(view)
    game = Game(Setup(CLASSIC, 6, CLASSIC.deck(), options=Options(bay_for_beginners=True)))
    assert not panels.is_bay_shown(SeatView(0, view.players, game, ""))


def test_a_narrow_window_keeps_the_names_inside_and_the_letters_beside() -> None:
    view = peopled(6)
    rows = text_of(panels.draw_large(view, 52))
    middle = rows[len(rows) // 2]
    assert "C Cyber Kitty" in "\n".join(rows)
    assert "K The King" in "\n".join(rows)
    assert middle.split()[0] == "G"
    assert "Gigazaur" not in "\n".join(rows)
