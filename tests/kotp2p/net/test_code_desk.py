"""Where a table is asked for by its code, while connections to the mailbox die."""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import cast

import pytest
import trio

from kotp2p.net.code_desk import TEST_ANSWER_SECONDS, TEST_SECONDS, CodeDesk, HostPlace
from kotp2p.rendezvous import desks
from kotp2p.rendezvous.desks import MAX_ANSWERS
from kotp2p.rendezvous.exchange import ELEMENT_BYTES, GuestExchange, HostExchange, Opening
from kotp2p.rendezvous.servers import Servers
from kotp2p.rendezvous.words import Code
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import CodeStep
from kotp2p.seams.world import CannotReach, Connection, World
from kotp2p.shell import find_host
from tests.support.courses import digest_of
from tests.support.memory_mailbox import MemoryMailboxes
from tests.support.memory_world import seeded

pytestmark = pytest.mark.virtual_time

CODE = Code(7412, 3, 5)
RELAY = "tcp:relay.test:4001"
SOON = TEST_SECONDS + 3 * TEST_ANSWER_SECONDS


@dataclass
class OpenDesk:
    desk: CodeDesk = field(init=False)
    mailboxes: MemoryMailboxes = field(default_factory=MemoryMailboxes)
    told: list[tuple[CodeStep, Code]] = field(default_factory=list)
    answering: trio.CancelScope = field(default_factory=trio.CancelScope)
    relayed: list[bool] = field(default_factory=list)
    """For each connection that comes through the relay: whether somebody is there."""

    async def accept(self, _connection: Connection) -> None:
        await trio.lowlevel.checkpoint()
        if not self.relayed or not self.relayed.pop(0):
            raise CannotReach("nobody", "")

    async def ask(self, code: Code = CODE, relay: str = RELAY) -> find_host.TableAddress | None:
        self.mailboxes.servers = Servers("ws://mailbox.test/v1", relay)
        guest = SimpleNamespace(rendezvous=self.mailboxes, entropy=os.urandom, program=("", "1"))
        return await find_host.ask_at_mailbox(cast(World, guest), code)

    async def introduce_guest(self) -> None:
        found = await self.ask()
        assert found is not None
        assert (found.secret, found.places[0], found.port) == (b"secret", "93.184.216.34", 4343)


@asynccontextmanager
async def open_desk() -> AsyncIterator[OpenDesk]:
    """A desk that has been found to work."""
    found = OpenDesk()
    place = HostPlace(b"secret", bytes(10), lambda: ("93.184.216.34",), lambda: 4343)
    desk = found.desk = CodeDesk(
        found.mailboxes, seeded("desk"), place, found.accept,
        lambda step, code: found.told.append((step, code)), CODE,
    )  # fmt: skip

    async def answer() -> None:
        with found.answering:
            await desk.run(nursery)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer)
        await trio.sleep(1)
        assert found.told == [(CodeStep.OPEN, CODE)]
        yield found
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("pause", "steps"),
    [(SOON + TEST_SECONDS, [CodeStep.OPEN]), (SOON, [CodeStep.OPEN, CodeStep.MOVED])],
)
async def test_a_connection_that_dies_without_a_word_costs_no_number_unless_it_dies_again_soon(
    pause: float, steps: list[CodeStep]
) -> None:
    """A router ends it now and then; a stranger who deletes the mailbox does so all the time."""
    async with open_desk() as found:
        for _ in steps * 2:
            found.mailboxes.cut_silently()
            await trio.sleep(pause)
        assert [step for step, _code in found.told[:2]] == steps


@pytest.mark.parametrize("trouble", ["deaf", "refused", "flooded", "crowded"])
async def test_a_number_at_which_nobody_is_heard_or_strangers_talk_is_given_up_and_the_words_stay(
    trouble: str, autojump_clock: trio.testing.MockClock
) -> None:
    async with open_desk() as found:
        getattr(found.mailboxes, trouble).add(CODE.number)
        await trio.sleep(SOON)
        (_, (step, code)) = found.told
        assert step is CodeStep.MOVED
        assert code.number != CODE.number
        assert (code.first, code.second) == (CODE.first, CODE.second)


async def test_guests_of_this_network_are_counted_on_at_the_next_number(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    monkeypatch.setattr(desks, "MAX_IDS", 2)
    async with open_desk() as found:
        found.desk._desk.guesses.note_wrong(0.0)
        for number, answered in ((1, True), (2, True), (3, False)):
            if number == 3:
                found.mailboxes.flooded.add(CODE.number)
                await trio.sleep(SOON)
            asked = GuestExchange(found.desk.code, seeded(f"guest {number}"))
            answer = found.desk.answer_on_link(f"{asked.id}/1", asked.open(), trio.current_time())
            assert (answer is not None) is answered
        assert found.desk._desk.guesses.wrong == 1


async def test_a_relay_that_says_without_end_that_a_guest_is_there_is_asked_ever_more_rarely(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with open_desk() as found:
        found.mailboxes.lies = True
        await found.introduce_guest()
        await trio.sleep(300)
        pauses = [after - before for before, after in pairwise(found.mailboxes.asked)]
        assert pauses == pytest.approx([1, 2, 4, 8, 16, 32, 60, 60, 60])


async def test_a_guest_who_was_introduced_comes_through_the_relay_after_another_player_answers(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """It comes back before this process has heard that its first link has ended."""
    async with open_desk() as found:
        await found.introduce_guest()
        found.answering.cancel()
        found.mailboxes.lies, found.relayed = True, [True]
        await trio.sleep(1)
        assert found.mailboxes.asked


@pytest.mark.parametrize(
    ("guest", "host", "told"),
    [("1.2.3.4", "1.2.3.4", 2), ("1.2.3.4", "1.2.3.5", 1), ("1.2.3.4", "", 1), ("", "", 1)],
)
async def test_only_guests_nearby_hear_private_addresses(guest: str, host: str, told: int) -> None:
    place = HostPlace(b"", b"", lambda: ("93.184.216.34", "192.168.1.7", "a.test"), lambda: 4343)
    async with open_desk() as found:
        found.desk.place, found.desk._seen_at = place, host
        where = [("93.184.216.34", 4343), ("192.168.1.7", 4343)]
        assert found.desk._introduce(guest).targets == tuple(where[:told])


async def test_a_relay_that_is_not_there_is_told_of_once_until_it_has_been_back() -> None:
    async with open_desk() as found:
        for missing in (False, True, True, False, True):
            found.desk._note_relay(missing=missing)
        assert found.told[1:] == [(CodeStep.NO_RELAY, CODE)] * 2


# -- strangers at the number of a game, where the host does not move away ------------------


draw = seeded("stranger")


def with_other_words(guest: str, opening: bytes) -> bytes:
    return HostExchange(replace(CODE, first=4), guest, draw).answer(opening)


def with_another_version(_guest: str, _opening: bytes) -> bytes:
    return Opening(1, 1, "", bytes(ELEMENT_BYTES)).encode()


@pytest.mark.parametrize(
    "strangers",
    [
        [],
        [with_other_words],
        [with_another_version] * MAX_ANSWERS,
        [lambda _guest, _opening: b"junk"] * MAX_ANSWERS,
        [with_other_words] * (MAX_ANSWERS - 1),
    ],
)
async def test_a_guest_comes_though_strangers_answer_before_the_host(
    strangers: list[Callable[[str, bytes], bytes]], autojump_clock: trio.testing.MockClock
) -> None:
    async with open_desk() as found:
        found.desk.share()
        found.mailboxes.impostors, began = strangers, trio.current_time()
        await found.introduce_guest()
        assert found.told == [(CodeStep.OPEN, CODE)]
        assert trio.current_time() == began, "nobody waits but for the server"


@pytest.mark.parametrize(
    ("strangers", "words", "kind", "seconds"),
    [
        ([], 4, EndKind.WRONG_WORDS, find_host.REFUSED_SECONDS),
        ([with_other_words], 5, EndKind.WRONG_WORDS, find_host.WORDS_SECONDS),
        ([with_another_version], None, EndKind.VERSION, find_host.REFUSED_SECONDS),
        (
            [with_other_words] * (MAX_ANSWERS + 1),
            None,
            EndKind.WRONG_WORDS,
            find_host.WORDS_SECONDS,
        ),
    ],
)
async def test_a_guest_is_refused_once_all_who_answer_refuse(
    strangers: list[Callable[[str, bytes], bytes]],
    words: int | None,
    kind: EndKind,
    seconds: float,
    autojump_clock: trio.testing.MockClock,
) -> None:
    """As nobody shows that it is the host, it waits longer for one that opens among several. Each
    that it confirms to may test a guess of the words: eight at most."""
    async with open_desk() as found:
        found.desk.share()
        if words is None:
            found.answering.cancel()
        found.mailboxes.impostors, began = strangers, trio.current_time()
        with pytest.raises(find_host.NotSeated) as fault:
            await found.ask(replace(CODE, first=words or CODE.first))
        assert fault.value.ending.kind is kind
        assert trio.current_time() - began == pytest.approx(seconds)
        assert len(found.mailboxes.phases(CODE.number, "/3")) <= MAX_ANSWERS


async def test_who_has_set_no_relay_is_shown_none() -> None:
    async with open_desk() as desk:
        found = await desk.ask(relay="")
        assert found is not None and found.places == ("93.184.216.34",)


async def test_a_test_of_the_last_code_says_nothing_of_the_next_one() -> None:
    async with open_desk() as found:
        found.mailboxes.deaf.add(CODE.number)
        await trio.sleep(TEST_SECONDS + 1.5 * TEST_ANSWER_SECONDS)
        found.desk.follow(Code(7413, 3, 5))
        await trio.sleep(SOON)
        assert found.desk.code == Code(7413, 3, 5)


async def test_a_recorded_evening_of_a_code_goes_as_it_went(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """Guests come, connections die, numbers are spoilt; the code is renewed, shared, followed."""
    chance, seen, began = Random(2), list[object](), trio.current_time()
    async with open_desk() as found:
        desk, mailboxes = found.desk, found.mailboxes
        for n in range(150):
            match chance.randrange(10):
                case 0:
                    chance.choice((mailboxes.cut, mailboxes.cut_silently))()
                case 1:
                    spoilt = chance.choice((mailboxes.deaf, mailboxes.refused, mailboxes.flooded))
                    spoilt.add(desk.code.number)
                case 2 if n % 2:
                    desk.renew()
                case 2:
                    desk.follow(Code(n % 40, 1, 2))
                case 3 if n % 5 == 0:
                    desk.share()
                case 4:
                    mailboxes.lies, found.relayed = not mailboxes.lies, [True, False]
                case 5 | 6:
                    words = replace(desk.code, first=chance.choice((desk.code.first, 9)))
                    with suppress(find_host.NotSeated):
                        seen.append(await found.ask(words) is not None)
            await trio.sleep(chance.choice((0.7, 7.3, 8.9, 71.9)) * chance.random())
            told, asked = [step for step, _ in found.told], [at - began for at in mailboxes.asked]
            seen += [told[-3:], [round(at, 2) for at in asked[-3:]], desk._desk.is_first]
            seen += [desk._desk.guesses.wrong, desk._is_open]
        assert digest_of(seen) == "2a686796831f8b88"
