"""What stands there at moments that are neither a turn nor its end, and what is gone after them."""

from kotp2p.cli.text import names
from kotp2p.cli.ui.screen.controls import seat_screen_player
from kotp2p.extras import bots
from kotp2p.referee.model.decisions import BuyDecision
from kotp2p.seams.notices import GameStarted
from tests.support.laid_decisions import one_of_each_decision, table
from tests.support.local_game import new_view
from tests.support.screen_table import Asked, roll
from tests.support.screen_terminal import ENTER, Terminal
from tests.support.staged_turns import shop


def test_before_the_first_turn_it_is_nobodys() -> None:
    seated = seat_screen_player(bots.advise)
    view = new_view(3)
    seated.player.show(GameStarted(view))
    assert seated.screen.heading == "Who begins?"
    view.game.state.turn = 1
    assert seated.screen.heading == "Your turn"


def test_a_key_on_a_fresh_prompt_is_too_early_and_forgotten_with_the_next_that_counts() -> None:
    """UX check 10."""
    now = [0.0]
    asked = Asked(roll(), unread_seconds=0.3, view=table(rolled="33CHB1"), clock=lambda: now[0])

    async def script(terminal: Terminal) -> None:
        terminal.press("33" + ENTER)
        rows = await terminal.see("Too early")
        assert rows[22] == ">"
        now[0] += 0.31
        terminal.press(ENTER)
        await terminal.see("Advice:")
        assert not any("Too early" in row for row in terminal.rows)

    asked.by(script)


def test_the_shop_on_the_screen_is_not_read_out_below_it() -> None:
    found = [case for case in one_of_each_decision() if isinstance(case[1], BuyDecision)]
    view, decision = found[0]
    asked = Asked(decision, view=view)

    async def script(terminal: Terminal) -> None:
        rows = await terminal.see("Power cards", "Buy ", "YOUR TURN: buy")
        assert not any("For sale:" in row or "You have" in row for row in rows)

    asked.by(script)


def test_at_80x24_the_shop_leaves_the_last_roll_in_sight_with_what_it_gave() -> None:
    view = shop("wings", "jets", "tank", energy=9)
    decision = view.game.pending
    assert isinstance(decision, BuyDecision)
    faces = names.faces(view.game.state.dice)
    worth = names.worth_for(view, 0, view.game.state.dice)
    asked = Asked(decision, view=view)

    async def script(terminal: Terminal) -> None:
        rows = await terminal.see("Power cards", "YOUR TURN: buy")
        at = next(n for n, row in enumerate(rows) if "Power cards" in row)
        assert rows[at - 1].startswith("-- G Your dice, roll ")
        assert f": {faces} ---" in rows[at - 1]
        assert rows[at - 1].endswith(f" {worth} --")
        assert sum(row.startswith((" a Wings, ", " b Jets, ", " c Tank, ")) for row in rows) == 3

    asked.by(script)
