"""The code of a table in a game: whose word counts, who answers, who is told."""

import os
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio

from kotp2p.lobby.known_keys import NewKeyPolicy
from kotp2p.net.connections import Listener
from kotp2p.net.links import FrameReceived, Link, LinkClosed
from kotp2p.rendezvous.servers import Servers
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import CodeStep, TableCode
from kotp2p.seams.world import MailboxTrouble, Net, Rendezvous
from kotp2p.shell.profile import open_profile
from kotp2p.shell.run import HostedTable, HostOptions, SeatWish
from kotp2p.shell.table_code import ABSENCE_SECONDS, CHANGES_AT_ONCE, HeldCode
from kotp2p.wire.crypto import key_fingerprint
from kotp2p.wire.frames import CodeTold
from tests.support.five_players import genesis
from tests.support.game_of_one import FakeLink, Here
from tests.support.memory_mailbox import accept_nobody
from tests.support.memory_tables import Recorder
from tests.support.memory_world import MemoryNet, world

CODE = CodeTold(7412, 10, 20)
OTHER = CodeTold(1000, 30, 40)
SERVERS = Servers("ws://127.0.0.1:1/v1", "tcp:127.0.0.1:1")


@dataclass
class Deaf:
    """A mailbox server that answers nobody; when it was asked."""

    asked: list[float] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    servers: Servers = SERVERS

    def mailbox(self, _side: str, number: int) -> object:
        self.numbers.append(number)
        self.asked.append(trio.current_time())
        raise MailboxTrouble("it is not there")


def held(deaf: Deaf, front: Recorder) -> HeldCode:
    here = replace(world(MemoryNet(), "10.0.0.1", "a"), rendezvous=cast(Rendezvous, deaf))
    code = HeldCode(here, front, accept_nobody)
    code.listen_at(None, os.urandom(32), b"")
    return code


def test_guests_hear_where_the_listener_is_now() -> None:
    code = held(Deaf(), Recorder("ana"))
    places = ["10.0.0.1"]
    listener = SimpleNamespace(port=4242, addresses=lambda: tuple(places))
    code.listen_at(cast(Listener, listener), bytes(32), b"")
    places[0], listener.port = "10.0.0.5", 5151
    assert code.place is not None
    assert (code.place.addresses(), code.place.port()) == (("10.0.0.5",), 5151)


@pytest.mark.parametrize(("told", "is_news"), [(CODE, False), (OTHER, True)])
def test_a_player_is_shown_another_code_and_not_the_same(told: CodeTold, *, is_news: bool) -> None:
    front = Recorder("Rex")
    code = held(Deaf(), front)
    code.known = CODE
    code.hear(0, told, 0.0)
    assert code.known == told
    assert [shown.step for shown in front.seen(TableCode)] == [CodeStep.MOVED] * is_news


def test_a_player_who_changes_the_code_without_end_is_heard_eight_times_and_holds_up_nobody() -> (
    None
):
    code = held(Deaf(), Recorder("Rex"))
    for number in range(2000, 2020):
        code.hear(1, replace(CODE, number=number), 0.0)
    assert code.known == replace(CODE, number=1999 + CHANGES_AT_ONCE)
    code.hear(0, OTHER, 0.0)
    assert code.known == OTHER


@pytest.mark.virtual_time
async def test_a_code_is_answered_only_while_that_is_wanted() -> None:
    deaf = Deaf()
    code = held(deaf, Recorder("Rex"))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(code.run)
        await trio.sleep(10)
        assert not deaf.asked
        code.answer()
        await trio.sleep(10)
        assert not deaf.asked, "no code is known"
        code.hear(0, CODE, trio.current_time())
        await trio.sleep(10)
        count = len(deaf.asked)
        assert count
        code.answer(wanted=False)
        await trio.sleep(100)
        assert len(deaf.asked) == count
        nursery.cancel_scope.cancel()


@pytest.mark.virtual_time
async def test_a_player_who_answers_goes_to_the_number_that_another_one_has_drawn() -> None:
    deaf = Deaf()
    code = held(deaf, Recorder("Rex"))
    code.known = CODE
    async with trio.open_nursery() as nursery:
        nursery.start_soon(code.run)
        code.answer()
        await trio.sleep(0.7)
        assert set(deaf.numbers) == {CODE.number}
        deaf.numbers.clear()
        code.hear(0, OTHER, trio.current_time())
        await trio.sleep(0.7)
        assert set(deaf.numbers) == {OTHER.number}
        nursery.cancel_scope.cancel()


def addresses_of(bind: str | None) -> tuple[tuple[str, ...], bool]:
    """A machine without any network yet; a table may be bound to one all the same."""
    return ("here", bind or "all"), bind != "10.0.0.1"


@pytest.mark.parametrize(
    ("has_code", "changed", "servers", "is_solo"),
    [
        (True, {}, SERVERS, False), (True, {"bind": "10.0.0.1"}, SERVERS, False),
        (True, {"code": CODE}, SERVERS, False), (False, {"bind": "127.0.0.1"}, SERVERS, False),
        (False, {"with_code": False}, SERVERS, False), (False, {}, Servers("", ""), False),
        (False, {}, None, False), (False, {}, SERVERS, True),
    ],
)  # fmt: skip
async def test_a_table_has_a_code_where_others_can_come_by_one_and_a_rematch_has_the_last_one(
    has_code: bool, changed: dict[str, Any], servers: Servers | None, is_solo: bool
) -> None:
    front, options = Recorder("Ana"), HostOptions(secret=bytes(10), **changed)
    code = held(Deaf(servers=servers or SERVERS), front)
    net = cast(Net, SimpleNamespace(addresses=addresses_of))
    here = replace(code.world, net=net, rendezvous=code.world.rendezvous if servers else None)
    profile = await open_profile(code.world, front, NewKeyPolicy.ASK)
    table = HostedTable(here, front, SeatWish("Ana"), options, profile, is_solo)
    assert table.open_code(code) == (SERVERS.relay if has_code else "")
    is_rematch = options.code is not None
    assert (code.known is not None, code.known == CODE) == (has_code, is_rematch)
    assert (code.is_host, code._is_wanted, code._is_shared) == (has_code, has_code, is_rematch)
    place = code.place
    if has_code:
        assert place is not None
        assert (place.secret, place.port()) == (bytes(10), 0)
        assert place.host == key_fingerprint(profile.signer.key)
        assert place.addresses() == ("here", options.bind or "all")


HOST = genesis().charter.host
ORDER = sorted(genesis().keepers, key=lambda seat: (seat != HOST, seat))


def seated(place: int) -> tuple[Here, list[bool]]:
    """The process of the player who comes as the `place`th, and from when to when it answers."""
    here, said = Here(ORDER[place]), list[bool]()
    code = SimpleNamespace(
        known=CODE, can_answer=True, answer=lambda *, wanted: said.append(wanted)
    )
    here.stage.loop.code = code  # type: ignore[assignment]  # it is a namespace here
    return here, said


@pytest.mark.parametrize(
    ("place", "present", "answers"),
    [
        (0, (), True), (1, (), True), (1, (2,), True), (1, (0,), False), (2, (1,), False),
        (2, (3,), True),
    ],
)  # fmt: skip
@pytest.mark.virtual_time
async def test_the_host_answers_and_else_the_first_present_player_in_seat_order(
    place: int, present: tuple[int, ...], *, answers: bool
) -> None:
    here, wanted = seated(place)
    for n in present:
        here.accept(FakeLink(ORDER[n], n + 1, True))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(here.stage._answer_in_turn)
        await trio.sleep(ABSENCE_SECONDS + 1)
        nursery.cancel_scope.cancel()
    assert wanted == [answers]


@pytest.mark.virtual_time
async def test_who_comes_back_takes_the_answering_over() -> None:
    here, wanted = seated(1)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(here.stage._answer_in_turn)
        await trio.sleep(ABSENCE_SECONDS + 1)
        back = FakeLink(HOST, 1, True)
        here.accept(back)
        await trio.sleep(1)
        assert wanted == [True, False]
        here.stage.accept_item(LinkClosed(cast(Link, back)), 0.0)
        await trio.sleep(ABSENCE_SECONDS - 1)
        assert wanted == [True, False], "the host may be on its way"
        here.accept(FakeLink(ORDER[2], 2, True))
        await trio.sleep(ABSENCE_SECONDS + 1)
        assert wanted == [True, False, True]
        nursery.cancel_scope.cancel()


@pytest.mark.virtual_time
async def test_after_the_end_nobody_takes_the_answering_over() -> None:
    """Who has answered may be the host of the next table, to which guests come by this code."""
    here, wanted = seated(1)
    back = FakeLink(HOST, 1, True)
    here.accept(back)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(here.stage._answer_in_turn)
        await trio.sleep(ABSENCE_SECONDS + 1)
        here.stage.ending = Ending(EndKind.FINISHED)
        here.stage.accept_item(LinkClosed(cast(Link, back)), 0.0)
        await trio.sleep(ABSENCE_SECONDS + 1)
        nursery.cancel_scope.cancel()
    assert wanted == [False]


def listening(place: int, known: CodeTold | None = CODE) -> tuple[Here, HeldCode]:
    """The process of the player who comes as the `place`th, with links to nobody."""
    here = Here(ORDER[place])
    code = held(Deaf(), Recorder("Rex"))
    code.known = known
    here.stage.loop.code = code
    return here, code


@pytest.mark.parametrize(
    ("place", "present", "source", "is_heard"),
    [
        (3, (0, 1, 2), 0, True), (3, (0, 1, 2), 1, False), (3, (0, 1, 4), 4, False),
        (3, (1, 2), 1, True), (3, (1, 2), 2, False), (3, (4,), 4, False), (0, (1,), 1, False),
        (1, (2,), 2, False),
    ],
)  # fmt: skip
async def test_only_the_player_who_answers_the_code_can_change_it(
    place: int, present: tuple[int, ...], source: int, *, is_heard: bool
) -> None:
    here, code = listening(place)
    links = {n: FakeLink(ORDER[n], n + 1, True) for n in present}
    for link in links.values():
        here.accept(link)
    here.stage.accept_item(FrameReceived(cast(Link, links[source]), OTHER), 0.0)
    assert code.known == (OTHER if is_heard else CODE)


async def test_what_a_guest_said_while_the_host_was_away_ends_with_the_word_of_the_host() -> None:
    here, code = listening(3)
    guest, host = (FakeLink(ORDER[n], n + 1, True) for n in (1, 0))
    here.accept(guest)
    for number in range(2000, 2020):
        told = replace(OTHER, number=number)
        here.stage.accept_item(FrameReceived(cast(Link, guest), told), 0.0)
    here.accept(host)
    here.stage.accept_item(FrameReceived(cast(Link, host), CODE), 0.0)
    here.stage.accept_item(FrameReceived(cast(Link, guest), OTHER), 100.0)
    assert code.known == CODE


async def test_a_host_that_has_lost_its_files_learns_the_code_from_the_others() -> None:
    here, code = listening(0, known=None)
    guest = FakeLink(ORDER[2], 1, True)
    here.accept(guest)
    for told in (CODE, OTHER):
        here.stage.accept_item(FrameReceived(cast(Link, guest), told), 0.0)
    assert code.known == CODE


async def test_a_player_who_links_is_told_the_code() -> None:
    here, _wanted = seated(1)
    here.accept(FakeLink(ORDER[2], 7, True))
    assert (7, CODE) in here.sent
