"""Tokyo as a place."""

from __future__ import annotations

from kotp2p.cli.ui.screen import panels
from kotp2p.cli.ui.screen.theme import Row
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


def test_the_drawing_of_three() -> None:
    assert text_of(panels.draw_tokyo(peopled(3), 30)) == [
        "+- Tokyo --------------------+",
        "| K The King |-|_.|^|___|-|_.|",
        "+----------------------------+",
        "outside:  G >A",
    ]


def test_the_drawing_of_six_with_the_bay() -> None:
    assert text_of(panels.draw_tokyo(peopled(6), 41)) == [
        "+- Tokyo City -----+ +- Tokyo Bay ------+",
        "| K The King |-|_.|| | C Cyber Kitty _.||",
        "+------------------+ +------------------+",
        "outside:  G >A  M  S",
    ]


def test_the_bay_is_shown_while_it_is_open() -> None:
    view = new_view(5)
    assert panels.is_bay_shown(view)
    view.game.state.monsters[0].alive = False
    assert not panels.is_bay_shown(view)
    view.game.state.monsters[1].place = Place.BAY
    assert panels.is_bay_shown(view)
    game = Game(Setup(CLASSIC, 6, CLASSIC.deck(), options=Options(bay_for_beginners=True)))
    assert not panels.is_bay_shown(SeatView(0, view.players, game, ""))
