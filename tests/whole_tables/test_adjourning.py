"""Stopping for today: all that are there agree, and the game goes on from its files later."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from kotp2p.game.verify import Result
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import LineUpBegun, StopWanted
from kotp2p.wire.lineups import Reason
from tests.support.memory_tables import TestTable
from tests.support.whole_games import Slow, same_sound_logs, until


async def all_want_to_stop(table: TestTable, *players: int) -> None:
    for n in players:
        assert n not in table.endings
        control = table.front(n).control
        assert control is not None
        control.stop_today(wanted=True)
        await trio.sleep(0.05)


async def all_resume(table: TestTable, *players: int) -> None:
    with trio.fail_after(36_000):
        async with trio.open_nursery() as nursery:
            for n in players:
                nursery.start_soon(table.resume, n)


async def test_all_may_adjourn_and_go_on_later(autojump_clock: trio.testing.MockClock) -> None:
    table = TestTable(players=4, bots=1)
    for n in range(3):
        table.fronts[n] = Slow(f"patient {n}", 5.0)

    async def adjourn() -> None:
        await until(lambda: table.front(1).asked >= 4)
        await all_want_to_stop(table, 0, 1, 2)

    await table.run(adjourn)
    for n in range(3):
        assert table.endings[n].kind is EndKind.ADJOURNED
        report = table.report(n)
        people = [s for s, p in enumerate(report.players) if p.keeper == s]
        wanted = table.front(n).seen(StopWanted)
        assert [x.seat for x in wanted] == people[: len(wanted)]
        assert [x.missing for x in wanted[:2]] == [tuple(people[1:]), tuple(people[2:])]
        assert report.result is Result.UNFINISHED
    await all_resume(table, 0, 1, 2)
    same_sound_logs(table, range(3))
    for n in range(3):
        assert table.endings[n].kind is EndKind.FINISHED


async def test_one_who_does_not_want_to_stop_keeps_all_playing(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=3)
    for n in range(3):
        table.fronts[n] = Slow(f"patient {n}", 5.0)

    async def two_of_three() -> None:
        await until(lambda: table.front(1).asked >= 2)
        await all_want_to_stop(table, 0, 1)
        control = table.front(0).control
        assert control is not None
        control.stop_today(wanted=False)
        await trio.sleep(1)
        await all_want_to_stop(table, 2)

    await table.run(two_of_three)
    same_sound_logs(table, range(3))
    said = [(x.seat, x.wanted, x.missing) for x in table.front(1).seen(StopWanted)]
    assert said == [
        (0, True, (1, 2)), (1, True, (2,)), (0, False, (0, 2)), (2, True, (0,)),
    ]  # fmt: skip
    for n in range(3):
        assert table.endings[n].kind is EndKind.FINISHED


async def broken_off_without_mia(table: TestTable, *, is_mia_resumed: bool) -> None:
    """A bot plays for Mia, whose window was closed, and the others stop for today."""
    await until(lambda: table.front(2).asked >= 2)
    table.kill(2)
    await until(lambda: all(table.front(n).seen(LineUpBegun) for n in range(2)))
    await trio.sleep(10)
    await all_want_to_stop(table, 0, 1)
    await until(lambda: 0 in table.endings and 1 in table.endings)
    assert [table.endings[n].kind for n in range(2)] == [EndKind.ADJOURNED] * 2
    for n in range(3):
        table.front(n).notices.clear()
    await all_resume(table, *range(3 if is_mia_resumed else 2))


@pytest.mark.parametrize("is_mia_resumed", [True, False])
async def test_what_was_wished_ends_with_its_session(
    is_mia_resumed: bool, autojump_clock: trio.testing.MockClock
) -> None:
    table = TestTable(players=3, seed="b")
    for n in range(3):
        table.fronts[n] = Slow(f"patient {n}", 5.0, goes_on=True)
    await table.run(lambda: broken_off_without_mia(table, is_mia_resumed=is_mia_resumed))
    there = range(3 if is_mia_resumed else 2)
    same_sound_logs(table, there)
    for n in there:
        assert table.endings[n].kind is EndKind.FINISHED
        assert not table.front(n).seen(StopWanted)
    reasons = [(c.keeper, c.reason) for c in table.report(0).changes]
    assert ((2, Reason.BACK) in reasons) == is_mia_resumed
