"""Dice that roll: three frames of other faces, and the numbers in words at once."""

from kotp2p.cli.ui.screen.controls import DrawnTable, seat_screen_player
from kotp2p.cli.ui.screen.panels import FRAMES, RollMotion
from kotp2p.extras import bots
from kotp2p.referee.model.answers import Face
from kotp2p.referee.model.events import DiceRolled, TurnEnded
from kotp2p.seams.notices import GameStarted, Happened
from tests.support.laid_decisions import dice
from tests.support.local_game import new_view
from tests.support.screen_table import Asked, roll, rows_of
from tests.support.screen_terminal import Terminal

ROLL = DiceRolled(1, (2, 3, 4, 5), dice("33CHB1"))


def rolling_table(*, animation: bool) -> DrawnTable:
    table = seat_screen_player(bots.advise, animation=animation)
    view = new_view(3)
    view.game.state.active, view.game.state.rolls = 1, 2
    view.game.state.dice = list(ROLL.dice)
    table.player.show(GameStarted(view))
    table.player.show(Happened((ROLL,), view))
    return table


def test_rolled_dice_show_other_faces_for_three_frames_and_are_told_when_they_lie_still() -> None:
    table = rolling_table(animation=True)
    pictures = []
    for _frame in range(FRAMES + 1):
        pictures.append("\n".join(rows_of(table.screen, rows=30)))
        table.screen.motion.step()
    assert len(set(pictures)) == FRAMES + 1
    told = ("Dice of Rex, roll 2: 1, 3, 3, heart, energy, claw", "K o Rex rerolls")
    for one in told:
        assert [one in picture for picture in pictures] == [False] * FRAMES + [True], one
    assert all(" | 3 | | 3 | +---+" in one for one in pictures)  # kept dice lie still
    still = rows_of(table.screen, rows=30)
    at_once = rows_of(rolling_table(animation=False).screen, rows=30)
    assert pictures[-1].split("\n") == still == at_once


def test_the_coach_waits_until_the_dice_lie_still_and_nothing_moves_then() -> None:
    asked = Asked(roll())
    asked.screen.motion.is_on = True

    async def play(t: Terminal) -> None:
        assert asked.player.state.asking is not None
        asked.player.state.asking.coach = "Three 3s are 3 points: type 333. " * 4
        asked.screen.motion.note_events([DiceRolled(0, (0, 1), dice("33CHB1"))])
        rolling = rows_of(asked.screen, rows=30)
        for _frame in range(FRAMES):
            asked.screen.motion.step()
        still = rows_of(asked.screen, rows=30)
        told = [row for row, line in enumerate(still) if "type 333" in line]
        assert told and not any(rolling[row].strip() for row in told)
        assert [line[:20] for line in rolling[:6]] == [line[:20] for line in still[:6]]

    asked.by(play)


def test_no_die_shows_its_own_face_while_it_rolls() -> None:
    motion = RollMotion(is_on=True)
    motion.note_events([ROLL])
    while motion.is_moving:
        assert all(motion.face_shown(face, 2) is not face for face in Face)
        assert all(motion.face_shown(face, 3) is not face for face in Face)
        assert all(motion.face_shown(face, 0) is face for face in Face)
        motion.step()


def test_the_next_event_ends_it() -> None:
    motion = RollMotion(is_on=True)
    motion.note_events([ROLL])
    motion.note_events([TurnEnded(1)])
    assert not motion.is_moving


def test_the_stage_steps_from_frame_to_frame() -> None:
    asked = Asked(roll())
    asked.screen.motion.is_on = True

    async def play(t: Terminal) -> None:
        asked.table.post_job(
            lambda: asked.player.show(
                Happened((DiceRolled(0, (0, 1), dice("33CHB1")),), asked.view)
            )
        )
        await t.until(lambda: asked.screen.motion.is_moving, "the roll")
        await t.until(lambda: not asked.screen.motion.is_moving, "its end")
        await t.see("| 1 | | 3 | | 3 | | H | | E | | C |")

    asked.by(play, rows=30)
