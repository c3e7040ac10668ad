"""Who is absent is waited for; the others may let a bot play for them, and a seat comes back."""

import pytest
import trio

from kotp2p.game.verify import Result
from kotp2p.seams import notices
from kotp2p.seams.commands import StopToday
from kotp2p.seams.endings import EndKind
from kotp2p.shell.run import SeatWish, join
from kotp2p.wire.lineups import Reason
from tests.support.memory_tables import HOST_TABLE, TestTable
from tests.support.whole_games import Slow, same_sound_logs, until

pytestmark = pytest.mark.virtual_time


def going_on(table: TestTable, *players: int) -> None:
    """They let a bot play for the absent as soon as they may, and leave time to come back."""
    for n in players:
        table.fronts[n] = Slow(f"goes on {n}", goes_on=True)


async def killed(table: TestTable, victim: int, after: int = 2) -> None:
    await until(lambda: table.front(victim).asked >= after)
    table.kill(victim)


def changes(table: TestTable, n: int) -> list[tuple[int, Reason]]:
    begun = table.front(n).seen(notices.LineUpBegun)
    return [(change.keeper, change.reason) for notice in begun for change in notice.changes]


# -- a bot plays on --------------------------------------------------------------------------


async def types_join(table: TestTable, n: int) -> None:
    table.free(n)
    with trio.CancelScope() as table.scopes[n]:
        table.endings[n] = await join(
            table.world_of(n), SeatWish(f"Guest {n}"), HOST_TABLE, table.front(n)
        )


@pytest.mark.parametrize(("victim", "word"), [(0, "resume"), (2, "resume"), (2, "join")])
async def test_who_comes_back_has_the_seat_again(victim: int, word: str) -> None:
    table = TestTable(players=3)
    rest = sorted({0, 1, 2} - {victim})
    going_on(table, *rest)

    async def away_for_a_while() -> None:
        await killed(table, victim)
        await until(lambda: all((victim, Reason.ABSENT) in changes(table, n) for n in rest))
        await trio.sleep(20)
        asked = table.front(victim).asked
        await (types_join(table, victim) if word == "join" else table.resume(victim))
        assert table.front(victim).asked > asked

    await table.run(away_for_a_while)
    for n in range(3):
        assert table.endings[n].kind is EndKind.FINISHED
        assert not table.front(n).seen(notices.Cheated)
    for n in rest:
        assert changes(table, n) == [(victim, Reason.ABSENT), (victim, Reason.BACK)]
        assert table.front(n).seen(notices.LineUpBegun)[1].changes[0].seats == ((victim, victim),)
    assert len(table.front(victim).seen(notices.PlayedForYou)) == 1
    same_sound_logs(table, range(3))
    report = table.report(victim)
    assert report.confirmed_by == (0, 1, 2)
    reasons = [(c.keeper, c.reason) for c in report.changes]
    assert reasons == [(victim, Reason.ABSENT), (victim, Reason.BACK)]


# -- who does not agree ----------------------------------------------------------------------


# -- leaving ---------------------------------------------------------------------------------


# -- strangers -------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "strangers"), [(2, []), (3, [2, 2, 2]), (4, [3, 3, 3, 3])])
async def test_a_game_with_enough_strangers_begins_with_a_word_about_them(
    players: int, strangers: list[int]
) -> None:
    table = TestTable(players=players)
    await table.run()
    for n, count in enumerate(strangers):
        (signed,) = table.front(n).seen(notices.StartSigned)
        assert len(signed.strangers) == count
        assert n not in signed.strangers


# -- adjourning ------------------------------------------------------------------------------------

# Stopping for today: all that are there agree, and the game goes on from its files later.


async def all_want_to_stop(table: TestTable, *players: int) -> None:
    for n in players:
        assert n not in table.endings
        table.front(n).control(StopToday(wanted=True))
        await trio.sleep(0.05)


async def all_resume(table: TestTable, *players: int) -> None:
    with trio.fail_after(36_000):
        async with trio.open_nursery() as nursery:
            for n in players:
                nursery.start_soon(table.resume, n)


async def test_all_may_adjourn_and_go_on_later() -> None:
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
        wanted = table.front(n).seen(notices.StopWanted)
        assert [x.seat for x in wanted] == people[: len(wanted)]
        assert [x.missing for x in wanted[:2]] == [tuple(people[1:]), tuple(people[2:])]
        assert report.result is Result.UNFINISHED
    await all_resume(table, 0, 1, 2)
    same_sound_logs(table, range(3))
    for n in range(3):
        assert table.endings[n].kind is EndKind.FINISHED


async def broken_off_without_mia(table: TestTable, *, is_mia_resumed: bool) -> None:
    """A bot plays for Mia, whose window was closed, and the others stop for today."""
    await until(lambda: table.front(2).asked >= 2)
    table.kill(2)
    await until(lambda: all(table.front(n).seen(notices.LineUpBegun) for n in range(2)))
    await trio.sleep(10)
    await all_want_to_stop(table, 0, 1)
    await until(lambda: 0 in table.endings and 1 in table.endings)
    assert [table.endings[n].kind for n in range(2)] == [EndKind.ADJOURNED] * 2
    for n in range(3):
        table.front(n).notices.clear()
    await all_resume(table, *range(3 if is_mia_resumed else 2))


@pytest.mark.parametrize("is_mia_resumed", [True, False])
async def test_what_was_wished_ends_with_its_session(is_mia_resumed: bool) -> None:
    table = TestTable(players=3, seed="b")
    for n in range(3):
        table.fronts[n] = Slow(f"patient {n}", 5.0, goes_on=True)
    await table.run(lambda: broken_off_without_mia(table, is_mia_resumed=is_mia_resumed))
    there = range(3 if is_mia_resumed else 2)
    same_sound_logs(table, there)
    for n in there:
        assert table.endings[n].kind is EndKind.FINISHED
        assert not table.front(n).seen(notices.StopWanted)
    reasons = [(c.keeper, c.reason) for c in table.report(0).changes]
    assert ((2, Reason.BACK) in reasons) == is_mia_resumed
