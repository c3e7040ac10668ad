"""What becomes of a watcher when the game is over, or when its source goes."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
import trio
import trio.testing

from kotp2p.referee.model.answers import Answer
from kotp2p.referee.model.decisions import Decision
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.front import Leave, WatchOffer
from kotp2p.seams.notices import GameStarted, NextGameAwaited, SeatView, WatchAdmitted
from kotp2p.shell.find_host import TableAddress
from kotp2p.shell.watch import NEXT_GAME_SECONDS, WatchWish, watch_next
from tests.support.evenings import Evening, finished
from tests.support.memory_tables import HOST, PORT, Recorder, TestTable
from tests.support.onlookers import Onlooker, Thinking, Watching, until

EIGHT = WatchOffer(8)


@dataclass
class NextGame(Watching):
    """The same watcher, who waits for the next game."""

    async def run(self) -> None:
        wish = WatchWish()
        table = TableAddress((HOST,), PORT)
        self.ending = await watch_next(self.world, wish, table, self.front)


@pytest.mark.parametrize("first", [0, 1])
async def test_a_watcher_sees_the_next_game_whoever_opens_its_table(
    first: int, autojump_clock: trio.testing.MockClock
) -> None:
    evening: Evening = await finished(TestTable(players=3, watch=EIGHT))
    fronts = {n: Thinking(f"again {n}", 2) for n in range(3)}
    evening.fronts.update(fronts)
    watcher = NextGame(evening.table.net)
    await evening.gather({n: 5 if n == first else 25 + n for n in range(3)}, watcher.run)
    evening.check_one_game(0, 1, 2)
    kinds = [type(notice) for notice in watcher.front.notices]
    assert kinds[0] is NextGameAwaited
    assert kinds.index(WatchAdmitted) < kinds.index(GameStarted)
    (admitted,) = watcher.front.seen(WatchAdmitted)
    assert not admitted.has_begun  # the lobby is watched, and the game from its start
    assert watcher.ending is not None
    assert watcher.ending.kind is EndKind.FINISHED
    assert watcher.ending.winners == evening.endings[0].winners


async def test_a_watcher_is_told_that_there_is_no_next_game(
    autojump_clock: trio.testing.MockClock,
) -> None:
    evening = await finished(TestTable(players=2, watch=EIGHT))
    watcher, began = NextGame(evening.table.net), trio.current_time()
    evening.table.free(0)
    await watcher.run()
    assert watcher.ending == Ending(EndKind.NO_NEXT_GAME)
    assert 0 <= trio.current_time() - began - NEXT_GAME_SECONDS < 15
    assert [type(notice) for notice in watcher.front.notices] == [NextGameAwaited]


async def test_the_waiting_for_the_next_game_can_be_ended(
    autojump_clock: trio.testing.MockClock,
) -> None:
    evening = await finished(TestTable(players=2, watch=EIGHT))
    evening.table.free(0)
    watcher = NextGame(evening.table.net)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watcher.run)
        await trio.sleep(10)
        assert watcher.front.control is not None
        watcher.front.control.say("is anybody there?")  # nobody is
        await trio.sleep(10)
        assert watcher.ending is None
        watcher.front.control.leave()
    assert watcher.ending == Ending(EndKind.LEFT)


class Leaves(Thinking):
    """Leaves the game for good once it is said so."""

    wants_to = False

    async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
        answer = await super().decide(view, decision)
        return Leave() if self.wants_to else answer


async def test_a_watcher_is_told_at_once_that_its_source_has_left_the_game(
    autojump_clock: trio.testing.MockClock,
) -> None:
    leaver = Leaves("host", 2)
    fronts: dict[int, Recorder] = {0: leaver, 1: Thinking("b", 2), 2: Thinking("c", 2)}
    table = TestTable(players=3, watch=EIGHT, fronts=fronts)
    watcher = Watching(table.net)

    async def come() -> None:
        await until(lambda: bool(table.front(0).seen(GameStarted)))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watcher.run)
            await until(lambda: bool(watcher.front.seen(GameStarted)))
            leaver.wants_to = True
            await until(lambda: 0 in table.endings)
            left_at = trio.current_time()
            await until(lambda: watcher.ending is not None)
            assert trio.current_time() - left_at < 10

    await table.run(come)
    assert table.endings[0].kind is EndKind.LEFT
    assert table.endings[1].kind is EndKind.FINISHED  # the others have played on
    assert watcher.ending is not None
    assert (watcher.ending.kind, watcher.ending.detail) == (EndKind.SOURCE_LEFT, "Ana")
    assert isinstance(watcher.front, Onlooker)
