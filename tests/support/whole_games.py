"""What whole tables in memory share: players with habits, and logs that agree."""

from collections.abc import Callable, Iterable

import trio
import trio.testing

from kotp2p.game.verify import Result
from kotp2p.mesh.reachability import GONE_AFTER_UNREACHABLE_SECONDS
from kotp2p.referee.model.answers import Answer
from kotp2p.referee.model.decisions import Decision
from kotp2p.seams.commands import Leave, LeaveTable
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import Cheated, GameStarted, SeatView
from tests.support.memory_tables import Recorder, TestTable


def same_sound_logs(table: TestTable, seats: Iterable[int]) -> None:
    reports = [table.report(n) for n in seats]
    assert [r.result for r in reports] == [Result.SOUND] * len(reports)
    assert len({r.canonical for r in reports}) == 1
    assert len({r.game for r in reports}) == 1
    assert len({r.phrase for r in reports}) == 1


class Leaver(Recorder):
    """Leaves for good at its k-th question."""

    def __init__(self, name: str, at: int) -> None:
        super().__init__(name)
        self.at = at

    async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
        if self.asked + 1 == self.at:
            self.control(LeaveTable())
            await trio.sleep_forever()
        return await super().decide(view, decision)


class Slow(Recorder):
    """Leaves time for things to happen: a second for each answer, or as many as are given."""

    def __init__(self, name: str, seconds: float = 1.0, *, goes_on: bool = False) -> None:
        super().__init__(name, goes_on=goes_on)
        self.seconds = seconds

    async def decide(self, view: SeatView, decision: Decision) -> Answer:
        await trio.sleep(self.seconds)
        return await super().decide(view, decision)  # type: ignore[return-value]


async def broken_off(table: TestTable, victim: int, after: int = 6) -> None:
    """Plays until `victim` has been asked so often; then its process dies, and others close."""

    async def kill() -> None:
        await table.asked(victim, after)
        table.kill(victim)
        await trio.sleep(2 * GONE_AFTER_UNREACHABLE_SECONDS)
        for n in set(range(table.players - table.bots)) - {victim}:
            assert n not in table.endings
            table.kill(n)

    await table.run(kill)


def went_well(table: TestTable, people: int) -> None:
    for n in range(people):
        assert table.endings[n].kind is EndKind.FINISHED, table.endings[n]
        assert not table.front(n).seen(Cheated)
        started = table.front(n).seen(GameStarted)
        assert [x.resumed for x in started] == [False, True]
    same_sound_logs(table, range(people))


async def until(said: Callable[[], object]) -> None:
    while not said():
        await trio.sleep(0.5)
