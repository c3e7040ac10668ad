"""A person is shown at a pace what the peer shows at once. The clock is virtual."""

import random

import pytest
import trio
import trio.testing

from kotp2p.cli.system.options import Speed
from kotp2p.cli.ui import shown_game
from kotp2p.extras import bots
from kotp2p.referee.model.answers import Stop
from kotp2p.referee.model.events import EnergyGained, PointsGained, TurnEnded, TurnStarted
from kotp2p.referee.model.state import Cause
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import Happened, Offer, OfferEnded, OwnClock, SeatView
from tests.support.laid_decisions import dice
from tests.support.local_game import Table, at_terminal, new_view, said
from tests.support.watched_play import ROLLED, Watcher, hit, roll, watching

pytestmark = pytest.mark.virtual_time

# -- dwell times ---------------------------------------------------------------------------


async def test_each_event_stands_for_its_time() -> None:
    async with watching() as (watcher, _):
        watcher.happens(TurnStarted(1), roll(1), hit(0), TurnEnded(1), TurnStarted(2))
        await trio.sleep(20)
    turn, rolled = shown_game.TURN_SECONDS, shown_game.ROLL_SECONDS
    damage = shown_game.DAMAGE_SECONDS
    assert watcher.times == pytest.approx([0, turn, turn + rolled, turn + rolled + damage])


async def test_the_drawing_lags_and_the_peer_is_not_kept_waiting() -> None:
    async with watching() as (watcher, _):
        before = trio.current_time()
        for _turn in range(3):
            watcher.happens(TurnStarted(1), roll(1), hit(0))
        assert trio.current_time() == before
        assert watcher.player.state.view is not None
        assert watcher.view.game.state.monsters[0].hearts == 7
        assert watcher.player.state.view.game.state.monsters[0].hearts == 10


async def test_each_position_that_is_shown_is_one_that_the_game_has_had() -> None:
    async with watching() as (watcher, _):
        watcher.happens(TurnStarted(1), roll(1), hit(0), hit(2), PointsGained(1, 2, Cause.DICE))
        await trio.sleep(20)
    events = [one for one in watcher.seen if isinstance(one.notice, Happened)]
    hearts = [[m.hearts for m in one.state.monsters] for one in events]
    assert hearts == [[10, 10, 10], [10, 10, 10], [9, 10, 9]]
    assert [one.state.dice for one in events] == [[], list(dice(ROLLED)), list(dice(ROLLED))]


async def test_one_blow_is_shown_in_one_go() -> None:
    async with watching() as (watcher, _):
        watcher.happens(hit(0), hit(2), hit(0, dealer=2))
        await trio.sleep(20)
    assert watcher.times == pytest.approx([0, shown_game.DAMAGE_SECONDS])


async def test_what_ones_own_last_roll_showed_is_seen_before_the_next_thing_happens() -> None:
    async with watching() as (watcher, _):
        watcher.happens(roll(0))
        watcher.happens(EnergyGained(0, 1, Cause.DICE), TurnEnded(0), TurnStarted(1))
        await trio.sleep(20)
    assert watcher.times[-1] == pytest.approx(shown_game.OWN_ROLL_SECONDS)


async def test_an_answer_is_followed_at_once_by_what_it_does() -> None:
    async with watching() as (watcher, nursery):
        watcher.happens(roll(0))
        nursery.start_soon(watcher.ask)
        await trio.testing.wait_all_tasks_blocked()
        watcher.player.read_line("33")
        await trio.testing.wait_all_tasks_blocked()
        watcher.happens(roll(0))
        assert watcher.times == [0, 0]


# -- questions, clocks and offers -----------------------------------------------------------


async def test_a_question_is_asked_as_soon_as_what_led_to_it_has_been_shown() -> None:
    async with watching() as (watcher, nursery):
        began = trio.current_time()
        watcher.happens(roll(1), hit(0), TurnEnded(1), TurnStarted(0))
        nursery.start_soon(watcher.ask)
        await trio.sleep(shown_game.ROLL_SECONDS + shown_game.DAMAGE_SECONDS - 0.01)
        assert not watcher.is_asked()
        await trio.sleep(0.02)
        assert watcher.is_asked()
        assert watcher.player.state.view is not None
        assert watcher.player.state.view.game.state == watcher.view.game.state
        assert (
            trio.current_time() - began
            < shown_game.ROLL_SECONDS + shown_game.DAMAGE_SECONDS + shown_game.TURN_SECONDS
        )


@pytest.mark.parametrize("told_first", [True, False])
async def test_the_clock_may_be_told_before_the_question_or_behind_it(told_first: bool) -> None:
    async with watching() as (watcher, nursery):
        for _turn in range(5):
            watcher.happens(TurnStarted(1), roll(1), hit(0))
        if told_first:
            watcher.front.show(OwnClock(30.0, 120))
        nursery.start_soon(watcher.ask)
        await trio.sleep(1)
        if not told_first:
            watcher.front.show(OwnClock(30.0, 120))
        await trio.sleep(1.01)
        assert watcher.is_asked()


async def test_an_offer_of_ones_own_is_told_at_once_and_leaves_two_seconds() -> None:
    async with watching() as (watcher, _):
        for _turn in range(5):
            watcher.happens(TurnStarted(1), roll(1), hit(0))
        began = trio.current_time()
        watcher.front.show(Offer((1,), can_go_on=True, yours=True))
        assert isinstance(watcher.seen[-1].notice, Offer)
        await trio.sleep(shown_game.MAX_SECONDS_OF_OWN_CLOCK + 0.01)
        assert not watcher.player.state.pace.is_behind
        last = watcher.seen[-1].at - began
        assert 1 < last <= shown_game.MAX_SECONDS_OF_OWN_CLOCK
        watcher.front.show(OfferEnded((1,)))
        watcher.happens(TurnStarted(1), roll(1))
        assert watcher.player.state.pace.is_behind


# -- whole games -----------------------------------------------------------------------------


async def play_game(view: SeatView, speed: Speed, seed: int) -> Watcher:
    player = at_terminal(bots.make_bot("normal", b"0" * 32))
    watcher = Watcher(speed, player)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watcher.front.run)
        await Table(view, watcher.front, random.Random(seed)).play()
        await watcher.front.show_ending(Ending(EndKind.FINISHED))
        nursery.cancel_scope.cancel()
    return watcher


@pytest.mark.parametrize("seed", range(3))
async def test_a_game_that_is_shown_at_a_pace_is_told_in_the_same_words(seed: int) -> None:
    paced = await play_game(new_view(4), Speed.NORMAL, seed)
    at_once = await play_game(new_view(4), Speed.INSTANT, seed)
    assert said(paced.player) == said(at_once.player)
    assert len(paced.seen) > len(at_once.seen)


async def test_whoever_is_asked_sees_the_game_as_it_stands() -> None:
    view = new_view(3)
    watcher = Watcher()
    met: list[int] = []

    async def answer() -> None:
        while True:
            await trio.sleep(0.5)
            asking = watcher.player.state.asking
            if asking is not None:
                shown = watcher.player.state.view
                assert shown is not None
                assert shown.game.state == view.game.state
                assert shown.game.pending == view.game.pending
                assert shown.top == view.top
                met.append(view.game.state.turn)
                watcher.player.read_line("d" if isinstance(asking.answer, Stop) else "")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(watcher.front.run)
        nursery.start_soon(answer)
        await Table(view, watcher.front, random.Random(5)).play()
        nursery.cancel_scope.cancel()
    assert len(met) > 10
