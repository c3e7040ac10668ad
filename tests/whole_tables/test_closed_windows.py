"""A window that closes at any moment keeps its seat: in a gather, after the monster is out, in the
lobby; and nobody has left the game."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import trio
import trio.testing

from kotp2p.game.verify import Result
from kotp2p.referee.model.answers import Answer, Stay
from kotp2p.referee.model.decisions import Decision, YieldDecision
from kotp2p.seams.endings import EndKind
from kotp2p.seams.front import Leave
from kotp2p.seams.notices import GameFinished, Happened, LineUpBegun, Notice, SeatView, Waiting
from kotp2p.wire.lineups import Reason
from tests.support.memory_tables import Recorder, TestTable
from tests.support.whole_games import Slow, same_sound_logs


class Closing(Recorder):
    """Closes its window at the first notice of a kind."""

    def __init__(self, name: str, when: Callable[[Notice], bool]) -> None:
        super().__init__(name, "easy")
        self.when = when
        self.closed = False

    def show(self, notice: Notice) -> None:
        super().show(notice)
        if not self.closed and self.when(notice):
            assert self.control is not None
            self.closed = True
            self.control.keep()


class Reckless(Closing):
    """Never leaves Tokyo, and so is out soon."""

    async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
        if isinstance(decision, YieldDecision):
            return Stay()
        return await super().decide(view, decision)


def in_a_gather(notice: Notice) -> bool:
    """The others have not opened their part of a draw yet."""
    return isinstance(notice, Waiting) and notice.decision is None


def asked(notice: Notice) -> bool:
    return isinstance(notice, Waiting) and notice.decision is not None


def out(notice: Notice) -> bool:
    """Its own monster has fallen, and others play on."""
    if not isinstance(notice, Happened):
        return False
    state = notice.view.game.state
    return not state.monsters[notice.view.seat].alive and len(state.seats_alive()) > 1


async def closes_and_comes_back(table: TestTable) -> None:
    front = table.front(0)
    assert isinstance(front, Closing)

    async def resume() -> None:
        while 0 not in table.endings:
            await trio.sleep(0.05)
        if not front.closed:
            return
        assert table.endings[0].kind is EndKind.KEPT
        assert table.report(0).result is Result.UNFINISHED
        await trio.sleep(2)
        await table.resume(0)

    await table.run(resume)


@pytest.mark.parametrize("when", [in_a_gather, asked])
async def test_a_host_that_closes_while_others_owe_something_goes_on(
    when: Callable[[Notice], bool], autojump_clock: trio.testing.MockClock
) -> None:
    table = TestTable(players=4, bots=1)
    table.fronts[0] = Closing("closing", when)
    await closes_and_comes_back(table)
    for n in range(3):
        assert table.endings[n].kind is EndKind.FINISHED
        begun = table.front(n).seen(LineUpBegun)
        reasons = {c.reason for notice in begun for c in notice.changes}
        assert reasons <= {Reason.AGAIN}
    same_sound_logs(table, range(3))


async def test_a_host_whose_monster_is_out_closes_and_watches_the_end(
    autojump_clock: trio.testing.MockClock,
) -> None:
    for seed in "cilabdefgh":
        table = TestTable(players=4, rules="classic", seed=seed)
        for n in range(1, 4):
            table.fronts[n] = Slow(f"{seed}{n}")  # the game is not over before he is back
        table.fronts[0] = front = Reckless(seed, out)
        await closes_and_comes_back(table)
        if front.closed and table.endings[0].kind is EndKind.FINISHED:
            same_sound_logs(table, range(4))
            assert front.seen(GameFinished)
            return
    raise AssertionError("in none of these games the host is out before the end")


async def test_in_the_lobby_a_closed_window_gives_the_seat_back(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=3, start_when_full=False)

    async def close() -> None:
        await trio.sleep(1)
        for n in (1, 0):
            control = table.front(n).control
            assert control is not None
            control.keep()
            while n not in table.endings:
                await trio.sleep(0.05)

    await table.run(close)
    assert [table.endings[n].kind for n in range(3)] == [
        EndKind.LEFT, EndKind.LEFT, EndKind.CLOSED,
    ]  # fmt: skip
