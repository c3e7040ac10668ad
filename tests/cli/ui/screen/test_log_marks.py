"""The log: a mark for each kind of line, the letter of its monster, and rules for turns."""

import pytest

from kotp2p.cli.system.options import Symbols
from kotp2p.cli.text.story import LineKind, ToldLine
from kotp2p.cli.ui.screen import controls, draw, theme
from kotp2p.extras import bots
from kotp2p.referee.model import events
from kotp2p.referee.model.state import Cause, DamageKind, Place
from kotp2p.seams.notices import GameStarted, Gone, Happened, Said
from tests.support import laid_decisions, local_game
from tests.support.screen_table import rows_of


def told_table() -> controls.DrawnTable:
    """A table of three that has heard a little of everything."""
    table = controls.seat_screen_player(bots.advise)
    view = local_game.new_view(3)
    view.game.state.turn = 4
    table.player.show(GameStarted(view))
    table.screen.log.lines.clear()
    happened = (
        events.TurnStarted(1),
        events.DiceRolled(1, (0, 1, 2, 3, 4, 5), laid_decisions.dice("33CHB1")),
        events.HeartsLost(0, 2, DamageKind.CLAWS, 1),
        events.EnteredTokyo(1, Place.CITY),
        events.PointsGained(1, 1, Cause.TOKYO),
        events.EnergyGained(2, 1, Cause.DICE),
        events.HeartsGained(2, 1, Cause.DICE),
    )
    table.player.show(Happened(happened, view))
    table.player.show(Said("Mia", "hello", False))
    table.player.show(Gone(2))
    return table


def log_rows(table: controls.DrawnTable, columns: int, rows: int) -> list[str]:
    text = [row.rstrip() for row in rows_of(table.screen, columns, rows)]
    first = next(at for at, row in enumerate(text) if "K Turn" in row)
    return text[first:]


def test_each_kind_of_line_has_its_mark_and_its_letter() -> None:
    rows = log_rows(told_table(), 90, 60)
    assert rows[0].startswith("-- K Turn 5, Rex: outside Tokyo, 10 hearts, 0 energy, 0 points -")
    assert [row[:4] for row in rows[1:9]] == [
        "K o ", "K x ", "K ^ ", "K * ", "A $ ", "A + ", "  > ", "  ! ",
    ]  # fmt: skip
    assert rows[2] == "K x Rex hits you for 2 (8 hearts left)."
    assert rows[7] == "  > Mia says: hello"


def test_a_turn_has_a_short_heading_in_a_narrow_log() -> None:
    table = told_table()
    assert log_rows(table, 60, 40)[0].startswith("-- K Turn 5, Rex ----")
    right = log_rows(table, 100, 40)[0].partition("|")[2]
    assert right.startswith("-- K Turn 5, Rex ----")


def test_a_line_that_needs_two_rows_has_its_mark_once() -> None:
    table = told_table()
    line = "You say: " + "word " * 20
    table.screen.put_news([ToldLine(line, LineKind.CHAT)])
    rows = log_rows(table, 80, 40)
    at = next(at for at, row in enumerate(rows) if "You say" in row)
    assert rows[at].startswith("  > You say: word")
    assert rows[at + 1].startswith("      word")


@pytest.mark.parametrize(
    ("event", "start"),
    [
        (events.Eliminated(1), "K x Rex is out of the game. ---"),
        (events.GameEnded((1,)), "  * The game is over: Rex wins. ---"),
    ],
)
def test_a_fall_and_a_victory_stand_out_among_the_lines(event: events.Event, start: str) -> None:
    table = told_table()
    view = table.screen.state.view
    assert view is not None
    table.player.show(Happened((event,), view))
    drawn = draw.draw_screen(table.screen, 90, 58)
    (row,) = [row for row in drawn if "".join(text for _style, text in row).startswith(start)]
    assert theme.row_width(row) == 90
    assert row[-1][0] in ("damage", "points")
    assert any("face" in style for style, _text in row)


def test_a_name_in_the_log_has_the_colour_of_its_letter() -> None:
    drawn = draw.draw_screen(told_table().screen, 90, 58)
    (row,) = [row for row in drawn if any("hits you" in text for _style, text in row)]
    assert row[0] == ("seat1", "K ")
    assert row[1] == ("damage", "x ")
    assert row[2] == ("log seat1", "Rex")


@pytest.mark.parametrize("symbols", theme.SIGNS)
def test_no_mark_stands_for_two_kinds(symbols: Symbols) -> None:
    marks = theme.SIGNS[symbols].kinds
    assert len(set(marks.values())) == len(marks)
    assert set(marks) == set(LineKind) - {LineKind.FACT, LineKind.TURN}
    assert set(theme.STYLES) == set(LineKind)


def test_a_sentence_with_a_kind_is_the_same_sentence() -> None:
    line = ToldLine("Rex rolls.", LineKind.DICE, 1)
    assert line == "Rex rolls."
    assert f"{line}" == "Rex rolls."


def test_the_log_begins_with_a_whole_sentence_unless_the_reader_scrolls() -> None:
    log = controls.seat_screen_player(bots.advise).screen.log
    log.add(["one " * 12, "two"])
    assert [row.text.split()[0] for row in log.visible_rows(20, 2)] == ["two"]
    assert [row.text.split()[0] for row in log.visible_rows(20, 4)] == ["one", "one", "one", "two"]
    log.scroll(-1)
    assert [row.is_first for row in log.visible_rows(20, 2)] == [False, False]
