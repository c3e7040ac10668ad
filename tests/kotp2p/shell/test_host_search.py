"""A guest in the lobby whose link to the host breaks, over a network in memory."""

from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock

import pytest
import trio

from kotp2p.lobby.guest import GuestLobby
from kotp2p.lobby.lobby_effects import LINK_TO_HOST
from kotp2p.net.code_desk import CodeDesk, HostPlace
from kotp2p.net.connections import Connections
from kotp2p.net.links import Link
from kotp2p.rendezvous.exchange import is_relay_place
from kotp2p.rendezvous.servers import Servers
from kotp2p.rendezvous.words import Code
from kotp2p.seams.commands import Front
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import AskingByCode
from kotp2p.seams.world import World
from kotp2p.shell import find_host
from kotp2p.wire.frames import SEAT_KEPT_SECONDS
from tests.support.memory_mailbox import MemoryMailboxes, accept_nobody
from tests.support.memory_tables import Recorder
from tests.support.memory_world import seeded

pytestmark = pytest.mark.virtual_time

CODE = Code(7412, 3, 5)


@dataclass
class AwayGuest:
    """What a search needs of a lobby and of its connections."""

    is_away: bool = True
    links: dict[int, Link] = field(default_factory=dict)
    given_up: list[EndKind] = field(default_factory=list)

    def give_up_return(self, kind: EndKind, _detail: str = "") -> None:
        self.given_up.append(kind)
        self.is_away = False

    def serve_link(self, _link: Link) -> None:
        self.is_away = False


def search_of(guest: AwayGuest, table: find_host.TableAddress) -> find_host.HostSearch:
    lobby, connections = cast("GuestLobby", guest), cast("Connections", guest)
    return find_host.HostSearch(cast("World", None), lobby, table, connections)


OLD = find_host.TableAddress(("10.0.0.1",), 4242, host=b"host", code=CODE)
REFUSED, SILENT = EndKind.REFUSED, EndKind.NO_ANSWER
RELAY_STARTS = [EndKind.RELAY_GONE, EndKind.RELAY_SILENT, EndKind.RELAY_REFUSES]
DIALS = [0.1, 2.1, 5.1, 9.6, 14.6, 19.6, 24.6, 29.6, 34.6]


@pytest.mark.parametrize(
    ("met", "dials", "asks", "given_up"),
    [
        ([REFUSED] * 9, 4, [], [EndKind.LOST_HOST]), ([EndKind.FULL], 1, [], [EndKind.FULL]),
        ([REFUSED, REFUSED, SILENT, REFUSED, REFUSED, REFUSED, SILENT], 8, [29.6], []),
        ([*RELAY_STARTS] * 2, 7, [5.1, 14.6, 24.6], []),
        ([SILENT] * 8, 9, [5.1, 14.6, 24.6, 34.6], []),
    ],
)  # fmt: skip
async def test_a_host_is_dialled_ever_more_seldom_until_it_answers_or_has_ended(
    met: list[EndKind],
    dials: int,
    asks: list[float],
    given_up: list[EndKind],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its code is asked after each two silent dials; only four refusals in a row are its end."""
    guest, attempts, dialled, asked = AwayGuest(), iter(met), list[float](), list[float]()
    guest.links[LINK_TO_HOST] = old = Mock()
    old.cut.side_effect = lambda: old.cut.call_count == 2 and guest.links.pop(LINK_TO_HOST)

    async def connect(_connections: Connections, table: find_host.TableAddress) -> tuple[Link, str]:
        assert table == OLD
        dialled.append(round(trio.current_time(), 3))
        for kind in attempts:
            raise find_host.NotSeated(Ending(kind))
        return cast("Link", object()), "here"

    async def find(_world: World, code: Code, _front: Front | None) -> find_host.TableAddress:
        asked.append(round(trio.current_time(), 3))
        return OLD

    monkeypatch.setattr(find_host, "connect_to_host", connect)
    monkeypatch.setattr(find_host, "find_by_code", find)
    await search_of(guest, OLD).run()
    assert (dialled, asked, guest.given_up) == (DIALS[:dials], asks, given_up)
    assert not guest.is_away


@pytest.mark.parametrize(
    ("host", "code", "is_found"),
    [(b"host", CODE, True), (b"another", CODE, False), (b"host", None, False)],
)
async def test_a_host_that_has_moved_is_found_by_its_code(
    host: bytes,
    code: Code | None,
    *,
    is_found: bool,
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is the same host only by its key; nobody else gets the guest."""
    guest, new = AwayGuest(), replace(OLD, places=("10.9.0.1",), host=host)

    async def connect(_connections: Connections, table: find_host.TableAddress) -> tuple[Link, str]:
        await trio.sleep(1)
        if table == new:
            return cast("Link", object()), "10.9.0.1"
        raise find_host.NotSeated(Ending(EndKind.NO_ANSWER))

    async def find(_world: World, asked: Code, _front: Front | None) -> find_host.TableAddress:
        assert asked == CODE
        return new

    monkeypatch.setattr(find_host, "connect_to_host", connect)
    monkeypatch.setattr(find_host, "find_by_code", find)
    with trio.move_on_after(SEAT_KEPT_SECONDS):
        await search_of(guest, replace(OLD, code=code)).run()
    assert guest.is_away is not is_found


@pytest.mark.parametrize("why", ["nobody", "flooded", "refused"])
async def test_a_number_at_which_no_host_is_heard_is_asked_for_half_a_minute(why: str) -> None:
    """Nobody is there, strangers say more than is read of them, or the server lets nobody in."""
    mailboxes, front = MemoryMailboxes(), Recorder("Rex")
    getattr(mailboxes, why, set[int]()).add(CODE.number)
    world = SimpleNamespace(
        rendezvous=mailboxes, entropy=seeded("guest"), program=("", "1"), lan=None
    )
    with pytest.raises(find_host.NotSeated) as fault:
        await find_host.find_by_code(cast(World, world), CODE, front)
    assert fault.value.ending == Ending(EndKind.NOBODY_AT_NUMBER, str(CODE.number))
    assert (
        find_host.ASKING_SECONDS
        <= trio.current_time()
        < find_host.ASKING_SECONDS + 2 * find_host.ATTEMPT_SECONDS
    )
    first, *again = front.seen(AskingByCode)
    assert not first.is_again
    assert again
    assert all(notice.is_again for notice in again)


@pytest.mark.parametrize("rendezvous", [None, MemoryMailboxes(servers=Servers("", ""))])
async def test_without_a_mailbox_a_code_leads_nowhere(rendezvous: Any) -> None:
    with pytest.raises(find_host.NotSeated) as fault:
        await find_host.ask_at_mailbox(cast(World, SimpleNamespace(rendezvous=rendezvous)), CODE)
    assert fault.value.ending == Ending(EndKind.NO_MAILBOX)


RELAY = "tcp:relay.test:4001"


async def asked(servers: MemoryMailboxes, relay_of_guest: str) -> find_host.TableAddress | None:
    """What a guest learns of a host whose only address is a private one elsewhere."""
    place = HostPlace(b"secret", bytes(10), lambda: ("10.0.0.9",), lambda: 4242)
    is_open = trio.Event()
    desk = CodeDesk(
        servers, seeded("desk"), place, accept_nobody,
        lambda _step, _code: is_open.set(), CODE,
    )  # fmt: skip
    own = replace(servers, servers=replace(servers.servers, relay=relay_of_guest))
    world = SimpleNamespace(rendezvous=own, entropy=seeded("guest"), program=("", "1"))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(desk.run, nursery)
        await is_open.wait()
        try:
            return await find_host.ask_at_mailbox(cast(World, world), CODE)
        finally:
            nursery.cancel_scope.cancel()


@pytest.mark.parametrize("relay", [RELAY, "tcp:another.test:4001"])
async def test_a_guest_meets_the_host_at_the_relay_of_the_host(relay: str) -> None:
    servers = MemoryMailboxes(servers=Servers("ws://mailbox.test/v1", RELAY))
    found = await asked(servers, relay)
    assert found is not None
    assert found.relay == RELAY
    assert [is_relay_place(place) for place in found.places] == [True]


@pytest.mark.parametrize(("theirs", "own"), [(RELAY, ""), ("", RELAY)])
async def test_a_relay_is_asked_only_where_both_sides_have_set_one(theirs: str, own: str) -> None:
    servers = MemoryMailboxes(servers=Servers("ws://mailbox.test/v1", theirs))
    with pytest.raises(ExceptionGroup) as faults:
        await asked(servers, own)
    (fault,) = faults.value.exceptions
    assert isinstance(fault, find_host.NotSeated)
    assert fault.ending == Ending(EndKind.NO_DIRECT_WAY)


@pytest.mark.parametrize(
    ("kind", "relay", "said"),
    [
        (EndKind.NO_ANSWER, "", EndKind.NO_DIRECT_WAY),
        (EndKind.REFUSED, "", EndKind.NO_DIRECT_WAY),
        (EndKind.NO_ANSWER, RELAY, EndKind.NO_ANSWER),
        (EndKind.FULL, "", EndKind.FULL),
    ],
)
def test_an_address_that_a_code_led_to_is_not_to_be_compared_with_a_screen(
    kind: EndKind, relay: str, said: EndKind
) -> None:
    table = find_host.TableAddress(("44.128.0.1",), 4242, relay=relay)
    assert find_host.without_relay(Ending(kind), table).kind is said
