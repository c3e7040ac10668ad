"""The plain mode: questions, words in between, leaving, waiting."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
import trio
import trio.testing

from kotp2p.cli.ui.line_player import SAY_WAITING_AFTER_SECONDS, LinePlayer
from kotp2p.cli.ui.player_state import Departure
from kotp2p.extras import bots
from kotp2p.referee.model.answers import Answer, Reroll, Stop, Yield
from kotp2p.referee.model.decisions import RollDecision, YieldDecision
from kotp2p.seams.commands import Leave
from kotp2p.seams.notices import GameStarted, Gone, SeatView, Waiting
from tests.support.laid_decisions import dice, table
from tests.support.local_game import Orders, Table, at_terminal, new_view, notes, piped, said
from tests.support.quick_advice import advise

ROLLED = "33CHB1"


async def begin(front: LinePlayer, view: SeatView) -> Orders:
    orders = Orders()
    front.attach(orders)
    front.show(GameStarted(view))
    return orders


class Question:
    """A decision that a front works on in the background."""

    def __init__(
        self, front: LinePlayer, view: SeatView, decision: RollDecision | YieldDecision
    ) -> None:
        self.front = front
        self.view = view
        self.decision = decision
        self.answer: Answer | Leave | None = None

    @property
    def is_open(self) -> bool:
        return self.answer is None

    async def ask(self) -> None:
        self.answer = await self.front.decide(self.view, self.decision)


@asynccontextmanager
async def asking(
    front: LinePlayer, view: SeatView, decision: RollDecision | YieldDecision
) -> AsyncIterator[Question]:
    if front.state.view is None:
        await begin(front, view)
    question = Question(front, view, decision)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(question.ask)
        await trio.testing.wait_all_tasks_blocked()
        yield question


async def type_lines(
    front: LinePlayer,
    decision: RollDecision | YieldDecision,
    *lines: str,
    view: SeatView | None = None,
) -> Answer | Leave | None:
    """What comes of typing these; None: it still asks."""
    view = view or table(rolled=ROLLED)
    await begin(front, view)
    question = Question(front, view, decision)
    with trio.move_on_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(question.ask)
            await trio.testing.wait_all_tasks_blocked()
            for line in lines:
                front.read_line(line)
                await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
    return question.answer


def roll(left: int = 2) -> RollDecision:
    return RollDecision(0, dice(ROLLED), left)


async def test_a_line_behind_the_answer_changes_nothing() -> None:
    """Both may come in one breath, before the game has taken the first."""
    front = piped()
    async with asking(front, table(rolled=ROLLED), roll()) as question:
        front.read_line("33")
        front.read_line("c")
        with trio.move_on_after(0) as waited:
            await front.prompts.wait_until_wanted("c")
        assert waited.cancelled_caught
    assert question.answer == Reroll((2, 3, 4, 5))


async def test_a_wrong_line_is_refused_once_and_the_question_comes_again() -> None:
    front = piped()
    assert await type_lines(front, roll(), "33x", "33") == Reroll((2, 3, 4, 5))
    lines = said(front)
    at = lines.index("> 33x")
    assert lines[at + 1] == "x is not a face. Faces are 1 2 3 h e c; d stops, ? shows help."
    assert lines[at + 2] == "Keep which? 0 rolls all, d stops, Enter for advice."
    assert lines[at + 3] == "> 33"


async def test_hints_are_shown_once_for_each_kind_and_by_a_question_mark() -> None:
    front = piped()
    hint = "h is a heart, e is energy, c is a claw. 0 rolls all dice."
    await type_lines(front, roll(), "33")
    await type_lines(front, roll(), "33")
    assert said(front).count(hint) == 1
    await type_lines(front, roll(), "?", "33")
    assert said(front).count(hint) == 2
    assert "quit: leave the game; you are asked first. ?: this help." in said(front)


async def test_stopping_early_is_asked_about() -> None:
    assert await type_lines(piped(), roll(), "d") is None
    assert await type_lines(piped(), roll(), "d", "y") == Stop()
    front = piped()
    assert await type_lines(front, roll(), "d", "33", "", "33") == Reroll((2, 3, 4, 5))
    assert "Type y to do it, or press Enter to go back." in said(front)


async def test_enter_proposes_and_enter_does_it() -> None:
    view = table(rolled=ROLLED)
    advised = advise(view, roll())
    assert await type_lines(piped(), roll(), "", view=view) is None
    assert await type_lines(piped(), roll(), "", "", view=view) == advised
    assert await type_lines(piped(), roll(), "", "33", view=view) == Reroll((2, 3, 4, 5))
    assert await type_lines(piped(), roll(), "", "zz", "", view=view) is None


async def test_words_in_between_do_not_answer() -> None:
    front = piped()
    words = ("state", "state rex", "state nobody", "shop", "card wings", "card", "card wyngs",
             "log", "log 3", "log x", "who", "dice", "?")  # fmt: skip
    assert await type_lines(front, roll(), *words, "33") == Reroll((2, 3, 4, 5))
    lines = said(front)
    assert lines.count("Keep which? 0 rolls all, d stops, Enter for advice.") == 1 + len(words)
    assert any(line.startswith("Rex, The King, outside Tokyo, 10 hearts") for line in lines)
    assert any(line.startswith("Wings, 6 energy, keep: ") for line in lines)
    assert "Nobody here is called nobody; at the table: Ana, Rex and Mia." in lines
    assert any(line.startswith("No card is called wyngs. Did you mean ") for line in lines)
    assert "2 Rex, The King, a bot" in lines


async def test_lines_typed_before_the_question_do_not_answer_it() -> None:
    front = at_terminal()
    view = table(rolled=ROLLED)
    await begin(front, view)
    before = front.state.prompt_number
    async with asking(front, view, roll()) as question:
        front.read_line("d", before)
        front.read_line("y", before)
        assert question.is_open
        front.read_line("d", front.state.prompt_number)
        front.read_line("y", front.state.prompt_number - 1)
        await trio.testing.wait_all_tasks_blocked()
        assert question.is_open
        front.read_line("", front.state.prompt_number)
        front.read_line("33", front.state.prompt_number)
    assert question.answer == Reroll((2, 3, 4, 5))
    assert any("so not used: y" in line for line in said(front))


async def test_what_the_terminal_holds_is_thrown_away_before_each_new_prompt() -> None:
    forgotten: list[int] = []
    front = at_terminal(forget_typed=lambda: forgotten.append(front.state.prompt_number))
    await type_lines(front, roll(), "state", "33x", "d", "y")
    assert forgotten == [0, 1]


async def test_the_bell_rings_once_before_the_question() -> None:
    front = at_terminal()
    await type_lines(front, roll(), "state", "33")
    text = "\n".join(said(front))
    assert text.count("\a") == 1
    assert text.index("\a") < text.index("Your roll 1 of 3")


async def test_leaving_is_asked_about() -> None:
    for word in ("leave", "quit", "EXIT"):
        assert await type_lines(piped(), roll(), word) is None
        assert await type_lines(piped(), roll(), word, "n") is None
        assert await type_lines(piped(), roll(), word, "", "33") == Reroll((2, 3, 4, 5))
        assert await type_lines(piped(), roll(), word, "y") == Leave()


async def test_the_end_of_a_pipe_gives_up_the_monster() -> None:
    front = piped()
    async with asking(front, table(rolled=ROLLED), roll()) as question:
        front.leaving.end_input(terminal=False)
    assert question.answer == Leave()
    assert front.state.departure is Departure.ABANDONED
    assert notes(front) == ["The input has ended: your monster leaves the game."]


async def test_the_end_of_input_at_a_terminal_asks() -> None:
    front = at_terminal()
    orders = await begin(front, table())
    front.leaving.end_input(terminal=True)
    assert not orders.left
    front.read_line("")
    assert said(front)[-1].endswith("You stay in the game.")
    front.leaving.end_input(terminal=True)
    front.leaving.end_input(terminal=True)
    assert orders.given == ["keep"]  # the terminal is gone: that gives up nothing
    assert not orders.left
    assert front.state.departure is Departure.KEPT


@pytest.mark.virtual_time
async def test_what_is_asked_while_the_process_ends_is_not_answered() -> None:
    front = at_terminal()
    view = table(rolled=ROLLED)
    orders = await begin(front, view)
    question = Question(front, view, roll())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(question.ask)
        await trio.testing.wait_all_tasks_blocked()
        front.leaving.keep_seat()
        with trio.move_on_after(10):
            await front.decide(view, roll())
        nursery.cancel_scope.cancel()
    assert question.answer is None
    assert orders.given == ["keep"]
    assert not orders.left


async def test_a_question_that_comes_meanwhile_stands_before_whether_to_leave() -> None:
    front = piped()
    view = table()
    await begin(front, view)
    front.read_line("leave")
    async with asking(front, view, YieldDecision(0, 1)) as question:
        assert said(front)[-1].startswith("Leave the game for good?")
        front.read_line("")
        assert said(front)[-1].startswith("s stays, l leaves")
        front.read_line("l")
    assert question.answer == Yield()


async def test_leave_in_tokyo_leaves_neither_tokyo_nor_the_game_but_says_how() -> None:
    front = piped()
    async with asking(front, table(), YieldDecision(0, 1)) as question:
        front.read_line("leave")
        assert "Type l to leave Tokyo; to leave the game, type quit." in said(front)
        assert not front.state.is_leave_asked
        front.read_line("l")
    assert question.answer == Yield()


async def test_ctrl_c_asks_and_keeps_the_question() -> None:
    front = at_terminal()
    async with asking(front, table(rolled=ROLLED), roll()) as question:
        front.interrupt()
        assert front.state.is_leave_asked
        front.read_line("", front.state.prompt_number)
        front.read_line("33", front.state.prompt_number)
    assert question.answer == Reroll((2, 3, 4, 5))


async def test_a_withdrawn_question_says_so() -> None:
    front = piped()
    assert await type_lines(front, roll()) is None
    assert said(front)[-1] == "That question is withdrawn."
    front.read_line("33")
    assert said(front)[-1] == "Nothing is asked of you now; ? shows what you can type."


async def test_a_sentence_that_nobody_asked_for_hints_at_the_word_that_sends_it() -> None:
    view = table(rolled=ROLLED)
    other = replace(view.players[1], keeper=1, automatic=False)
    view.players = (view.players[0], other, *view.players[2:])
    front = piped()
    await begin(front, view)
    front.read_line("what a roll")
    assert said(front)[-1] == "Nothing is asked of you now. Type say before that: all will read it."
    front.read_line("abc")
    assert said(front)[-1] == "Nothing is asked of you now; ? shows what you can type."


@pytest.mark.virtual_time
async def test_the_players_waited_for_are_named_once_and_only_if_it_takes_long() -> None:
    front = piped()
    await begin(front, table())
    waiting = Waiting((1,), YieldDecision(1, 0))
    sentence = "Waiting for Rex to stay in Tokyo or leave."
    async with trio.open_nursery() as nursery:
        nursery.start_soon(front.watch_time)
        front.show(waiting)
        await trio.sleep(SAY_WAITING_AFTER_SECONDS / 2)
        front.show(Waiting((2,), None))
        await trio.sleep(SAY_WAITING_AFTER_SECONDS / 2)
        assert sentence not in said(front)
        await trio.sleep(SAY_WAITING_AFTER_SECONDS)
        assert said(front)[-1] == (
            "Waiting for Mia: all programs together roll the dice and turn up cards."
        )
        front.show(waiting)
        front.show(waiting)
        await trio.sleep(10 * SAY_WAITING_AFTER_SECONDS)
        assert said(front).count(sentence) == 1
        nursery.cancel_scope.cancel()


async def test_incidents_come_between_and_the_prompt_again() -> None:
    front = at_terminal()
    view = table(rolled=ROLLED)
    view.players = tuple(replace(p, keeper=n) for n, p in enumerate(view.players))
    await begin(front, view)
    async with asking(front, view, roll()):
        front.show(Gone(1))
        assert said(front)[-2:] == [
            "Rex no longer answers. The game waits. A program that still runs comes back by "
            "itself. Otherwise Rex types: kotp2p resume",
            "> ",
        ]
        front.read_line("33", front.state.prompt_number)


async def test_the_bell_rings_once_for_a_decision_not_again_for_its_advice() -> None:
    front = at_terminal()
    view = table(rolled=ROLLED)
    calls: list[str] = []
    front.state.on_called = lambda: calls.append("bell")
    await begin(front, view)
    for _decision in range(2):
        async with asking(front, view, roll()):
            for typed in ("", "33"):
                front.read_line(typed, front.state.prompt_number)
    assert calls == ["bell", "bell"]


async def test_a_bot_in_ones_own_seat_tells_the_story_and_can_be_left() -> None:
    front = piped(bots.make_bot("normal", bytes(32)))
    front.leaving.end_input(terminal=False)
    game = Table(new_view(), front, random.Random(3))
    await game.play()
    assert not game.orders.left
    assert game.decided
    assert any(line.startswith("The game is over") for line in said(front))
