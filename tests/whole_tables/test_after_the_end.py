"""A game has ended, its players stand at the last question, and somebody comes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import pytest
import trio

from kotp2p.rendezvous.words import Code
from kotp2p.seams.commands import Front, StartGame
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import AskingByCode, GameFinished
from kotp2p.seams.world import World
from kotp2p.shell import run
from kotp2p.shell.find_host import TableAddress
from kotp2p.shell.run import SeatWish, join
from tests.support.evenings import Evening
from tests.support.memory_tables import HOST_TABLE, Recorder, TestTable
from tests.support.whole_games import Slow, same_sound_logs

pytestmark = pytest.mark.virtual_time

CODE = Code(7412, 3, 5)


class AtTheEnd(Slow):
    """A player who reads the end until the test lets them go on."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.reads, self.goes_on_now = trio.Event(), trio.Event()

    async def show_ending(self, ending: Ending) -> None:
        assert ending.kind is EndKind.FINISHED
        self.reads.set()
        await self.goes_on_now.wait()


@dataclass
class LastQuestion:
    """A table of which some players look at the end, and one is away by then."""

    table: TestTable
    staying: tuple[int, ...]

    @staticmethod
    def of(players: int, *staying: int) -> LastQuestion:
        table = TestTable(players=players)
        for n in range(players):
            table.fronts[n] = AtTheEnd(f"at end {n}") if n in staying else Slow(f"slow {n}")
        return LastQuestion(table, staying)

    def front(self, n: int) -> AtTheEnd:
        front = self.table.front(n)
        assert isinstance(front, AtTheEnd)
        return front

    async def all_read(self) -> None:
        for n in self.staying:
            await self.front(n).reads.wait()

    def all_go_on(self) -> None:
        for n in self.staying:
            self.front(n).goes_on_now.set()


async def test_who_comes_back_while_the_others_read_the_end_is_told_how_it_ended() -> None:
    at_end = LastQuestion.of(3, 0, 1)
    table = at_end.table
    for n in (0, 1):
        table.front(n).goes_on = True  # a bot plays for who is away

    async def dies_and_comes_back() -> None:
        await table.asked(2, 3)
        table.kill(2)
        await at_end.all_read()
        await trio.sleep(300)
        table.fronts[2] = Recorder("back")
        await table.resume(2)
        assert table.endings[2].kind is EndKind.FINISHED
        assert table.front(2).seen(GameFinished)
        at_end.all_go_on()

    await table.run(dies_and_comes_back)
    assert {ending.winners for ending in table.endings.values()} == {table.endings[0].winners}
    same_sound_logs(table, range(3))
    evening = Evening(table)
    await evening.gather({0: 0.0, 1: 1.0, 2: 2.0})
    evening.check_one_game(0, 1, 2)


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A code leads to the address of the host. When each guest has asked for it."""
    times = list[float]()

    async def find(_world: World, _code: Code, _front: Front | None) -> TableAddress:
        times.append(trio.current_time())
        await trio.sleep(1)
        return HOST_TABLE

    monkeypatch.setattr(run, "find_by_code", find)
    return times


@pytest.mark.usefixtures("found")
async def test_a_late_guest_has_a_seat_at_the_next_game_without_typing_again() -> None:
    at_end = LastQuestion.of(2, 0, 1)
    table, late, endings = at_end.table, Recorder("late"), list[Ending]()

    async def comes_late() -> None:
        await at_end.all_read()
        endings.append(await join(table.world_of(5), SeatWish("Zoe"), CODE, late))

    async def goes_on() -> None:
        await at_end.all_read()
        await trio.sleep(30)
        at_end.all_go_on()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(comes_late)
        await table.run(goes_on)
        evening = Evening(table)
        await evening.gather({0: 0.0, 1: 5.0})
    evening.check_one_game(0, 1)
    assert [ending.kind for ending in endings] == [EndKind.FINISHED]
    view = evening.endings[0].view
    assert view is not None
    assert [player.name for player in view.players][2] == "Zoe"
    assert [notice.is_played for notice in late.seen(AskingByCode)] == [True]


@pytest.mark.usefixtures("found")
async def test_who_left_a_game_that_is_over_waits_where_the_others_play_another_one() -> None:
    at_end = LastQuestion.of(3, 0, 1)
    table, back = at_end.table, Recorder("back")
    for n in (0, 1):
        table.front(n).goes_on = True  # a bot plays for who is away

    async def dies() -> None:
        await table.asked(2, 3)
        table.kill(2)
        await at_end.all_read()
        at_end.all_go_on()

    await table.run(dies)
    evening = Evening(table, {n: Slow(f"again {n}") for n in (0, 1)})

    async def comes_late() -> None:
        await trio.sleep(30)
        evening.front(0).control(StartGame())
        await trio.sleep(10)
        with trio.move_on_after(60):
            await join(table.world_of(2), SeatWish("Guest 2"), CODE, back)

    await evening.gather({0: 0.0, 1: 5.0}, comes_late)
    evening.check_one_game(0, 1)
    assert [notice.is_played for notice in back.seen(AskingByCode)] == [True]


async def test_a_late_guest_asks_by_the_code_once_a_minute_and_knocks_meanwhile(
    found: list[float],
) -> None:
    at_end = LastQuestion.of(2, 0, 1)

    async def waits() -> None:
        await at_end.all_read()
        with trio.move_on_after(600):
            await join(at_end.table.world_of(5), SeatWish("Zoe"), CODE, Recorder("late"))
        at_end.all_go_on()

    await at_end.table.run(waits)
    pauses = [later - earlier for earlier, later in pairwise(found)]
    assert len(pauses) >= 8
    assert min(pauses) >= run.ASK_AGAIN_SECONDS
    last = at_end.table.endings[0].table
    assert last is not None
    assert last.late == 1


@pytest.mark.usefixtures("found")
async def test_nobody_waits_at_the_next_game_for_a_late_guest_who_has_given_up() -> None:
    at_end = LastQuestion.of(2, 0, 1)
    table = at_end.table

    async def comes_and_goes() -> None:
        await at_end.all_read()
        with trio.move_on_after(10):
            await join(table.world_of(5), SeatWish("Zoe"), CODE, Recorder("late"))
        await trio.sleep(60)
        at_end.all_go_on()

    await table.run(comes_and_goes)
    last = table.endings[0].table
    assert last is not None
    assert last.late == 0
