"""A recorded game on the drawn table, with real keys and real drawing."""

import pytest

from kotp2p.cli.extras.replay.drawn import ReplayTable, draw_time_line
from kotp2p.cli.extras.replay.player import ReplayPlayer
from kotp2p.cli.text.i18n import line_width
from tests.support import screen_terminal as keys
from tests.support.recorded import golden_log, growing_player_of, player_of
from tests.support.screen_table import played
from tests.support.screen_terminal import Script, Terminal, on_stage

HOME, END, TAB, SHIFT_TAB = "\x1b[H", "\x1b[F", "\t", "\x1b[Z"


class Replayed:
    """A recorded game on the drawn table."""

    def __init__(self, player: ReplayPlayer) -> None:
        self.player = player

    def by(self, script: Script, columns: int = 80, rows: int = 24) -> Terminal:
        table = ReplayTable(self.player)
        return on_stage(table, table.run, script, columns, rows)


def whole() -> Replayed:
    return Replayed(player_of(golden_log("second")))


@played(whole)
async def test_keys_go_by_event_decision_and_turn(replayed: Replayed, terminal: Terminal) -> None:
    player, reel = replayed.player, replayed.player.reel
    await terminal.see("turn 0 of 47", "sound", "The game begins")
    terminal.press(keys.RIGHT + keys.RIGHT + keys.LEFT)
    await terminal.until(lambda: player.place == reel.step(reel.clamp(player.place), 0))
    terminal.press(keys.DOWN + keys.DOWN)
    await terminal.see("turn 2 of 47", "Turn 2, Guest 3")
    terminal.press(keys.UP)
    await terminal.see("turn 1 of 47")
    terminal.press(TAB)
    await terminal.see("Guest 2 keeps 2, 2 and rolls 4 dice again.")
    terminal.press(TAB + TAB + SHIFT_TAB)
    await terminal.see("Guest 2 has decided.")
    terminal.press(END)
    await terminal.see("game.kotlog: sound", "Guest 3 wins")
    terminal.press(HOME)
    await terminal.see("turn 0 of 47")


@played(whole)
async def test_typed_words_work_as_in_plain_lines(replayed: Replayed, terminal: Terminal) -> None:
    await terminal.see("turn 0 of 47")
    terminal.press("g 14" + keys.ENTER)
    await terminal.see("turn 14 of 47", "Turn 14, Guest 3")
    terminal.press("state" + keys.ENTER)
    await terminal.see("What you asked for", "Ana, Gigazaur, outside Tokyo, 4 hearts")
    terminal.press(keys.ESC)
    await terminal.gone("What you asked for")
    terminal.press("seat ana" + keys.ENTER)
    await terminal.see("You sit in the seat of Ana.")
    terminal.press("xyzzy" + keys.ENTER)
    await terminal.see("xyzzy: no such word here")


def test_the_reader_goes_around_the_table_and_leaves() -> None:
    player = player_of(golden_log("second"))
    table = ReplayTable(player)
    over = []

    async def play() -> None:
        await table.run()
        over.append(True)

    async def script(terminal: Terminal) -> None:
        await terminal.see("turn 0 of 47")
        terminal.press(keys.F5)
        await terminal.see("You sit in the seat of Ana.")
        terminal.press(keys.F1)
        await terminal.see("Help", "Esc closes")
        terminal.press(keys.ESC)
        await terminal.gone("Esc closes")
        terminal.press(keys.F10)
        await terminal.until(lambda: bool(over))

    on_stage(table, play, script)


@played(whole)
async def test_a_key_shows_how_the_dice_were_drawn(replayed: Replayed, terminal: Terminal) -> None:
    await terminal.see("turn 0 of 47")
    terminal.press(keys.F4)
    await terminal.see("How this was drawn", "Nothing was drawn so far.")
    terminal.press(keys.ESC + "g 14" + keys.ENTER)
    await terminal.see("turn 14 of 47")
    terminal.press(keys.RIGHT + keys.F4)
    await terminal.see("Turn 14, drawn with record 218:")
    await terminal.see("Guest 1 sealed in record 205:")


def test_it_plays_by_itself_to_the_end() -> None:
    player = player_of(golden_log("dark"))
    player.choose_speed(16)

    async def script(terminal: Terminal) -> None:
        terminal.press("g 13" + keys.ENTER)
        await terminal.see("turn 13 of 13")
        terminal.press(" ")
        await terminal.see("plays at speed 16")
        await terminal.see("paused, speed 16")
        assert player.is_at_end

    Replayed(player).by(script)


@played(lambda: Replayed(growing_player_of(golden_log("second"))))
async def test_a_log_is_looked_at_while_it_is_checked(_: Replayed, terminal: Terminal) -> None:
    await terminal.see("turn 0 of 47", "sound")


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 40), (60, 20), (48, 15)])
@pytest.mark.parametrize("seat", [-1, 1])
def test_every_size_is_filled_and_no_row_is_too_long(size: tuple[int, int], seat: int) -> None:
    columns, rows = size
    player = player_of(golden_log("dark"), seat)
    table = ReplayTable(player)
    for turn in (0, 1, 7, 14):
        player.go_to_turn(turn)
        for _ in range(4):
            player.step(1)
            table.refresh()
            drawn = table.draw(columns, rows - 2)
            assert len(drawn) == rows - 2 or columns < 60
            for row in [*drawn, table.draw_keys(columns)]:
                assert sum(line_width(text) for _style, text in row) <= columns


@pytest.mark.parametrize(
    ("columns", "turn", "line"),
    [
        (80, 0, ">....:....:....:....:....:....:....:....:....:.."),
        (80, 1, " >...:....:....:....:....:....:....:....:....:.."),
        (80, 47, " ....:....:....:....:....:....:....:....:....:.>"),
        (12, 0, ">....:....:"),
        (12, 5, " >...:....:"),
        (12, 6, " .>..:....:"),
        (12, 47, " ....:....>"),
    ],
)
def test_the_time_line_has_a_sign_for_each_turn_or_for_several_and_marks_the_present_one(
    columns: int, turn: int, line: str
) -> None:
    player = player_of(golden_log("second"))
    player.go_to_turn(turn)
    assert "".join(text for _style, text in draw_time_line(player, columns)) == line
