"""Stopping for today: all agree, and the game goes on from its files later."""

from __future__ import annotations

import trio
import trio.testing

from kotp2p.absence_notices import AdjournWanted
from kotp2p.endings import EndKind
from kotp2p.front import Leave
from kotp2p.game.verify import Result
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
