"""Whatever goes on: at every size the rows fit into the window, and what is urgent stands there."""

from collections.abc import Callable

import pytest

from kotp2p.cli.ask.dialogue import Explained, QuestionDialogue
from kotp2p.cli.ui.screen.controls import DrawnTable, seat_screen_player
from kotp2p.cli.ui.screen.draw import INPUT_AND_KEYS_ROWS, draw_key_row, draw_screen
from kotp2p.cli.ui.screen.pages import cards_page, help_page
from kotp2p.cli.ui.screen.theme import row_width
from kotp2p.extras import bots
from kotp2p.referee.model.decisions import Decision
from kotp2p.referee.model.events import DiceRolled, HeartsLost
from kotp2p.referee.model.state import DamageKind
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import GameFinished, GameStarted, Happened, SeatView
from tests.support.laid_decisions import ask, dice, one_of_each_decision
from tests.support.local_game import new_view

SIZES = [
    (8, 3), (20, 5), (40, 10), (59, 24), (60, 19), (60, 20), (79, 24), (80, 20), (80, 24),
    (99, 30), (100, 24), (100, 30), (131, 40), (132, 24), (132, 40), (200, 60),
]  # fmt: skip


def seated(view: SeatView | None = None) -> DrawnTable:
    found = seat_screen_player(bots.advise, animation=True)
    if view is not None:
        found.player.show(GameStarted(view))
    return found


def before_the_game() -> DrawnTable:
    found = seated()
    found.player.state.open_page()
    found.screen.put_first_page(["The aim: " + "word " * 60] * 12)
    return found


def running() -> SeatView:
    view = new_view(6)
    state = view.game.state
    state.turn, state.active, state.rolls, state.dice = 9, 1, 2, list(dice("33CHB1"))
    state.market = [0, 1, 2]
    return view


def dice_move() -> DrawnTable:
    view = running()
    found = seated(view)
    found.player.show(Happened((DiceRolled(1, (0, 2, 3), dice("33CHB1")),), view))
    assert found.screen.motion.is_moving
    return found


def attack() -> DrawnTable:
    view = running()
    found = seated(view)
    hits = tuple(HeartsLost(seat, 3, DamageKind.CLAWS, 1) for seat in (0, 2, 3, 4, 5))
    found.player.show(Happened(hits, view))
    return found


def leaving() -> DrawnTable:
    found = seated(running())
    found.player.state.is_leave_asked = True
    found.screen.put_leave_question("Leave? y leaves, Enter stays. " + "word " * 30)
    return found


def reading_cards() -> DrawnTable:
    view = running()
    found = seated(view)
    found.screen.page = cards_page(view)
    return found


def reading_help() -> DrawnTable:
    found = seated(running())
    found.screen.page = help_page(found.player.state.feed, None)
    return found


def ended() -> DrawnTable:
    view = running()
    found = seated(view)
    found.player.show(GameFinished((1,), (1,), view))
    found.screen.open_end(Ending(EndKind.FINISHED, view=view, winners=(1,)))
    return found


PHASES: list[Callable[[], DrawnTable]] = [
    seated, before_the_game, lambda: seated(new_view(4)), dice_move, attack, leaving,
    reading_cards, reading_help, ended,
]  # fmt: skip
NAMES = [
    "looking for a table", "first page", "who begins", "dice that move", "attack", "leaving",
    "cards", "help", "end",
]  # fmt: skip


def check_sizes(found: DrawnTable) -> None:
    for columns, rows in SIZES:
        drawn = draw_screen(found.screen, columns, rows - INPUT_AND_KEYS_ROWS)
        assert len(drawn) <= rows - INPUT_AND_KEYS_ROWS
        assert columns < 60 or rows < 20 or len(drawn) == rows - INPUT_AND_KEYS_ROWS
        too_wide = ["".join(text for _s, text in row) for row in drawn if row_width(row) > columns]
        assert not too_wide, (columns, rows)
        assert row_width(draw_key_row(found.screen, columns)) == columns


@pytest.mark.parametrize("phase", PHASES, ids=NAMES)
def test_every_phase_fits_every_window(phase: Callable[[], DrawnTable]) -> None:
    check_sizes(phase())


CASES = one_of_each_decision()


@pytest.mark.parametrize(("view", "decision"), CASES, ids=[case[1].kind for case in CASES])
def test_every_question_fits_every_window(view: SeatView, decision: Decision) -> None:
    found = seated(view)
    asking = QuestionDialogue(ask(view, decision), Explained())
    found.player.state.open_question(asking)
    found.screen.put_question(asking.first_lines(), new=True)
    check_sizes(found)
    prompt = asking.repeat_prompt()[-1]
    small = draw_screen(found.screen, 48, 13)
    text = " ".join("".join(part for _s, part in row).strip() for row in small)
    assert found.screen.heading in text
    assert prompt in text
