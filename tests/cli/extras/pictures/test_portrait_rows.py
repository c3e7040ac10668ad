"""Portraits and large dice on the table: where there is colour and room, and nowhere else."""

import pytest

from kotp2p.cli.extras.games.statistics import Statistics
from kotp2p.cli.extras.pictures.portrait_rows import FEW_HEARTS, mood_of
from kotp2p.cli.system.options import Depth, Mood, Palette, Symbols
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.screen.controls import DrawnTable, seat_screen_player
from kotp2p.cli.ui.screen.draw import LOG_ROWS, draw_screen
from kotp2p.cli.ui.screen.stage import PIXEL_STYLES
from kotp2p.cli.ui.screen.theme import Row, row_width
from kotp2p.extras import bots
from kotp2p.referee.model.state import Place
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import GameStarted, LobbyChanged, LobbySeat
from tests.support.laid_decisions import dice
from tests.support.local_game import new_view


@pytest.fixture(autouse=True)
def unicode_signs() -> None:
    theme.use_symbols(Symbols.UNICODE)


def table_of(seats: int, depth: Depth = Depth.MANY) -> DrawnTable:
    table = seat_screen_player(bots.advise)
    table.screen.depth = depth
    view = new_view(seats)
    state = view.game.state
    state.turn, state.active, state.rolls = 9, 1, 2
    state.dice = list(dice("33CHB1"))
    state.market = [0, 1, 2]
    state.monsters[seats - 1].place = Place.CITY
    table.player.show(GameStarted(view))
    return table


def draw(table: DrawnTable, columns: int, rows: int) -> list[Row]:
    return draw_screen(table.screen, columns, rows - 2)


def has_pixels(rows: list[Row]) -> bool:
    return any(style.startswith(PIXEL_STYLES) for row in rows for style, _text in row)


def has_large_dice(rows: list[Row]) -> bool:
    return any("│██ ▄█│" in text_of(row) or "╭──────╮" in text_of(row) for row in rows)


def text_of(row: Row) -> str:
    return "".join(text for _style, text in row)


def captions(rows: list[Row]) -> list[str]:
    """The names below the portraits."""
    at = max(n for n, row in enumerate(rows) if any(s.startswith(PIXEL_STYLES) for s, _t in row))
    left = text_of(rows[at + 1]).partition("│")[0]
    return left.split("  ")


@pytest.mark.parametrize(
    ("seats", "columns", "rows"),
    [
        (2, 100, 30), (4, 100, 30), (6, 100, 32), (2, 120, 40), (4, 120, 40), (6, 120, 40),
        (4, 160, 50), (6, 160, 50),
    ],
)  # fmt: skip
def test_portraits_stand_at_the_table_from_100_columns(seats: int, columns: int, rows: int) -> None:
    drawn = draw(table_of(seats), columns, rows)
    assert has_pixels(drawn)
    assert all(row_width(row) <= columns for row in drawn)


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (99, 60)])
def test_below_100_columns_there_is_none(columns: int, rows: int) -> None:
    assert not has_pixels(draw(table_of(4), columns, rows))


def test_without_colour_and_in_ascii_there_is_no_picture() -> None:
    assert not has_pixels(draw(table_of(4, Depth.NONE), 120, 40))
    assert not has_large_dice(draw(table_of(4, Depth.NONE), 120, 40))
    theme.use_symbols(Symbols.ASCII)
    assert not has_pixels(draw(table_of(4), 120, 40))


def test_where_not_all_have_room_whose_turn_it_is_the_reader_and_tokyo_come_first() -> None:
    names = " ".join(captions(draw(table_of(6), 100, 32)))
    assert [name for name in ("Gigazaur", "The King", "Space Penguin") if name in names] == [
        "Gigazaur", "The King", "Space Penguin",
    ]  # fmt: skip
    assert "Alienoid" not in names


def test_the_name_of_the_active_monster_is_whole() -> None:
    table = table_of(6)
    view = table.screen.state.view
    assert view is not None and view.players[5].monster == "Space Penguin"
    view.game.state.active = 5
    assert any("\u25baSpace Penguin" in text_of(row) for row in draw(table, 120, 50))


def test_who_is_out_has_no_portrait() -> None:
    table = table_of(4)
    view = table.screen.state.view
    assert view is not None
    view.game.state.monsters[2].alive = False
    assert "Alienoid" not in " ".join(captions(draw(table, 120, 40)))


@pytest.mark.parametrize(
    ("hearts", "points", "mood"),
    [
        (FEW_HEARTS, 0, Mood.HURT), (FEW_HEARTS + 1, 0, Mood.CALM), (10, 14, Mood.CALM),
        (10, 15, Mood.WINNING), (FEW_HEARTS, 15, Mood.HURT),
    ],
)  # fmt: skip
def test_a_face_says_how_the_monster_is(hearts: int, points: int, mood: Mood) -> None:
    table = table_of(3)
    view = table.screen.state.view
    assert view is not None
    view.game.state.monsters[2].hearts, view.game.state.monsters[2].points = hearts, points
    assert mood_of(table.screen, view, 2) is mood


def test_at_the_end_only_winners_look_like_winners() -> None:
    table = table_of(3)
    view = table.screen.state.view
    assert view is not None
    table.screen.ending = Ending(EndKind.FINISHED, view=view, winners=(1,))
    moods = [mood_of(table.screen, view, seat) for seat in range(3)]
    assert moods == [Mood.HURT, Mood.WINNING, Mood.HURT]


def test_dice_are_large_only_where_the_log_keeps_its_rows() -> None:
    assert not has_large_dice(draw(table_of(4), 80, 24))
    drawn = draw(table_of(4), 80, 40)
    assert has_large_dice(drawn)
    log = next(n for n, row in enumerate(drawn) if text_of(row).startswith("── Log"))
    title = next(n for n, row in enumerate(drawn) if n > log and text_of(row).startswith("──"))
    assert title - log - 1 >= LOG_ROWS


def test_more_dice_than_have_room_stay_small() -> None:
    table = table_of(4)
    view = table.screen.state.view
    assert view is not None
    view.game.state.dice = list(dice("33CHB111"))
    assert not has_large_dice(draw(table, 120, 50))


def lobby_table(depth: Depth = Depth.MANY) -> DrawnTable:
    table = seat_screen_player(bots.advise)
    table.screen.depth = depth
    ana = LobbySeat("Ana", "Gigazaur", b"a", False, True)
    rex = LobbySeat("Rex", "Kraken", b"r", False, False, ready=True)
    table.player.show(LobbyChanged((ana, None, rex), 0, "second"))
    return table


def test_a_lobby_with_room_shows_who_sits_there() -> None:
    drawn = draw(lobby_table(), 100, 40)
    assert has_pixels(drawn)
    assert any(text_of(row).split() == ["Gigazaur", "Kraken"] for row in drawn)


@pytest.mark.parametrize(("columns", "rows"), [(80, 40), (100, 24)])
def test_a_lobby_without_room_keeps_its_log(columns: int, rows: int) -> None:
    assert not has_pixels(draw(lobby_table(), columns, rows))
    assert not has_pixels(draw(lobby_table(Depth.NONE), 120, 40))


def test_the_page_of_the_end_shows_the_winner_first() -> None:
    table = table_of(3)
    view = table.screen.state.view
    assert view is not None
    tally = table.player.state.feed.tally
    assert isinstance(tally, Statistics)
    tally.winners = (1,)
    table.screen.open_end(Ending(EndKind.FINISHED, view=view, winners=(1,)))
    names = " ".join(captions(draw(table, 120, 40))).split()
    assert names == ["K", "The", "King", "G", "Gigazaur", "A", "Alienoid"]
    assert not has_pixels(draw(table, 80, 24))


def test_monochrome_terminals_get_no_picture() -> None:
    from prompt_toolkit.input import DummyInput
    from prompt_toolkit.output import DummyOutput

    from kotp2p.cli.ui.screen.stage import TerminalStage

    table = table_of(4, Depth.NONE)
    stage: TerminalStage[None] = TerminalStage(
        table, input=DummyInput(), output=DummyOutput(), palette=Palette.MONO
    )
    assert stage.screen.depth is Depth.NONE
