"""Dice that follow the typed line and the proposal, and costly answers, on the drawn table."""

from kotp2p.referee.model.answers import Reroll, Stop
from tests.support.screen_table import Asked, played, roll
from tests.support.screen_terminal import DOWN, ENTER, ESC, Terminal


@played(lambda: Asked(roll()), rows=30)
async def test_dice_that_the_line_keeps_are_lifted_before_enter(asked: Asked, t: Terminal) -> None:
    t.press("3")
    await t.see("> 3", " kept")
    t.press(ESC + "3*")
    await t.see("> 3*", " kept  kept")
    t.press(ENTER)
    await asked.gives(t, Reroll((2, 3, 4, 5)))


@played(lambda: Asked(roll()), rows=30)
async def test_a_costly_answer_is_asked_about_and_only_y_does_it(asked: Asked, t: Terminal) -> None:
    t.press("d" + ENTER)
    await t.see("Stop", "y does it, Enter goes back.")
    t.press("h" + ENTER)
    await t.see("y does it", "Type y to do it, or press Enter to go back.")
    t.press(ENTER)
    await t.see("Keep which?")
    t.press("d" + ENTER)
    await t.see("y does it")
    t.press(DOWN + ENTER)
    await asked.gives(t, Stop())


@played(lambda: Asked(roll()), rows=30)
async def test_dice_of_a_proposal_are_lifted_until_one_types(asked: Asked, t: Terminal) -> None:
    assert " kept" not in "\n".join(t.rows)
    t.press(ENTER)
    await t.see("Advice: keep ", " kept")
    t.press("0")
    await t.until(lambda: " kept" not in "\n".join(t.rows), "no dice that are kept")
    t.press(ENTER)
    await asked.gives(t, Reroll((0, 1, 2, 3, 4, 5)))
