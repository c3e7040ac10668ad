"""A second table with the same people, opened by whoever wants it first."""

from dataclasses import dataclass, field, replace

import pytest
import trio

from kotp2p.extras.shell import rematch
from kotp2p.extras.shell.rematch import LONELY_SECONDS, SEARCH_SECONDS, TURN_SECONDS, play_again
from kotp2p.net.invitation import SECRET_BYTES, Invitation
from kotp2p.rendezvous.words import Code
from kotp2p.seams.commands import LeaveTable, StartGame
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import LobbyChanged, Notice, RematchNews, RematchStep, TableOpened
from kotp2p.seams.world import PortTaken, World
from kotp2p.shell.find_host import TableAddress
from kotp2p.shell.run import HostOptions, SeatWish, host, join
from kotp2p.wire.crypto import Signer, key_fingerprint
from kotp2p.wire.frames import CodeTold
from kotp2p.wire.genesis import is_bot
from tests.support.evenings import Evening, finished
from tests.support.memory_tables import HOST, HOST_TABLE, PORT, Recorder, TestTable
from tests.support.memory_world import MemoryAcceptor, MemoryHost
from tests.support.whole_games import Slow, broken_off

pytestmark = pytest.mark.virtual_time


class Starter(Recorder):
    def __init__(self, name: str, people: int) -> None:
        super().__init__(name)
        self.people = people

    def show(self, notice: Notice) -> None:
        super().show(notice)
        if isinstance(notice, LobbyChanged):
            own, taken = notice.seats[notice.you], len(notice.seats) - notice.seats.count(None)
            if own is not None and own.host and taken >= self.people:
                self.control(StartGame())


def own_key(ending: Ending) -> bytes:
    assert ending.view is not None
    return ending.view.players[ending.view.seat].key


def keys_of(ending: Ending) -> list[bytes]:
    assert ending.view is not None
    players = ending.view.players
    return [b"" if is_bot(players, seat) else p.key for seat, p in enumerate(players)]


def without_direct_ways(evening: Evening) -> Evening:
    """Only the code of the table leads from one of its players to another."""
    for n, ending in evening.table.endings.items():
        assert ending.table is not None
        nowhere = tuple(() for _ in ending.table.targets)
        last = replace(ending.table, targets=nowhere, code=CodeTold(7412, 3, 5))
        evening.table.endings[n] = replace(ending, table=last)
    return evening


async def test_whoever_wants_another_game_first_opens_the_table_and_the_seats_move_on() -> None:
    first = 2
    evening = await finished(TestTable(players=4, bots=1))
    before = keys_of(evening.table.endings[0])
    await evening.gather({n: 0 if n == first else 20 + n for n in range(3)})
    evening.check_one_game(0, 1, 2)
    order = [*before[1:], before[0]]
    assert keys_of(evening.endings[0]) == order
    assert evening.hosts() == {order.index(own_key(evening.table.endings[first]))}
    assert evening.steps(first) == [RematchStep.SEARCHES, RematchStep.OFFERS]
    others = [evening.steps(n) for n in range(3) if n != first]
    assert others == [[RematchStep.SEARCHES, RematchStep.GOES]] * 2


async def test_two_that_want_it_at_the_same_moment_come_to_one_table() -> None:
    evening = await finished(TestTable(players=3))
    await evening.gather({2: 0.0, 1: 0.0, 0: 60.0})
    evening.check_one_game(0, 1, 2)
    assert evening.steps(1) == [RematchStep.SEARCHES, RematchStep.OFFERS]
    assert evening.steps(2) == evening.steps(0) == [RematchStep.SEARCHES, RematchStep.GOES]


async def test_two_with_no_direct_way_open_one_table_in_the_same_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They meet through a relay, where a search takes six seconds, as the mailbox is asked."""
    evening = without_direct_ways(await finished(TestTable(players=2)))

    async def ask(_world: World, _code: Code) -> TableAddress | None:
        for n in range(2):
            if (f"10.0.0.{n + 1}", PORT) in evening.table.net.listening:
                key = own_key(evening.table.endings[n])
                return TableAddress((f"10.0.0.{n + 1}",), PORT, host=key_fingerprint(key))
        await trio.sleep_forever()
        raise AssertionError

    monkeypatch.setattr(rematch, "ask_at_mailbox", ask)
    await evening.gather({0: 0.0, 1: 0.0})
    evening.check_one_game(0, 1)
    assert evening.steps(0) == [RematchStep.SEARCHES, RematchStep.OFFERS]
    assert evening.steps(1) == [RematchStep.SEARCHES, RematchStep.GOES]


async def test_a_player_whose_turn_it_is_not_opens_the_table_when_nobody_before_does() -> None:
    evening = await finished(TestTable(players=3))
    evening.fronts[2] = Starter("offers", 2)
    opened: list[float] = []

    async def note() -> None:
        began = trio.current_time()
        while RematchStep.OFFERS not in evening.steps(2):
            await trio.sleep(0.1)
        opened.append(trio.current_time() - began)

    await evening.gather({2: 0.0, 1: 60.0}, note)
    evening.check_one_game(1, 2)
    assert 2 * TURN_SECONDS <= opened[0] <= 2 * TURN_SECONDS + SEARCH_SECONDS


async def test_all_at_the_same_moment_come_to_the_table_of_the_host_of_the_last_game() -> None:
    evening = await finished(TestTable(players=4))
    host_key = own_key(evening.table.endings[0])
    await evening.gather(dict.fromkeys(range(4), 0.0))
    evening.check_one_game(0, 1, 2, 3)
    assert evening.hosts() == {keys_of(evening.endings[0]).index(host_key)}


async def test_after_a_resumed_game_a_guest_offers_another_one_though_the_host_is_gone() -> None:
    table = TestTable(players=3, seed="b")
    await broken_off(table, 0, 6)
    with trio.fail_after(36_000):
        async with trio.open_nursery() as nursery:
            for n in (1, 2, 0):
                nursery.start_soon(table.resume, n)
                await trio.sleep(1)
    evening = Evening(table)
    evening.fronts[2] = Starter("offers", 2)
    await evening.gather({2: 0.0, 1: 30.0})
    evening.check_one_game(1, 2)
    assert RematchStep.OFFERS in evening.steps(2)
    assert evening.front(2).seen(RematchNews)[1].names == ("Ana", "Guest 1")


async def test_if_the_one_who_offered_it_goes_away_another_one_opens_the_table() -> None:
    evening = await finished(TestTable(players=3))
    evening.fronts |= {n: Starter(f"stays {n}", 2) for n in (1, 2)}

    async def leave() -> None:
        await trio.sleep(30)
        control = evening.front(0).control
        control(LeaveTable())

    await evening.gather({0: 0.0, 1: 5.0, 2: 60.0}, leave)
    assert evening.endings.pop(0).kind is EndKind.LEFT
    assert evening.steps(1)[-1] is RematchStep.OFFERS
    evening.check_one_game(1, 2)


async def test_a_host_whom_nobody_can_reach_goes_to_the_table_of_another() -> None:
    table = TestTable(players=3)
    evening = await finished(table)
    table.net.undialable.add(HOST)
    await evening.gather({0: 0.0, 1: 0.0, 2: 0.0})
    evening.check_one_game(0, 1, 2)
    assert evening.steps(0)[-1] is RematchStep.GOES


async def test_a_table_to_which_no_direct_way_leads_is_found_by_its_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening, asked = without_direct_ways(await finished(TestTable(players=3))), []
    host = replace(HOST_TABLE, host=key_fingerprint(own_key(evening.table.endings[0])))

    async def ask(_world: World, code: Code) -> TableAddress | None:
        asked.append(code.number)
        return host

    monkeypatch.setattr(rematch, "ask_at_mailbox", ask)
    await evening.gather({0: 0.0, 1: 20.0, 2: 20.0})
    evening.check_one_game(0, 1, 2)
    assert evening.steps(1) == evening.steps(2) == [RematchStep.SEARCHES, RematchStep.GOES]
    assert set(asked) == {7412}


async def test_a_host_asks_for_other_tables_by_the_code_once_a_minute_while_nobody_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening, times = without_direct_ways(await finished(TestTable(players=3))), []
    host = replace(HOST_TABLE, host=key_fingerprint(own_key(evening.table.endings[0])))

    async def ask(world: World, _code: Code) -> TableAddress | None:
        if world is not evening.table.world_of(0):
            return host
        times.append(trio.current_time())
        return None

    monkeypatch.setattr(rematch, "ask_at_mailbox", ask)
    with trio.move_on_after(300):
        await evening.gather({0: 0.0, 1: 100.0})
    assert [round(after - times[0], -1) for after in times] == [0, LONELY_SECONDS, 70]


async def test_a_player_with_a_key_for_one_game_comes_back_with_it_and_a_stranger_does_not() -> (
    None
):
    """Two terminals of one profile: the second one plays under a key of its own."""
    table = TestTable(players=2)
    world = table.world_of(1)
    lock = world.data / "profiles" / world.profile / "lock"
    assert world.disk.lock(lock)
    evening = await finished(table)
    before, key = table.endings[0].view, table.endings[1].one_game_key
    assert before is not None
    assert isinstance(key, Signer)
    assert table.endings[0].one_game_key is None
    assert [p.one_game for p in before.players] == [False, True]
    kinds = []

    async def stranger() -> None:
        await trio.sleep(10)
        ending = await join(table.world_of(5), SeatWish("Eve"), HOST_TABLE, Recorder("stranger"))
        kinds.append(ending.kind)

    await evening.gather({0: 0.0, 1: 30.0}, stranger)
    assert kinds == [EndKind.KEPT_FOR_OTHERS]
    evening.check_one_game(0, 1)
    assert keys_of(evening.endings[0]) == [key.key, before.players[0].key]


async def test_a_guest_who_has_left_takes_their_seat_by_the_address() -> None:
    table = TestTable(players=2)
    evening = await finished(table)
    kinds = []

    async def come_back() -> None:
        await trio.sleep(10)
        ending = await join(table.world_of(1), SeatWish("Rex"), HOST_TABLE, Recorder("back"))
        kinds.append(ending.kind)

    await evening.gather({0: 0.0}, come_back)
    evening.check_one_game(0)
    assert kinds == [EndKind.FINISHED]


async def test_the_next_game_of_invited_players_is_by_invitation_too() -> None:
    table = TestTable(players=3, secret=bytes(range(SECRET_BYTES)))
    evening = await finished(table)
    await evening.gather({1: 0.0, 2: 30.0, 0: 40.0})
    evening.check_one_game(0, 1, 2)
    opened = evening.front(1).seen(TableOpened)[-1]
    assert Invitation.parse(opened.invitation).secret == table.secret


async def test_only_a_player_of_the_last_game_is_found_at_their_address() -> None:
    """At an open table only the address says whose it is, and somebody else may listen there."""
    table = TestTable(players=2)
    evening = await finished(table)
    mallory = replace(table.world_of(0), profile="mallory")
    for n in range(2):
        table.free(n)
    async with trio.open_nursery() as nursery:
        options = HostOptions(players=2, start_when_full=True)
        nursery.start_soon(host, mallory, SeatWish("Ana"), options, Recorder("Mallory"))
        await trio.sleep(1)
        nursery.start_soon(evening.wants, 1)
        await trio.sleep(60)
        nursery.cancel_scope.cancel()
    assert evening.steps(1) == [RematchStep.SEARCHES, RematchStep.OFFERS]


async def test_a_player_whose_key_is_in_use_offers_nothing() -> None:
    """Nobody would keep a seat for another key."""
    evening = await finished(TestTable(players=2))
    evening.table.free(1)
    world = evening.table.world_of(1)
    assert world.disk.lock(world.data / "profiles" / world.profile / "lock")
    again = await play_again(world, SeatWish("Rex"), evening.table.endings[1], Recorder("Rex"))
    assert again.kind is EndKind.IN_USE


async def test_somebody_who_comes_when_it_has_begun_is_told_so() -> None:
    evening = await finished(TestTable(players=3))
    evening.fronts[0] = Starter("hurries", 2)
    evening.fronts[1] = Slow("thinks", 10.0)
    with trio.move_on_after(300):
        await evening.gather({0: 0.0, 1: 5.0, 2: 20.0})
    assert evening.steps(2) == [RematchStep.SEARCHES, RematchStep.OFFERS]
    assert "Ana" in evening.front(2).seen(RematchNews)[-1].playing


async def test_a_rematch_keeps_no_more_seats_than_there_are() -> None:
    options = HostOptions(players=3, order=(b"", b"", b"", b""))
    with pytest.raises(ValueError):
        await host(TestTable().world_of(0), SeatWish("Ana"), options, Recorder("few"))


async def test_for_a_guest_for_whom_a_bot_has_answered_a_bot_plays_the_next_game() -> None:
    """Nobody is asked there, and nobody waits for it."""
    table = TestTable(players=3)
    table.automatic.add(2)
    evening = await finished(table)
    assert evening.table.endings[0].view is not None
    assert [p.automatic for p in evening.table.endings[0].view.players] == [False, False, True]
    await evening.gather({0: 0.0, 1: 20.0})
    evening.check_one_game(0, 1)
    assert evening.endings[0].view is not None
    assert [p.automatic for p in evening.endings[0].view.players] == [False, True, False]


@dataclass
class Ears(MemoryHost):
    asked: list[str | None] = field(default_factory=list)

    async def listen(self, bind: str | None, port: int, tries: int) -> MemoryAcceptor:
        self.asked.append(bind)
        return await super().listen(bind, port, tries)


@pytest.mark.parametrize(("seconds", "places"), [(20.0, ["10.0.0.2"]), (0.0, [None])])
async def test_a_guest_listens_where_it_did_but_at_all_addresses_where_it_opens_the_table(
    seconds: float, places: list[str | None]
) -> None:
    """It listened where it reached the host. Others may come from elsewhere now."""
    table = TestTable(players=2)
    ears = Ears(table.net, "10.0.0.2")
    table.worlds[1] = replace(table.world_of(1), net=ears)
    evening = await finished(table)
    assert ears.asked == ["10.0.0.2"]
    ears.asked = []
    await evening.gather({0: 20.0 - seconds, 1: seconds})
    evening.check_one_game(0, 1)
    assert ears.asked == places


class Earless(MemoryHost):
    async def listen(self, bind: str | None, port: int, tries: int) -> MemoryAcceptor:
        raise PortTaken("in this test")


async def test_a_guest_that_can_listen_nowhere_plays_the_next_game_as_well() -> None:
    table = TestTable(players=2)
    table.worlds[1] = replace(table.world_of(1), net=Earless(table.net, "10.0.0.2"))
    evening = await finished(table)
    await evening.gather({0: 0.0, 1: 20.0})
    evening.check_one_game(0, 1)
