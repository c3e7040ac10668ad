"""A first game: the page before it, three coached turns, and the words that end them."""

from collections.abc import Sequence

import trio
import trio.testing

from kotp2p.cli.system.options import Speed
from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.cli.ui.notice_feed import Audience
from kotp2p.cli.ui.plain import seat_plain_player
from kotp2p.cli.ui.player_commands import COACHED_TURNS, Coaching
from kotp2p.cli.ui.player_state import Departure
from kotp2p.cli.ui.screen.controls import seat_screen_player
from kotp2p.referee.box.rulesets import SECOND
from kotp2p.referee.model.decisions import Decision, RollDecision, YieldDecision
from kotp2p.seams.notices import GameFinished, GameStarted, Happened, SeatView
from tests.support.laid_decisions import ask, dice, table
from tests.support.local_game import Orders, at_terminal, said
from tests.support.quick_advice import advise
from tests.support.screen_terminal import ENTER, ESC, F1, Terminal, on_screen

ROLL = RollDecision(0, dice("33CHB1"), 2)
TAUGHT = Audience(solo=True, lesson=SECOND)
PAGE = "The aim: 20 points"
COACH = "Coach: "


def speak(coaching: Coaching, view: SeatView, decision: Decision = ROLL) -> str:
    return coaching.speak(ask(view, decision, advise))


def own_turns(view: SeatView, count: int) -> Sequence[int]:
    return range(view.game.state.turn, view.game.state.turn + count * 3, 3)


def test_three_turns_are_coached_and_then_the_coach_says_goodbye() -> None:
    coaching, view = Coaching(is_on=True), table(rolled="33CHB1")
    for n, turn in enumerate(own_turns(view, COACHED_TURNS)):
        view.game.state.turn = turn
        first = speak(coaching, view)
        assert first.startswith(COACH)
        assert ("After this turn I am silent." in first) is (n == COACHED_TURNS - 1)
        again = speak(coaching, view)
        assert "After this turn" not in again
        assert not coaching.is_over, n
    view.game.state.turn += 3
    assert speak(coaching, view) == ""
    assert coaching.is_over


def test_turns_from_before_a_restart_are_not_coached_again() -> None:
    coaching, view = Coaching(is_on=True), table(rolled="33CHB1")
    *before, last, beyond = own_turns(view, COACHED_TURNS + 1)
    for turn in before:
        view.game.state.turn = turn
        coaching.note_past(Happened((), view))
    view.game.state.turn = last
    assert "After this turn I am silent." in speak(coaching, view)
    view.game.state.turn = beyond
    coaching.note_past(Happened((), view))
    assert speak(coaching, view) == ""
    assert coaching.is_over


def test_a_question_in_the_turn_of_another_is_coached_too() -> None:
    coaching, view = Coaching(is_on=True), table(rolled="33CHB1")
    speak(coaching, view)
    view.game.state.turn, view.game.state.active = 2, 1
    view.game.state.monsters[0].hearts = 9
    assert speak(coaching, view, YieldDecision(0, 1)).startswith(COACH)


def test_off_silences_the_coach_and_the_word_alone_brings_it_back() -> None:
    coaching, view = Coaching(is_on=True), table(rolled="33CHB1")
    assert speak(coaching, view)
    silent = ["The coach is silent. To have the coach back, type coach."]
    assert coaching.read_line("Coach OFF") == silent
    assert speak(coaching, view) == ""
    assert coaching.is_over
    assert coaching.read_line("coach") == ["The coach explains your next three turns."]
    assert speak(coaching, view).startswith(COACH)


def test_without_a_lesson_nobody_speaks_until_asked() -> None:
    coaching, view = Coaching(), table(rolled="33CHB1")
    assert speak(coaching, view) == ""
    coaching.note_game_over()
    assert not coaching.is_over


async def first_game(player: LinePlayer, view: SeatView, *lines: str) -> bool:
    """The page, then one question of the game; each line is typed at what stands there then."""
    read: list[bool] = []

    async def play() -> None:
        read.append(await player.read_first_page())
        if read[0]:
            player.attach(Orders())
            player.show(GameStarted(view))
            await player.decide(view, ROLL)

    with trio.move_on_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play)
            for line in lines:
                await trio.testing.wait_all_tasks_blocked()
                player.read_line(line, player.prompt_number)
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
    return bool(read and read[0])


def taught(audience: Audience = TAUGHT) -> LinePlayer:
    player = at_terminal()
    assert player.state.feed.audience.lesson is None
    return seat_plain_player(player.display.output, advise, audience=audience)  # type: ignore[attr-defined]


async def test_line_by_line_the_page_waits_for_enter_and_answers_about_the_rules() -> None:
    player = taught()
    assert await first_game(player, table(rolled="33CHB1"), "rules tokyo", "hello", "")
    lines = said(player)
    assert lines[0].startswith(PAGE)
    text = "\n".join(lines)
    assert text.count("Press Enter: the game begins.") == 1
    assert text.count("Nothing has begun yet: Enter begins the game, ? shows help.") == 1
    assert "1 point for entering" in text
    where = next(n for n, line in enumerate(lines) if line.startswith(COACH))
    assert lines[where + 1].startswith("Keep which?")


async def test_the_page_says_how_a_slow_game_is_made_faster() -> None:
    slow, normal = taught(), taught()
    slow.state.pace.begin_lesson()
    normal.state.pace.choose_speed(Speed.NORMAL)
    for player in (slow, normal):
        assert await first_game(player, table(rolled="33CHB1"), "speed normal", "")
        assert player.state.pace.speed is Speed.NORMAL
    assert any("slowly; speed normal changes that" in line for line in said(slow))
    assert not any("slowly" in line for line in said(normal))


async def test_one_may_leave_before_the_game() -> None:
    player = taught()
    assert not await first_game(player, table(rolled="33CHB1"), "leave")
    assert player.state.departure is Departure.LEFT
    other = taught()
    other.state.open_page()
    other.interrupt()
    assert other.state.has_left
    assert not other.state.is_reading


async def test_a_pipe_gets_the_page_without_a_pause() -> None:
    player = taught(Audience(solo=True, can_type=False, lesson=SECOND))
    assert await first_game(player, table(rolled="33CHB1"))
    assert said(player)[0].startswith(PAGE)
    assert any(line.startswith(COACH) for line in said(player))


def test_a_game_that_ends_early_was_coached() -> None:
    player = taught()
    view = table(rolled="33CHB1")
    player.show(GameStarted(view))
    speak(player.coaching, view)
    player.show(GameFinished((0,), (0,), view))
    assert player.coaching.is_over


def test_on_the_screen_the_page_lies_there_and_the_coach_stands_above_the_question() -> None:
    seated = seat_screen_player(advise, audience=TAUGHT, unread_seconds=0)
    seated.player.state.pace.begin_lesson()
    view = table(rolled="33CHB1")

    async def play() -> None:
        assert await seated.player.read_first_page()
        seated.player.attach(Orders())
        seated.player.show(GameStarted(view))
        await seated.player.decide(view, ROLL)

    async def script(t: Terminal) -> None:
        rows = await t.see(
            "Before your first game", PAGE, "A coach explains", "speed normal changes"
        )
        assert rows[1].startswith("-- Before your first game")
        assert rows[17].strip()  # all rows of the page are used, and none is cut off
        assert rows[18].startswith("-- Before your first game")
        assert rows[21] == " Press Enter: the game begins."
        t.press(F1)
        await t.see("-- Help")
        t.press(ESC)
        await t.see(PAGE)
        t.press("xyzzy" + ENTER)
        await t.see(PAGE, "Nothing has begun yet")
        t.press(ENTER)
        rows = await t.see("Keep which?", COACH)
        title = next(n for n, row in enumerate(rows) if "YOUR TURN" in row and row[:2] == "--")
        assert title == 18
        assert any(COACH in row for row in rows[13:18])
        t.press("coach off" + ENTER)
        await t.gone(COACH)
        await t.see("Keep which?")

    on_screen(seated, play, script)
