"""Multicast DNS with itself, on loopback only."""

import asyncio
import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import cast

import pytest
import trio
from zeroconf import ServiceStateChange, Zeroconf
from zeroconf._dns import DNSPointer
from zeroconf.asyncio import AsyncZeroconf

from kotp2p.net import lan
from kotp2p.net.lan import MachineLan
from kotp2p.seams.world import LanTrouble
from kotp2p.wire.addresses import FoundTable, Poster
from tests.support.memory_world import seeded

pytestmark = pytest.mark.usefixtures("loopback_alone")
POSTER = Poster("A. \u00fc" + "\u00e9" * 8, "second", 6, 4, 4242, code_number=7412)
FEW = 30
"""Looks of half a second until what must come has come."""


async def until(there: MachineLan, seen: Callable[[tuple[FoundTable, ...]], bool]) -> None:
    for _ in range(FEW):
        found = await there.browse(0.5)
        if seen(tuple(t for t in found if t.poster.host == POSTER.host)):
            return
    raise AssertionError(found)


async def test_a_table_is_found_changed_and_withdrawn() -> None:
    here, there = (MachineLan(seeded(name), ("127.0.0.1",)) for name in "ab")
    announced = trio.Event()
    posters_in, posters = trio.open_memory_channel[Poster](math.inf)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(here.announce, None, posters, announced.set)
        posters_in.send_nowait(replace(POSTER, free=5))
        posters_in.send_nowait(POSTER)
        await until(there, lambda found: found == (FoundTable(POSTER, ("127.0.0.1",), (7412,)),))
        await announced.wait()
        fuller = replace(POSTER, free=0, open=False)
        posters_in.send_nowait(fuller)
        await until(there, lambda found: [t.poster for t in found] == [fuller])
        posters_in.close()
    assert await there.browse(0.5) == ()


async def test_two_tables_of_one_name_are_two() -> None:
    async with trio.open_nursery() as nursery:
        for port in (4242, 4243):
            posters_in, posters = trio.open_memory_channel[Poster](1)
            here = MachineLan(seeded(str(port)), ("127.0.0.1",))
            nursery.start_soon(here.announce, None, posters, lambda: None)
            posters_in.send_nowait(replace(POSTER, port=port))
        there = MachineLan(seeded("c"), ("127.0.0.1",))
        await until(there, lambda found: [t.poster.port for t in found] == [4242, 4243])
        nursery.cancel_scope.cancel()
    assert await there.browse(0.5) == ()


@pytest.mark.parametrize(
    ("interfaces", "bind"),
    [
        (("203.0.113.9",), None),  # no interface of this machine
        (("127.0.0.1",), "203.0.113.9"),
        (("127.0.0.1",), "::"),
        (("127.0.0.1",), "localhost"),
    ],
)
async def test_no_announcement_is_trouble(interfaces: tuple[str, ...], bind: str | None) -> None:
    posters_in, posters = trio.open_memory_channel[Poster](1)
    posters_in.send_nowait(POSTER)
    with pytest.raises(LanTrouble):
        await MachineLan(seeded("a"), interfaces).announce(bind, posters, lambda: None)


async def test_looking_where_no_interface_is() -> None:
    with pytest.raises(LanTrouble, match="on no private network"):
        await MachineLan(seeded("a"), ("203.0.113.9",)).browse(0.1)


async def test_what_is_broken_off_before_it_has_begun_ends_as_soon_as_it_begins() -> None:
    class Endless:
        async def do(self, zero: AsyncZeroconf) -> None:
            await asyncio.sleep(math.inf)

    work = lan._Thread(("127.0.0.1",), Endless())
    work.set(work.ended)
    with trio.fail_after(60), trio.CancelScope() as scope:
        await work.run(scope)
    assert work.finished.is_set()
    assert work.trouble is None


async def test_looking_around_can_be_broken_off() -> None:
    with trio.fail_after(60), trio.move_on_after(1) as soon:
        await MachineLan(seeded("a"), ("127.0.0.1",)).browse(math.inf)
    assert soon.cancelled_caught


def test_the_variable_that_names_the_interfaces(monkeypatch: pytest.MonkeyPatch) -> None:
    entropy = seeded("a")
    monkeypatch.setenv(lan.INTERFACES_VARIABLE, " 127.0.0.1, ::1,")
    assert lan.lan_of_this_machine(entropy) == MachineLan(entropy, ("127.0.0.1", "::1"))
    monkeypatch.setenv(lan.INTERFACES_VARIABLE, " ")
    assert lan.lan_of_this_machine(entropy) is None
    monkeypatch.delenv(lan.INTERFACES_VARIABLE)
    assert lan.lan_of_this_machine(entropy) == MachineLan(entropy, None)


def test_an_answer_that_cannot_be_repeated_is_forgotten() -> None:
    """A question repeats all known answers: one that cannot be written would stop them all."""
    _asked, known = asyncio.run(_look_around(b"\x80".decode("utf-8", "replace") * 22, "Ana"))
    assert known == ["Ana"]


async def _look_around(*labels: str) -> tuple[int, list[str]]:
    """How many of the tables that were announced at once are asked for their properties, and the
    first labels of those that are still known."""
    zero = AsyncZeroconf(interfaces=["127.0.0.1"])
    records = [DNSPointer(lan.SERVICE_TYPE, 12, 1, 120, f"{n}.{lan.SERVICE_TYPE}") for n in labels]
    zero.zeroconf.cache.async_add_records(records)
    browsing = lan._Browsing(0.05)
    await browsing.do(zero)
    found = zero.zeroconf.cache.async_entries_with_name(lan.SERVICE_TYPE)
    await zero.async_close()
    known = [one.alias.partition(".")[0] for one in found if isinstance(one, DNSPointer)]
    return len(browsing._names), known


def test_so_many_tables_are_heard_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody on the network can announce tables without end."""
    monkeypatch.setattr(lan, "MAX_HEARD_RECORDS", 3)
    assert asyncio.run(_look_around("a", "b", "c", "d", "e"))[0] == 3


@pytest.mark.parametrize(("label", "is_known"), [("a", True), ("bad\x00name", False)])
def test_a_table_of_a_name_that_cannot_be_is_not_asked_for(label: str, is_known: bool) -> None:
    asked = []

    class Info:
        async def async_request(self, zeroconf: object, wait: float) -> bool:
            asked.append(wait)
            return True

    async def ask() -> bool:
        return await lan._Browsing(0.05)._ask(cast(Zeroconf, None), f"{label}.{lan.SERVICE_TYPE}")

    with pytest.MonkeyPatch.context() as patch:
        if is_known:
            patch.setattr(lan, "_named", lambda _: Info())
        assert asyncio.run(ask()) is is_known
    assert asked == [50.0] * is_known


ADDED, REMOVED = ServiceStateChange.Added, ServiceStateChange.Removed


@pytest.mark.parametrize(
    ("changes", "asked"),
    [([ADDED], 2), ([ADDED, ADDED], 2), ([ADDED, REMOVED], 1), ([ADDED, REMOVED, ADDED], 3)],
)
def test_a_table_that_is_withdrawn_is_not_looked_up_until_it_is_back(
    changes: list[ServiceStateChange], asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is asked for when it is heard of, and looked up at the end."""
    names: list[str] = []

    @asynccontextmanager
    async def browser(
        zeroconf: Zeroconf, kind: str, handlers: list[Callable[..., None]]
    ) -> AsyncIterator[None]:
        for change in changes:
            handlers[0](zeroconf, kind, f"a.{kind}", change)
        yield

    monkeypatch.setattr("zeroconf.asyncio.AsyncServiceBrowser", browser)
    monkeypatch.setattr(lan, "_named", names.append)
    asyncio.run(_look_around())
    assert names == [f"a.{lan.SERVICE_TYPE}"] * asked


def test_by_default_tables_are_announced_where_this_machine_has_a_private_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = (("eth0", "192.168.1.7"), ("eth1", "8.8.8.8"))
    monkeypatch.setattr(lan, "own_addresses", lambda: own)
    assert MachineLan(seeded("a"), None)._addresses() == ("192.168.1.7",)
    assert MachineLan(seeded("a"), ("8.8.8.8", "10.0.0.1"))._addresses() == ("8.8.8.8",)
