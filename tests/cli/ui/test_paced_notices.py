"""What jumps to the present, and which notices wait for their turn. The clock is virtual."""

import pytest
import trio
import trio.testing

from kotp2p.cli.system.options import Speed
from kotp2p.cli.ui.shown_game import DAMAGE_SECONDS, MAX_SECONDS_BEHIND, ROLL_SECONDS
from kotp2p.game.steps import ChangedHands
from kotp2p.referee.model.events import TopSeen, TurnStarted
from kotp2p.seams import notices
from kotp2p.seams.commands import Leave
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.wire.lineups import Reason
from tests.support.local_game import piped, said
from tests.support.watched_play import Watcher, hit, roll, watching

pytestmark = pytest.mark.virtual_time

# -- jumping ---------------------------------------------------------------------------------


async def ask_behind(watcher: Watcher, nursery: trio.Nursery) -> None:
    """Ask while what led to the question is being shown."""
    watcher.happens(roll(1), hit(0), TurnStarted(0))
    nursery.start_soon(watcher.ask)
    await trio.testing.wait_all_tasks_blocked()


async def test_an_empty_line_jumps_to_the_present_and_does_nothing_else() -> None:
    async with watching() as (watcher, nursery):
        await ask_behind(watcher, nursery)
        watcher.player.read_line("", watcher.player.prompt_number)
        await trio.testing.wait_all_tasks_blocked()
        assert watcher.times == [0, 0, 0]
        assert watcher.is_asked()
        assert watcher.answer is None
        assert "> " not in said(watcher.player)[:-1], "it is no answer, so it is not repeated"


async def test_an_answer_that_was_typed_before_the_question_is_not_used() -> None:
    async with watching() as (watcher, nursery):
        await ask_behind(watcher, nursery)
        watcher.player.read_line("33", watcher.player.prompt_number)
        assert watcher.player.state.pace.is_behind
        await trio.sleep(20)
        assert watcher.is_asked()
        assert watcher.answer is None


async def test_whoever_is_asked_whether_to_leave_answers_that_by_an_empty_line() -> None:
    async with watching() as (watcher, _):
        watcher.happens(roll(1), hit(0))
        watcher.player.leaving.ask_to_leave()
        watcher.player.read_line("", watcher.player.prompt_number)
        assert said(watcher.player)[-1].endswith("You stay in the game.")
        assert watcher.player.state.pace.is_behind


async def test_speed_tells_and_changes_how_fast_it_goes() -> None:
    async with watching() as (watcher, _):
        player, pace = watcher.player, watcher.player.state.pace
        player.read_line("speed")
        assert said(player)[-1] == (
            "You are shown what happens at the normal speed. To change it, type speed slow, "
            "speed normal, speed fast or speed instant."
        )
        player.read_line("Speed  FAST")
        assert said(player)[-1].startswith("You are shown fast what happens. To change it, type ")
        assert pace.speed is Speed.FAST
        player.read_line("speed warp")
        assert said(player)[-1].startswith("There is no speed warp. To change it, type speed slow,")
        assert pace.speed is Speed.FAST
        player.read_line("speed slow")
        watcher.happens(roll(1), hit(0))
        assert pace.is_behind
        player.read_line("speed instant")
        await trio.testing.wait_all_tasks_blocked()
        assert not pace.is_behind


async def test_a_pipe_is_shown_everything_at_once() -> None:
    player = piped()
    player.read_line("speed slow")
    assert said(player)[-1] == "Without a terminal everything is shown at once."
    assert player.state.pace.speed is Speed.INSTANT


async def test_leaving_never_waits() -> None:
    async with watching() as (watcher, nursery):
        await ask_behind(watcher, nursery)
        watcher.player.leaving.leave_now()
        assert watcher.orders.left
        await trio.sleep(MAX_SECONDS_BEHIND)
        assert isinstance(watcher.answer, Leave)


async def test_a_process_that_ends_never_waits() -> None:
    async with watching() as (watcher, nursery):
        await ask_behind(watcher, nursery)
        assert watcher.player.leaving.keep_seat()
        assert watcher.orders.given == ["keep"]


async def test_a_question_that_is_withdrawn_before_it_was_shown_is_never_asked() -> None:
    async with watching() as (watcher, nursery):
        watcher.happens(roll(1), hit(0), TurnStarted(0))
        with trio.CancelScope() as scope:
            nursery.start_soon(trio.testing.wait_all_tasks_blocked)
            scope.cancel()
            await watcher.ask()
        await trio.sleep(20)
        assert watcher.player.state.prompt_number == 0
        assert not any("withdrawn" in line for line in said(watcher.player))


# -- other notices ---------------------------------------------------------------------------


async def test_chat_of_another_comes_after_what_they_had_before_them() -> None:
    async with watching() as (watcher, _):
        watcher.happens(roll(1), hit(0))
        watcher.front.show(notices.Said("Rex", "take that", False))
        assert not any("take that" in line for line in said(watcher.player))
        await trio.sleep(ROLL_SECONDS + 0.01)
        assert "hit" in said(watcher.player)[-2]
        assert said(watcher.player)[-1] == "Rex says: take that"


async def test_a_line_of_chat_of_ones_own_is_shown_at_once() -> None:
    async with watching() as (watcher, _):
        watcher.happens(roll(1), hit(0))
        watcher.front.show(notices.Said("Ana", "well", True))
        assert said(watcher.player)[-1].endswith("well")
        assert watcher.player.state.pace.is_behind


async def test_chat_is_shown_at_once_where_nothing_waits() -> None:
    async with watching() as (watcher, _):
        watcher.front.show(notices.Said("Rex", "hello", False))
        assert said(watcher.player)[-1] == "Rex says: hello"


async def test_who_is_waited_for_and_links_keep_their_place_in_the_game() -> None:
    async with watching() as (watcher, _):
        watcher.happens(roll(1), hit(0))
        watcher.front.show(notices.Waiting((1,), None))
        watcher.front.show(notices.LinkChanged(2, False))
        assert isinstance(watcher.seen[-1].notice, notices.Happened)
        await trio.sleep(ROLL_SECONDS + 0.01)
        kinds = [type(one.notice) for one in watcher.seen[-3:]]
        assert kinds == [notices.Happened, notices.Waiting, notices.LinkChanged]
        assert watcher.seen[-1].at == watcher.seen[-3].at


async def test_the_peeked_card_is_known_when_it_has_been_shown() -> None:
    async with watching() as (watcher, _):
        watcher.happens(roll(1), TopSeen(0))
        watcher.view.top = 3
        watcher.happens(hit(0))
        watcher.front.show(notices.TopRevealed(3))
        shown = watcher.player.state.view
        assert shown is not None
        assert shown.top is None
        await trio.sleep(20)
        assert shown.top == 3


async def test_a_line_up_ends_the_show_and_goes_on_from_there() -> None:
    async with watching() as (watcher, _):
        before = watcher.view.game.state.copy()
        watcher.happens(roll(1), hit(0), hit(0, 2, dealer=2))
        gone = ChangedHands(1, Reason.CHEATED, (), False)
        watcher.front.show(notices.LineUpBegun((gone,), watcher.view, before))
        assert not watcher.player.state.pace.is_behind
        assert watcher.player.state.view is not None
        assert watcher.player.state.view.game.state == before
        watcher.happens(hit(2))
        assert watcher.player.state.view.game.state.monsters[0].hearts == 10
        assert watcher.player.state.view.game.state.monsters[2].hearts == 9


async def test_the_end_of_the_game_is_played_to_its_end() -> None:
    async with watching() as (watcher, _):
        watcher.happens(roll(1), hit(0), hit(2, dealer=0))
        watcher.front.show(notices.GameFinished((1,), (0, 1, 2), watcher.view))
        began = trio.current_time()
        await watcher.front.show_ending(Ending(EndKind.FINISHED))
        assert trio.current_time() - began == pytest.approx(ROLL_SECONDS + 2 * DAMAGE_SECONDS)
        assert isinstance(watcher.seen[-1].notice, notices.GameFinished)


@pytest.mark.parametrize("kind", [EndKind.LEFT, EndKind.KEPT, EndKind.STOPPED, EndKind.ADJOURNED])
async def test_any_other_end_is_shown_at_once(kind: EndKind) -> None:
    async with watching() as (watcher, _):
        watcher.happens(roll(1), hit(0), hit(2, dealer=0))
        began = trio.current_time()
        await watcher.front.show_ending(Ending(kind))
        assert trio.current_time() == began
        assert not watcher.player.state.pace.is_behind
