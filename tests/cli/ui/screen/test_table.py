"""The table on the screen while a game is played: what stands where, and what the keys do."""

from functools import partial
from random import Random

import pytest
import trio
import trio.testing

from kotp2p.cli.ui.screen.controls import seat_screen_player
from kotp2p.extras import bots
from kotp2p.referee.box.rulesets import RULE_SETS
from kotp2p.referee.model.answers import Reroll, Stay, Yield
from kotp2p.referee.model.decisions import YieldDecision
from kotp2p.seams.commands import Leave
from tests.support.local_game import Table, new_view
from tests.support.screen_table import Asked, played, roll
from tests.support.screen_terminal import DOWN, ENTER, ESC, F10, RIGHT, UP, Terminal, on_screen


@played(lambda: Asked(roll()))
async def test_the_rows_of_the_table_stand_where_they_belong(asked: Asked, t: Terminal) -> None:
    rows = await t.see("Keep which?")
    assert rows[0].startswith(" kotp2p | YOUR TURN: roll")
    assert rows[1].split() == ["Monster", "Player", "Where", "Hearts", "Points", "Energy",
                               "Cards"]  # fmt: skip
    assert "Gigazaur" in rows[2]
    assert "*Ana (you)" in rows[2]
    assert " ##### 10" in rows[2]
    assert rows[5].startswith("-- G Your dice, roll 1 ---")
    assert rows[6].split() == ["1", "3", "3", "heart", "energy", "claw"]
    assert rows[7].startswith("-- a -")
    assert rows[18].startswith("-- YOUR TURN: roll")
    assert "Keep which?" in rows[21]
    assert rows[22].startswith(">")
    assert rows[23].startswith("F1 Help")
    assert (t.glass.cursor.y, t.glass.cursor.x) == (22, 2)


@played(lambda: Asked(roll()), rows=30)
async def test_typed_faces_are_kept_and_lifted(asked: Asked, t: Terminal) -> None:
    t.press("۳3c")
    rows = await t.see(" kept  kept")
    assert rows[7].startswith(" +---+ | 3 | | 3 | +---+ +---+ | C |")
    assert rows[9].startswith(" +---+  kept  kept +---+ +---+  kept")
    t.press(ENTER)
    await asked.gives(t, Reroll((3, 4, 5)))


@played(lambda: Asked(roll()))
async def test_arrows_and_space_keep_dice_without_a_letter(asked: Asked, t: Terminal) -> None:
    t.press(RIGHT + RIGHT + RIGHT + " ")
    await t.see("> 3")
    t.press(RIGHT + RIGHT + RIGHT + " ")
    await t.see("> 3c")
    t.press(ENTER)
    await asked.gives(t, Reroll((1, 3, 4, 5)))


@played(lambda: Asked(YieldDecision(0, 1), YieldDecision(0, 1)))
async def test_arrows_pick_an_answer_and_enter_sends_it(asked: Asked, t: Terminal) -> None:
    await t.see("s stays, l leaves")
    t.press(DOWN)
    await t.see("> s", "stay in Tokyo")
    t.press(DOWN)
    await t.see("> l", "leave Tokyo")
    t.press(ENTER)
    await t.until(lambda: len(asked.answers) == 1, "an answer")
    t.press(UP + UP + ENTER)
    await t.until(lambda: len(asked.answers) == 2, "another")
    assert asked.answers == [Yield(), Stay()]


@played(lambda: Asked(roll(), YieldDecision(0, 1)))
async def test_a_burst_answers_one_prompt(asked: Asked, t: Terminal) -> None:
    """UX check 9."""
    t.press("33cc".replace("cc", "c") + ENTER + "y" + ENTER + "y" + ENTER)
    await t.see("YOU ARE HIT")
    assert asked.answers == [Reroll((3, 4, 5))]
    t.press("s" + ENTER)
    await t.until(lambda: len(asked.answers) == 2, "the other answer")
    assert asked.answers[1] == Stay()


async def asked_when(go: trio.Event, asked: Asked) -> None:
    await asked.play()
    await go.wait()
    asked.answers.append(await asked.player.decide(asked.view, YieldDecision(0, 1)))


def test_what_was_typed_before_a_question_is_told_and_not_used() -> None:
    go = trio.Event()
    asked = Asked()

    async def play(t: Terminal) -> None:
        await t.see(" kotp2p | ")
        t.press("stat")
        await t.see("> stat")
        asked.table.post_job(go.set)
        rows = await t.see("s stays, l leaves", "not used: stat")
        assert rows[22] == ">"

    on_screen(asked.table, partial(asked_when, go, asked), play)


@played(lambda: Asked(roll()))
async def test_a_wrong_line_is_refused_and_the_prompt_stays(asked: Asked, t: Terminal) -> None:
    t.press("33x" + ENTER)
    rows = await t.see("x is not a face")
    assert "x is not a face" in rows[21]
    assert "Keep which?" in rows[20]


@played(lambda: Asked(roll()))
async def test_no_way_out_ends_the_game_without_a_question(asked: Asked, t: Terminal) -> None:
    """UX check 11."""
    ways = ("quit" + ENTER, "leave" + ENTER, "\x03", "\x04", F10, F10)
    ways_back = (*[ENTER] * 5, "y" + ESC)
    for way, back in zip(ways, ways_back, strict=True):
        t.press(way)
        await t.see("Leave the game for good?")
        t.press(back)
        rows = await t.see("You stay in the game.", "Keep which?")
        assert rows[22] == ">"
    t.press("q" + ENTER)
    await t.see("q is not a face")
    t.press("33" + ESC)
    await t.until(lambda: t.rows[22] == ">", "an empty line")
    assert not asked.answers
    t.press(F10)
    await t.see("Leave the game for good?")
    t.press(DOWN)
    await t.see("> y")
    t.press(ENTER)
    await t.until(lambda: bool(asked.answers), "an answer")
    assert isinstance(asked.answers[0], Leave)


def test_a_question_that_comes_meanwhile_does_not_hide_whether_to_leave() -> None:
    """UX check 11: what would leave the game never looks like the answer to something else."""
    go = trio.Event()
    asked = Asked()

    async def play(t: Terminal) -> None:
        await t.see(" kotp2p | ")
        t.press(F10)
        await t.see("Leave the game for good?")
        number = asked.player.state.prompt_number
        asked.table.post_job(go.set)
        await t.until(lambda: asked.player.state.prompt_number > number, "the question")
        await t.until(lambda: asked.screen.guard.is_prompt_drawn, "its drawing")
        assert "Leave the game for good?" in "\n".join(t.rows)
        assert "s stays, l leaves" not in "\n".join(t.rows)
        t.press(ENTER)
        await t.see("You stay in the game.", "s stays, l leaves")
        t.press("l" + ENTER)
        await t.until(lambda: bool(asked.answers), "an answer")

    on_screen(asked.table, partial(asked_when, go, asked), play)
    assert asked.answers == [Yield()]


@played(lambda: Asked(roll()))
async def test_sizes_and_back_lose_nothing(asked: Asked, t: Terminal) -> None:
    """UX check 8."""
    t.press("33")
    await t.see("> 33")
    t.resize(60, 20)
    rows = await t.see("-- YOUR TURN: roll")
    await t.until(lambda: t.rows[19].startswith("F1 Help"), "the keys")
    assert "Gigazaur" in t.rows[2]
    assert not any("deck" in row for row in t.rows)
    assert max(len(row) for row in t.rows) <= 60
    t.resize(48, 15)
    rows = await t.see("kotp2p needs 60x20, now 48x15", "YOUR TURN: roll 1 of 3", "> 33")
    t.resize(200, 60)
    rows = await t.see("-- Power cards", "> 33")
    await t.until(lambda: t.rows[59].startswith("F1 Help"), "the keys")
    t.resize(80, 24)
    await t.until(lambda: t.rows[23].startswith("F1 Help"), "the keys")
    rows = await t.see("F2 reads them", "> 33", "[3] [3]")
    assert rows[18].startswith("-- YOUR TURN")
    t.press(ENTER)
    await asked.gives(t, Reroll((2, 3, 4, 5)))


def test_the_bell_rings_once_a_turn_and_the_window_tells_what_is_decided() -> None:
    """UX check 25."""
    asked = Asked(roll(), roll(1))

    async def play(t: Terminal) -> None:
        await t.see("Keep which?")
        t.press("33" + ENTER)
        await t.see("roll 1 of 2")

    terminal = asked.by(play)
    raw = terminal.paper.raw
    titles = raw.split("\x1b]2;")[1:]
    assert any(title.startswith("kotp2p: YOUR TURN: roll 1 of 3\x07") for title in titles)
    assert raw.replace("\x1b]2;", "").count("\x07") - len(titles) == 1


def test_the_bell_can_be_turned_off() -> None:
    """UX check 25."""
    asked = Asked(roll(), bell=False)

    async def play(t: Terminal) -> None:
        await t.see("Keep which?")

    raw = asked.by(play).paper.raw
    assert raw.count("\x07") == len(raw.split("\x1b]2;")[1:])


def test_many_events_at_once_are_drawn_together_and_typing_goes_on() -> None:
    """UX check 25: by the number of drawings, not by a clock."""
    asked = Asked(roll())
    drawn: list[int] = []

    async def play(t: Terminal) -> None:
        await t.see("Keep which?")
        before = t.stage.app.render_counter

        def storm() -> None:
            for n in range(500):
                asked.screen.put_news([f"event {n}"])

        asked.table.post_job(storm)
        t.press("33")
        await t.see("event 499", "> 33")
        drawn.append(t.stage.app.render_counter - before)

    asked.by(play)
    assert drawn[0] < 20


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_whole_game_at_80x24(rules: str) -> None:
    """UX check 7: no line is cut or broken, and title, input line and keys stay where they are."""
    seated = seat_screen_player(bots.advise, unread_seconds=0)
    player, screen = seated.player, seated.screen
    noise = Random(5)
    seen = 0

    async def whole() -> None:
        await Table(new_view(4, RULE_SETS[rules]), player, Random(11)).play()

    def over(t: Terminal) -> bool:
        return "The game is over" in "\n".join(t.rows)

    async def next_prompt(t: Terminal, number: int) -> None:
        await t.until(lambda: player.state.prompt_number > number or over(t), "a prompt")
        await t.until(lambda: screen.guard.is_prompt_drawn, "its drawing")

    async def play(t: Terminal) -> None:
        nonlocal seen
        await next_prompt(t, 0)
        while not over(t):
            number = player.state.prompt_number
            asking = player.state.asking
            rows = t.rows
            assert rows[18].startswith("-- YOU"), rows
            assert rows[22] == ">", rows
            assert rows[23].startswith("F1 Help"), rows
            assert asking is not None
            prompt = asking.repeat_prompt()[-1]
            assert prompt in " ".join(row.strip() for row in rows[15:22]), rows
            seen += 1
            t.press(noise.choice((ENTER, ENTER, ENTER, DOWN + ENTER)))
            await next_prompt(t, number)

    on_screen(seated, whole, play)
    assert seen > 20


async def test_what_was_said_to_a_question_goes_when_it_is_withdrawn() -> None:
    asked = Asked(roll())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(asked.play)
        await trio.testing.wait_all_tasks_blocked()
        asked.screen.put_warning("Your time is up.")
        nursery.cancel_scope.cancel()
    assert asked.screen.prompt.remark == ""
