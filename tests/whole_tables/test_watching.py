"""Watchers of whole games: they see what happens and no secret, and cost the players nothing."""

from dataclasses import dataclass

import pytest
import trio

from kotp2p.extras.shell.watch import NEXT_GAME_SECONDS, WatchWish, watch_next
from kotp2p.game.verify import Result, verify_log
from kotp2p.referee.model.answers import Answer
from kotp2p.referee.model.decisions import Decision
from kotp2p.referee.model.events import TurnStarted
from kotp2p.seams import notices
from kotp2p.seams.commands import Leave, LeaveTable, Say, WatchOffer
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.shell.find_host import TableAddress
from tests.support.evenings import Evening, finished
from tests.support.memory_tables import HOST, PORT, Recorder, TestTable
from tests.support.onlookers import KEPT_LOG, BareWatcher, Onlooker, Thinking, Watching, until

pytestmark = pytest.mark.virtual_time

EIGHT = WatchOffer(8)


def table_for(offer: WatchOffer, players: int = 2, bots: int = 0) -> TestTable:
    fronts: dict[int, Recorder] = {n: Thinking(f"player {n}", 2) for n in range(players - bots)}
    return TestTable(players=players, bots=bots, watch=offer, fronts=fronts)


def turns_seen(front: Recorder | Onlooker) -> int:
    return sum(isinstance(e, TurnStarted) for n in front.seen(notices.Happened) for e in n.events)


async def test_a_watcher_sees_the_whole_game_and_keeps_the_log_of_its_source() -> None:
    table = table_for(EIGHT, 3, 1)
    watching = Watching(table.net, from_start=True)

    async def come() -> None:
        await trio.sleep(0.5)  # the lobby is open
        await watching.run()

    await table.run(come)
    ending = watching.ending
    assert ending is not None
    assert ending.kind is EndKind.FINISHED
    assert ending.winners == table.endings[0].winners
    assert (ending.log, ending.turns) == (KEPT_LOG, table.endings[0].turns)
    own = table.world_of(0).disk.read(table.log_path(0))
    assert watching.log() == own
    assert verify_log(watching.log()).result is Result.SOUND
    shown = [event for n in watching.front.seen(notices.Happened) for event in n.events]
    assert shown == [event for n in table.front(0).seen(notices.Happened) for event in n.events]
    (started,) = watching.front.seen(notices.GameStarted)
    assert not started.resumed
    assert (started.view.seat, started.view.top) == (notices.WATCHER, None)
    assert len(watching.front.seen(notices.GameFinished)) == 1


async def test_a_watcher_whose_link_breaks_is_soon_back_and_misses_nothing() -> None:
    table = table_for(EIGHT)
    watching = Watching(table.net)

    async def come() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watching.run)
            await until(lambda: turns_seen(watching.front) > 2)
            table.break_links(watching.address)
            await until(lambda: watching.ending is not None)

    await table.run(come)
    assert watching.ending is not None
    assert watching.ending.kind is EndKind.FINISHED
    assert watching.log() == table.world_of(0).disk.read(table.log_path(0))


@pytest.mark.parametrize("has_chat", [True, False])
async def test_watchers_hear_players_where_they_may_and_are_heard_nowhere(has_chat: bool) -> None:
    table = table_for(WatchOffer(2, has_chat=has_chat), 3)
    watching = Watching(table.net)

    async def come() -> None:
        await until(lambda: turns_seen(table.front(0)) >= 2)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watching.run)
            await until(lambda: bool(watching.front.seen(notices.GameStarted)))
            watching.front.control(Say("well rolled"))
            table.front(1).control(Say("thanks"))

    await table.run(come)
    said = [(s.name, s.text, s.yours) for s in watching.front.seen(notices.Said)]
    assert said == ([("Guest 1", "thanks", False)] if has_chat else [])
    assert watching.front.seen(notices.RemarkRefused) == [notices.RemarkRefused()]
    for n in range(3):
        assert [s.text for s in table.front(n).seen(notices.Said)] == ["thanks"]


async def timed_game(watchers: int) -> list[float]:
    """When the host was shown what has happened, with so many watchers from the third turn on."""
    times: list[float] = []

    class Timed(Thinking):
        def show(self, notice: notices.Notice) -> None:
            super().show(notice)
            if isinstance(notice, notices.Happened):
                times.append(trio.current_time())

    table = table_for(WatchOffer(100))
    table.fronts[0] = Timed("player 0", 2)
    bare = [BareWatcher(table.net, n, reads=n % 10 > 0) for n in range(watchers)]

    async def come() -> None:
        await until(lambda: turns_seen(table.front(0)) >= 3)
        async with trio.open_nursery() as nursery:
            for one in bare:
                nursery.start_soon(one.run)
                await trio.sleep(0.15)  # a table begins ten handshakes a second

    await table.run(come)
    assert table.endings[0].kind is EndKind.FINISHED
    reading = [one for one in bare if one.reads]
    own = table.world_of(0).disk.read(table.log_path(0))
    assert own is not None
    assert {one.read for one in reading} <= {len(own)}
    return times


async def test_a_hundred_watchers_delay_no_roll() -> None:
    alone = await timed_game(0)
    start = trio.current_time()
    watched = await timed_game(100)
    assert len(alone) > 20
    assert [round(at - start, 6) for at in watched] == [round(at, 6) for at in alone]


# -- watching on -----------------------------------------------------------------------------------

# What becomes of a watcher when the game is over, or when its source goes.


@dataclass
class NextGame(Watching):
    async def run(self) -> None:
        wish = WatchWish()
        table = TableAddress((HOST,), PORT)
        self.ending = await watch_next(self.world, wish, table, self.front)


async def test_a_watcher_sees_the_next_game_whoever_opens_its_table() -> None:
    evening: Evening = await finished(TestTable(players=3, watch=EIGHT))
    fronts = {n: Thinking(f"again {n}", 2) for n in range(3)}
    evening.fronts.update(fronts)
    watcher = NextGame(evening.table.net)
    await evening.gather({n: 5 if n == 1 else 25 + n for n in range(3)}, watcher.run)
    evening.check_one_game(0, 1, 2)
    kinds = [type(notice) for notice in watcher.front.notices]
    assert kinds[0] is notices.NextGameAwaited
    assert kinds.index(notices.WatchAdmitted) < kinds.index(notices.GameStarted)
    (admitted,) = watcher.front.seen(notices.WatchAdmitted)
    assert not admitted.has_begun  # the lobby is watched, and the game from its start
    assert watcher.ending is not None
    assert watcher.ending.kind is EndKind.FINISHED
    assert watcher.ending.winners == evening.endings[0].winners


async def test_a_watcher_is_told_at_once_that_the_next_table_takes_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    endings = [Ending(EndKind.CLOSED), Ending(EndKind.NO_WATCHERS), Ending(EndKind.FINISHED)]

    async def watch(*_: object) -> Ending:
        await trio.lowlevel.checkpoint()
        return endings.pop(0)

    monkeypatch.setattr("kotp2p.extras.shell.watch.watch", watch)
    watcher = NextGame(TestTable().net)
    await watcher.run()
    assert watcher.ending == Ending(EndKind.NO_WATCHERS)


async def test_a_watcher_is_told_that_there_is_no_next_game() -> None:
    evening = await finished(TestTable(players=2, watch=EIGHT))
    watcher, began = NextGame(evening.table.net), trio.current_time()
    evening.table.free(0)
    await watcher.run()
    assert watcher.ending == Ending(EndKind.NO_NEXT_GAME)
    assert 0 <= trio.current_time() - began - NEXT_GAME_SECONDS < 15
    assert [type(notice) for notice in watcher.front.notices] == [notices.NextGameAwaited]


async def test_the_waiting_for_the_next_game_can_be_ended() -> None:
    evening = await finished(TestTable(players=2, watch=EIGHT))
    evening.table.free(0)
    watcher = NextGame(evening.table.net)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watcher.run)
        await trio.sleep(10)
        watcher.front.control(Say("is anybody there?"))  # nobody is
        await trio.sleep(10)
        assert watcher.ending is None
        watcher.front.control(LeaveTable())
    assert watcher.ending == Ending(EndKind.LEFT)


class Leaves(Thinking):
    wants_to = False

    async def decide(self, view: notices.SeatView, decision: Decision) -> Answer | Leave:
        answer = await super().decide(view, decision)
        return Leave() if self.wants_to else answer


async def test_a_watcher_is_told_at_once_that_its_source_has_left_the_game() -> None:
    leaver = Leaves("host", 2)
    fronts: dict[int, Recorder] = {0: leaver, 1: Thinking("b", 2), 2: Thinking("c", 2)}
    table = TestTable(players=3, watch=EIGHT, fronts=fronts)
    watcher = Watching(table.net)

    async def come() -> None:
        await until(lambda: bool(table.front(0).seen(notices.GameStarted)))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watcher.run)
            await until(lambda: bool(watcher.front.seen(notices.GameStarted)))
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
