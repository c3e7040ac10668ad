"""Stopping for today: all agree, and the game goes on from its files later."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from kotp2p.absence_notices import AdjournWanted, Dropped
from kotp2p.endings import EndKind
from kotp2p.front import Leave
from kotp2p.game.report import Result
from kotp2p.seat_view import SeatView
from referee.model.answers import Answer
from referee.model.decisions import Decision
from tests.support.memory_tables import Recorder, TestTable
from tests.support.whole_games import same_sound_logs, until


async def test_all_may_adjourn_and_go_on_later(autojump_clock: trio.testing.MockClock) -> None:
    table = TestTable(players=4, bots=1)

    async def adjourn() -> None:
        await until(lambda: table.front(1).asked >= 4)
        for n in range(3):
            assert n not in table.endings
            control = table.front(n).control
            assert control is not None
            control.adjourn(wanted=True)
            await trio.sleep(0.05)

    class Patient(Recorder):
        """Leaves time to say so."""

        async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
            await trio.sleep(5)
            return await super().decide(view, decision)

    for n in range(3):
        table.fronts[n] = Patient(f"patient {n}")
    await table.run(adjourn)
    for n in range(3):
        assert table.endings[n].kind is EndKind.ADJOURNED
        wanted = table.front(n).seen(AdjournWanted)
        players = table.report(n).players
        people = [s for s, p in enumerate(players) if not p.bot]
        assert [x.seat for x in wanted] == people
        assert wanted[-1].missing == ()
        report = table.report(n)
        assert (report.result, report.reason) == (Result.UNFINISHED, "adjourned")
    async with trio.open_nursery() as nursery:
        for n in range(3):
            nursery.start_soon(table.resume, n)
    same_sound_logs(table, range(3))


class Thinker(Recorder):
    """Leaves time for things to happen, and thinks for very long once."""

    def __init__(self, name: str, long_at: int = 0) -> None:
        super().__init__(name, votes=True)
        self.long_at = long_at

    async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
        await trio.sleep(400 if self.asked + 1 == self.long_at else 5)
        return await super().decide(view, decision)


MIA = "10.0.0.3"


def thinkers() -> TestTable:
    table = TestTable(players=3, seed="b")
    table.fronts = {0: Thinker("ana"), 1: Thinker("rex"), 2: Thinker("mia", long_at=3)}
    return table


async def adjourn_without(table: TestTable, *, is_mia_reached: bool) -> None:
    """Mia thinks too long, and is voted out; her program stays open. Then the others stop for
    today."""
    await until(lambda: table.front(0).seen(Dropped))
    await trio.sleep(30)
    assert not table.endings
    if not is_mia_reached:
        table.net.undialable.add(MIA)
        table.net.deaf.add(MIA)
        table.break_links(MIA)
        await trio.sleep(5)
    for n in range(2):
        control = table.front(n).control
        assert control is not None
        control.adjourn(wanted=True)
        await trio.sleep(0.05)
    await until(lambda: 0 in table.endings and 1 in table.endings)
    assert [table.endings[n].kind for n in range(2)] == [EndKind.ADJOURNED] * 2


async def test_whoever_was_voted_out_gets_the_break_of_the_others(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = thinkers()
    await table.run(lambda: adjourn_without(table, is_mia_reached=True))
    assert table.endings[2].kind is EndKind.ADJOURNED
    assert len({table.report(n).canonical for n in range(3)}) == 1


@pytest.mark.parametrize("is_mia_reached", [True, False])
async def test_words_of_adjourning_end_with_their_session(
    is_mia_reached: bool, autojump_clock: trio.testing.MockClock
) -> None:
    """Mia's program may have missed the break, and tells the others what they wanted before."""
    table = thinkers()

    async def go_on() -> None:
        await adjourn_without(table, is_mia_reached=is_mia_reached)
        table.net.undialable.clear()
        table.net.deaf.clear()
        for n in range(2):
            table.front(n).notices.clear()
        async with trio.open_nursery() as nursery:
            for n in range(2):
                nursery.start_soon(table.resume, n)
            await trio.sleep(40)
            for n in range(2):
                assert not table.front(n).seen(AdjournWanted)
            control = table.front(0).control
            assert control is not None
            control.adjourn(wanted=True)
            await trio.sleep(60)
            wanted = table.front(1).seen(AdjournWanted)
            assert [(x.seat, x.wanted, x.missing) for x in wanted] == [(0, True, (1,))]
            assert not {0, 1} & set(table.endings)
            nursery.cancel_scope.cancel()
        table.scopes[2].cancel()

    await table.run(go_on)
