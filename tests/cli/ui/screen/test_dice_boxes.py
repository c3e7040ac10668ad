"""Dice as boxes: what is kept is lifted, what is new is marked, also for the dice of others."""

import pytest

from kotp2p.cli.ui.screen.controls import DrawnTable, seat_screen_player
from kotp2p.cli.ui.screen.panels import LastEvents
from kotp2p.extras import bots
from kotp2p.referee.model.answers import Face, Seat
from kotp2p.referee.model.events import DiceRolled, DieChanged, TurnStarted
from kotp2p.seams.notices import GameStarted, Happened
from tests.support.laid_decisions import dice
from tests.support.local_game import new_view
from tests.support.screen_table import rows_of


def rolled_table(
    letters: str, positions: tuple[int, ...], active: Seat = 1, seats: int = 3
) -> DrawnTable:
    """A table where the active monster has just rolled these positions."""
    table = seat_screen_player(bots.advise)
    view = new_view(seats)
    view.game.state.active, view.game.state.rolls = active, 2
    view.game.state.dice = list(dice(letters))
    table.player.show(GameStarted(view))
    table.player.show(Happened((DiceRolled(active, positions, dice(letters)),), view))
    return table


def board(table: DrawnTable, columns: int = 80, rows: int = 30) -> list[str]:
    """The rule of the dice and the rows of their boxes, without what stands beside them."""
    text = rows_of(table.screen, columns, rows)
    first = next(at for at, row in enumerate(text) if "roll 2:" in row)
    return [row[:37].rstrip() for row in text[first : first + 5]]


def test_the_kept_dice_of_another_player_are_lifted_and_the_new_ones_marked() -> None:
    assert board(rolled_table("33CHB1", (2, 3, 4, 5)))[1:] == [
        " +---+ +---+  new   new   new   new",
        " | 3 | | 3 | +---+ +---+ +---+ +---+",
        " +---+ +---+ | 1 | | H | | E | | C |",
        "  kept  kept +---+ +---+ +---+ +---+",
    ]


def test_nothing_is_marked_when_all_dice_were_rolled() -> None:
    assert board(rolled_table("33CHB1", (0, 1, 2, 3, 4, 5)))[1:] == [
        "",
        " +---+ +---+ +---+ +---+ +---+ +---+",
        " | 1 | | 3 | | 3 | | H | | E | | C |",
        " +---+ +---+ +---+ +---+ +---+ +---+",
    ]


def test_eight_dice_fit_beside_tokyo() -> None:
    text = rows_of(rolled_table("CCCCCCCC", (6, 7)).screen, 80, 30)
    faces = " | C | | C | | C | | C | | C | | C | +---+ +---+"
    assert any(row.startswith(faces) and "nobody" in row for row in text)


@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (80, 30), (100, 30)])
def test_the_faces_stand_in_words_above_the_boxes(columns: int, rows: int) -> None:
    table = rolled_table("33CHB1", (2, 3, 4, 5))
    text = rows_of(table.screen, columns, rows)
    (at,) = [at for at, row in enumerate(text) if row.startswith("-- K Dice of Rex, roll 2")]
    words = text[at][len("-- K Dice of Rex, roll 2: ") :] if columns == 80 else text[at + 1]
    shown = words.replace("[", "").replace("]", "").replace(",", "").split()
    assert sorted(shown[:6]) == ["1", "3", "3", "claw", "energy", "heart"]


def test_a_window_without_room_for_boxes_has_the_kept_dice_in_brackets() -> None:
    table = rolled_table("33CHB1", (2, 3, 4, 5), seats=6)
    assert " [3] [3]  1   heart   energy   claw  " in rows_of(table.screen, 60, 20)


def test_a_new_turn_and_a_changed_die_are_remembered() -> None:
    last = LastEvents()
    shown = [Face.CLAW] * 6
    last.note_events([DiceRolled(1, (4, 5), tuple(shown))])
    assert last.rolled_of(shown) == {4, 5}
    last.note_events([DieChanged(1, 3, 2, Face.ONE)])
    assert last.rolled_of(shown) == {2}
    assert last.rolled_of(shown[:2]) == frozenset()  # the dice of another position
    last.note_events([TurnStarted(2)])
    assert last.rolled_of(shown) == frozenset()
