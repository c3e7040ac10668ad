"""A code typed on the network of its table, where no mailbox answers."""

from dataclasses import dataclass, field, replace
from typing import cast

import pytest
import trio

from kotp2p.net import code_desk, links
from kotp2p.rendezvous import desks, words
from kotp2p.rendezvous.servers import Servers
from kotp2p.seams.commands import KeepSeat, NewCode
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import CodeStep, LobbyChanged, TableCode
from kotp2p.seams.world import MailboxTrouble, Rendezvous
from kotp2p.shell.find_host import NotSeated, TableAddress, find_by_code
from kotp2p.shell.run import HostOptions, SeatWish, host, join
from kotp2p.shell.table_code import HeldCode
from kotp2p.wire.addresses import FoundTable
from kotp2p.wire.crypto import key_fingerprint
from kotp2p.wire.frames import Ask
from tests.support.memory_tables import HOST, PORT, Recorder, TestTable
from tests.support.memory_world import MemoryLan

pytestmark = pytest.mark.virtual_time


@dataclass
class Deaf:
    servers: Servers = field(default_factory=lambda: Servers("ws://127.0.0.1:1/v1", ""))
    asked: list[str] = field(default_factory=list)
    """By which sides."""

    def mailbox(self, side: str, _number: int) -> object:
        self.asked.append(side)
        raise MailboxTrouble("it is not there")


class Street(TestTable):
    """A table whose players are on one network, without the internet."""

    def __init__(self, players: int = 2) -> None:
        super().__init__(players)
        self.lan, self.deaf = MemoryLan(), Deaf()
        for n in range(players + 1):
            self.worlds[n] = replace(
                self.world_of(n), lan=self.lan, rendezvous=cast(Rendezvous, self.deaf)
            )

    @property
    def code(self) -> words.Code:
        return words.read_code(self.front(0).seen(TableCode)[-1].code)

    async def comes(self, n: int, code: words.Code) -> None:
        self.endings[n] = await join(self.world_of(n), SeatWish("Rex"), code, self.front(n))

    async def asks(self, n: int, code: words.Code) -> TableAddress | EndKind:
        try:
            return await find_by_code(self.world_of(n), code, Recorder("asks"))
        except NotSeated as fault:
            return fault.ending.kind


EVE = "10.0.0.3"


def stranger_near(street: Street) -> Street:
    """Another table on the same network, at the address `EVE`."""
    stranger = Street()
    stranger.net, stranger.lan = street.net, MemoryLan()
    stranger.worlds[0] = replace(
        street.world_of(2), lan=stranger.lan, rendezvous=cast(Rendezvous, Deaf())
    )
    return stranger


@dataclass
class Heard:
    tables: tuple[FoundTable, ...]

    async def browse(self, seconds: float) -> tuple[FoundTable, ...]:
        await trio.sleep(seconds)
        return self.tables


def hears(street: Street, *addresses: str) -> None:
    """Let the first guest hear of tables at these addresses, all with the number of the code."""
    poster, number = street.lan.now[0], street.code.number
    tables = tuple(FoundTable(poster, (address,), (number,)) for address in addresses)
    street.worlds[1] = replace(street.world_of(1), lan=cast(MemoryLan, Heard(tables)))


def other_words(code: words.Code) -> words.Code:
    return replace(code, first=(code.first + 1) % 2048)


async def test_a_code_leads_to_its_table_on_this_network_without_any_server() -> None:
    street = Street()
    with trio.fail_after(36_000):
        async with street.hosted() as nursery:
            nursery.start_soon(street.comes, 1, street.code)
    assert {ending.kind for ending in street.endings.values()} == {EndKind.FINISHED}
    assert {poster.code_number for poster in street.lan.past} == {street.code.number}


async def test_wrong_words_lead_nowhere_and_name_no_host() -> None:
    street = Street()
    async with street.hosted() as nursery:
        assert await street.asks(1, other_words(street.code)) is EndKind.WRONG_WORDS
        other_number = replace(street.code, number=1000 + street.code.number % 9000)
        assert await street.asks(1, other_number) is EndKind.NO_MAILBOX
        nursery.cancel_scope.cancel()


async def test_a_code_goes_to_the_machine_that_knows_the_words_and_to_its_key_alone() -> None:
    """A stranger announces the same number with a table of their own."""
    street = Street()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(street.host)
        nursery.start_soon(stranger_near(street).host)
        await trio.sleep(1)
        hears(street, EVE, HOST)
        found = await find_by_code(street.world_of(1), street.code, Recorder("asks"))
        assert found.places == (HOST,)
        key = street.front(0).seen(LobbyChanged)[-1].seats[0]
        assert key is not None
        assert found.host == key_fingerprint(key.key)
        nursery.cancel_scope.cancel()


async def test_a_stranger_who_passes_the_exchange_on_to_the_host_leads_nobody_astray(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    street, codes = Street(), list[HeldCode]()
    answer, answer_on_link = HeldCode.answer, HeldCode.answer_on_link

    def note(code: HeldCode, *, wanted: bool = True) -> None:
        codes.append(code)
        answer(code, wanted=wanted)

    def answer_as_host(_code: HeldCode, link: links.Link, ask: Ask, now: float) -> None:
        answer_on_link(codes[0], link, ask, now)

    monkeypatch.setattr(HeldCode, "answer", note)
    monkeypatch.setattr(HeldCode, "answer_on_link", answer_as_host)
    async with street.hosted() as nursery:
        nursery.start_soon(stranger_near(street).host)
        await trio.sleep(1)
        hears(street, EVE)
        assert await street.asks(1, street.code) is EndKind.NO_MAILBOX
        hears(street, EVE, HOST)
        found = await street.asks(1, street.code)
        assert isinstance(found, TableAddress)
        assert found.places == (HOST,)
        nursery.cancel_scope.cancel()


async def test_guesses_on_this_network_have_the_same_limit_as_those_at_the_mailbox(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(desks, "MAX_GUESSES", desks.GUESSES_AT_ONCE + 5)
    street = Street()
    async with street.hosted() as nursery:
        code, began = street.code, trio.current_time()
        wrong = other_words(code)
        refused = [await street.asks(1, wrong) for _ in range(desks.GUESSES_AT_ONCE)]
        assert set(refused) == {EndKind.WRONG_WORDS}
        steps = street.front(0).seen(TableCode)
        while steps[-1].step is not CodeStep.USED_UP:
            await trio.sleep(desks.SECONDS_PER_GUESS)
            await street.asks(1, wrong)
            steps = street.front(0).seen(TableCode)
        assert trio.current_time() >= began + 5 * desks.SECONDS_PER_GUESS
        assert await street.asks(1, code) is not EndKind.WRONG_WORDS
        before = street.deaf.asked.count(desks.HOST_SIDE)
        for _ in range(4):
            assert not isinstance(await street.asks(1, code), TableAddress), "the code has ended"
            await trio.sleep(code_desk.MAX_PAUSE_SECONDS)
        assert street.deaf.asked.count(desks.HOST_SIDE) == before, "it leaves the mailbox alone"
        assert street.front(0).seen(TableCode)[-1].step is CodeStep.USED_UP
        nursery.cancel_scope.cancel()


async def test_a_full_table_says_so_to_who_knows_its_code() -> None:
    street = Street()
    full: EndKind | TableAddress = EndKind.LEFT

    async def late() -> None:
        nonlocal full
        while not street.lan.past or street.lan.past[-1].free:
            await trio.sleep(0.01)
        full = await street.asks(2, street.code)

    options = HostOptions(players=2)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(host, street.world_of(0), SeatWish("Ana"), options, street.front(0))
        await trio.sleep(1)
        nursery.start_soon(late)
        nursery.start_soon(street.comes, 1, street.code)
        await trio.sleep(60)
        nursery.cancel_scope.cancel()
    assert full is EndKind.FULL


async def test_a_guest_without_a_mailbox_in_its_settings_still_looks_around() -> None:
    street = Street()
    async with street.hosted() as nursery:
        street.worlds[1] = replace(street.world_of(1), rendezvous=None)
        found = await street.asks(1, street.code)
        assert isinstance(found, TableAddress)
        assert (found.places, found.port) == ((HOST,), PORT)
        nursery.cancel_scope.cancel()


async def test_the_announcement_follows_the_number_of_a_new_code() -> None:
    street = Street()
    async with street.hosted() as nursery:
        before, control = street.code, street.front(0).control
        control(NewCode())
        await trio.sleep(60)
        assert street.code != before
        assert street.lan.now[0].code_number == street.code.number
        assert isinstance(await street.asks(1, street.code), TableAddress)
        nursery.cancel_scope.cancel()


async def test_of_a_game_that_goes_on_the_host_alone_reads_how_its_code_stands() -> None:
    street = Street()
    with trio.move_on_after(600):
        async with street.hosted() as nursery:
            nursery.start_soon(street.comes, 1, street.code)
            for n in (1, 0):
                await street.asked(n, 1)
                street.front(n).control(KeepSeat())
            for n in (1, 0):  # a guest alone answers the code
                await trio.sleep(30)
                street.fronts[n] = Recorder("again")
                nursery.start_soon(street.resume, n)
    assert [bool(street.front(n).seen(TableCode)) for n in (0, 1)] == [True, False]
