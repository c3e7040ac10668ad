"""A guest in the lobby whose link to the host breaks, over a network in memory."""

from dataclasses import dataclass, field
from typing import cast

import pytest
import trio

from kotp2p.lobby.guest import GuestLobby
from kotp2p.net.connections import Connections
from kotp2p.net.links import Link
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import HostLinkChanged, LobbyChanged
from kotp2p.shell import find_host
from kotp2p.shell.find_host import HostSearch, NotSeated, TableAddress
from kotp2p.wire.frames import SEAT_KEPT_SECONDS
from tests.support.memory_tables import TestTable

pytestmark = pytest.mark.virtual_time

GUEST = "10.0.0.2"
HOST = "10.0.0.1"


def away(table: TestTable) -> list[bool]:
    """Of each taken seat, as the host was told last."""
    last = table.front(0).seen(LobbyChanged)[-1]
    return [seat.away for seat in last.seats if seat is not None]


async def test_a_guest_whose_link_breaks_comes_back_by_itself_and_plays() -> None:
    table = TestTable(players=3, start_when_full=False)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.host)
        await trio.sleep(1)
        nursery.start_soon(table.guest, 1)
        await trio.sleep(3)
        table.net.cut(HOST, GUEST)
        await trio.sleep(0.1)
        assert away(table) == [False, True]
        await trio.sleep(SEAT_KEPT_SECONDS - 20)
        table.net.undialable.clear()
        await trio.sleep(15)
        assert away(table) == [False, False]
        assert table.front(1).seen(HostLinkChanged) == [
            HostLinkChanged(stands=False), HostLinkChanged(stands=True),
        ]  # fmt: skip
        table.front(0).control.start()
    assert table.endings[0].kind is table.endings[1].kind is EndKind.FINISHED


async def test_a_guest_whose_host_has_ended_is_not_kept_waiting() -> None:
    table = TestTable(players=3, start_when_full=False)
    began = 0.0
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.host)
        await trio.sleep(1)
        nursery.start_soon(table.guest, 1)
        await trio.sleep(3)
        table.kill(0)
        began = trio.current_time()
    assert table.endings[1].kind is EndKind.LOST_HOST
    assert trio.current_time() - began < SEAT_KEPT_SECONDS / 4


async def test_a_guest_that_was_removed_while_away_reads_it() -> None:
    """It has no seat any more, and asks for none."""
    table = TestTable(players=2, start_when_full=False)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.host)
        await trio.sleep(1)
        nursery.start_soon(table.guest, 1)
        await trio.sleep(3)
        control = table.front(0).control
        table.net.cut(HOST, GUEST)
        await trio.sleep(0.05)
        control.remove("Guest 1")
        control.add_bot()
        table.net.undialable.clear()
        await trio.sleep(30)
        assert 1 in table.endings
        control.leave()
    assert table.endings[1].kind is EndKind.FULL


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


@pytest.mark.parametrize(
    "trouble", [EndKind.RELAY_GONE, EndKind.RELAY_SILENT, EndKind.RELAY_REFUSES]
)
async def test_a_relay_that_starts_again_does_not_end_the_search(
    trouble: EndKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest, attempts = AwayGuest(), iter([trouble] * 9)

    async def connect(_connections: Connections, _table: TableAddress) -> tuple[Link, str]:
        for kind in attempts:
            raise NotSeated(Ending(kind))
        return cast("Link", object()), "relay"

    monkeypatch.setattr(find_host, "connect_to_host", connect)
    table = TableAddress(("relay",), 0)
    await HostSearch(cast("GuestLobby", guest), table, cast("Connections", guest)).run()
    assert not guest.given_up
    assert not guest.is_away
