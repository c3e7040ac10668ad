"""A router that is asked for a port: its answers, what is closed again, what others are told."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
import trio

from kotp2p.net import router as module
from kotp2p.net.interfaces import dialable
from kotp2p.net.router import NetBehindRouter, UpnpRouter, find_gateway
from kotp2p.router_notices import RouterFault
from kotp2p.world import RouterTrouble
from tests.support.memory_world import MemoryHost, MemoryNet

PUBLIC, HERE = "8.8.4.4", "192.168.1.20"
LOOPBACK = "127.0.0.1"
FOR_EVER_ONLY = "OnlyPermanentLeasesSupported"


@dataclass
class FakeGateway:
    """As miniupnpc, which raises nothing but bare exceptions."""

    public: str | None = PUBLIC
    lanaddr: str = HERE
    taken: tuple[str, int] | None = None
    faults: list[str] = field(default_factory=list)
    """What it says to the next mappings; empty: it agrees."""
    leases: dict[int, tuple[str, int, int]] = field(default_factory=dict)

    def externalipaddress(self) -> str | None:
        return self.public

    def getspecificportmapping(self, port: int, protocol: str) -> tuple[str, int] | None:
        return self.taken

    def addportmapping(
        self, port: int, protocol: str, host: str, inner: int, what: str, remote: str, seconds: int
    ) -> bool:
        if fault := self.faults.pop(0) if self.faults else "":
            raise Exception(fault)
        assert (protocol, what, remote) == ("TCP", "kotp2p", "")
        self.leases[port] = (host, inner, seconds)
        return True

    def deleteportmapping(self, port: int, protocol: str) -> bool:
        del self.leases[port]
        return True


def router_of(gateway: FakeGateway, interface: str = "") -> UpnpRouter:
    return UpnpRouter(interface, lambda _interface: gateway)


async def fault_of(router: UpnpRouter) -> tuple[RouterFault, str]:
    with pytest.raises(RouterTrouble) as trouble:
        await router.open_port(4242, 1800)
    return trouble.value.fault, trouble.value.detail


async def test_a_port_is_opened_for_a_time_prolonged_and_closed() -> None:
    gateway = FakeGateway()
    router = router_of(gateway)
    assert await router.open_port(4242, 1800) == PUBLIC
    assert gateway.leases == {4242: (HERE, 4242, 1800)}
    gateway.taken = (HERE, 4242)  # by this program
    assert await router.open_port(4242, 900) == PUBLIC
    assert gateway.leases == {4242: (HERE, 4242, 900)}
    await router.close_port(4242)
    assert gateway.leases == {}
    await router.close_port(4242)  # the gateway knows it no more, and is not asked again


async def test_only_a_port_that_was_asked_for_is_closed() -> None:
    gateway = FakeGateway(leases={4242: ("192.168.1.30", 4242, 0)}, taken=("192.168.1.30", 4242))
    router = router_of(gateway)
    await router.close_port(4242)
    assert await fault_of(router) == (RouterFault.TAKEN, "192.168.1.30")
    await router.close_port(4242)
    assert gateway.leases


async def test_the_only_address_that_listens_is_the_one_to_which_the_port_leads() -> None:
    gateway = FakeGateway()
    await router_of(gateway, "192.168.1.21").open_port(4242, 1800)
    assert gateway.leases[4242][0] == "192.168.1.21"


async def test_a_router_that_opens_ports_only_for_ever_does_so() -> None:
    gateway = FakeGateway(faults=[FOR_EVER_ONLY])
    await router_of(gateway).open_port(4242, 1800)
    assert gateway.leases == {4242: (HERE, 4242, 0)}


@pytest.mark.parametrize(
    ("said", "fault", "detail"),
    [
        (FOR_EVER_ONLY, RouterFault.REFUSED, FOR_EVER_ONLY),
        ("Action not authorized", RouterFault.REFUSED, "Action not authorized"),
        ("ConflictInMappingEntry", RouterFault.TAKEN, ""),
    ],
)
async def test_why_a_router_opens_no_port(said: str, fault: RouterFault, detail: str) -> None:
    """Also one that would open it for ever only, and then does not."""
    assert await fault_of(router_of(FakeGateway(faults=[said, said]))) == (fault, detail)


@pytest.mark.parametrize(
    "address", [None, "", "0.0.0.0", "100.64.0.5", "10.1.2.3", "192.168.178.20"]
)
async def test_a_router_without_a_public_address_is_asked_for_nothing_more(
    address: str | None,
) -> None:
    gateway = FakeGateway(public=address)
    assert await fault_of(router_of(gateway)) == (RouterFault.NOT_PUBLIC, address or "")
    assert gateway.leases == {}


async def test_a_router_that_has_failed_is_looked_for_again() -> None:
    """It may have been restarted, and answers at another port."""
    old, new = FakeGateway(), FakeGateway()
    found = iter((old, new))
    router = UpnpRouter("", lambda _interface: next(found))
    await router.open_port(4242, 1800)
    old.faults = ["Miniupnpc HTTP error"]
    await fault_of(router)
    await router.open_port(4242, 1800)
    assert new.leases
    assert await router.open_port(4242, 1800) == PUBLIC  # the same one, as it does as it is asked


async def test_a_search_that_nobody_waits_for_any_more_holds_nothing_up() -> None:
    began, answers, found = trio.Event(), threading.Event(), list[str]()

    def find(interface: str) -> FakeGateway:
        trio.from_thread.run_sync(began.set)
        answers.wait(5)
        found.append(interface)
        return FakeGateway()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(UpnpRouter("", find).open_port, 4242, 1800)
        await began.wait()
        nursery.cancel_scope.cancel()
    assert found == []
    answers.set()


async def test_a_router_that_is_slow_to_close_a_port_holds_nothing_up() -> None:
    began, answers, closed = trio.Event(), threading.Event(), list[int]()

    class Slow(FakeGateway):
        def deleteportmapping(self, port: int, protocol: str) -> bool:
            trio.from_thread.run_sync(began.set)
            answers.wait(5)
            closed.append(port)
            return True

    router = router_of(Slow())
    await router.open_port(4242, 1800)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(router.close_port, 4242)
        await began.wait()
        nursery.cancel_scope.cancel()
    assert closed == []
    answers.set()


class Library:
    """`miniupnpc.UPnP`, as far as a search needs it."""

    def __init__(self, discover: Callable[[], int], url: str = "http://192.168.1.1/ctl") -> None:
        self.discover, self.url, self.multicastif = discover, url, ""

    def selectigd(self) -> str:
        return self.url


def use_library(monkeypatch: pytest.MonkeyPatch, library: Library) -> None:
    miniupnpc = pytest.importorskip("miniupnpc", reason="there is no kotp2p[router] here")
    monkeypatch.setattr(miniupnpc, "UPnP", lambda discoverdelay: library)


def silent() -> int:
    raise Exception("Success")  # as the library words it


def test_a_search_that_finds_nothing_says_that_no_router_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for library in (Library(silent), Library(lambda: 1, url="")):
        use_library(monkeypatch, library)
        with pytest.raises(RouterTrouble) as trouble:
            find_gateway("")
        assert trouble.value.fault is RouterFault.NO_ANSWER


def test_a_search_keeps_to_the_only_address_that_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library(lambda: 1)
    use_library(monkeypatch, library)
    found: object = find_gateway(HERE)
    assert found is library
    assert library.multicastif == HERE


def test_an_error_of_this_program_is_no_answer_of_a_router() -> None:
    def slip() -> None:
        raise TypeError("an argument too many")

    with pytest.raises(TypeError):
        module._call(slip)


SIX, OWN_SIX = "2606:4700::7", "fd00::5"


class SeveralAddresses(MemoryHost):
    def addresses(self, bind: str | None) -> tuple[tuple[str, ...], bool]:
        if bind is not None:
            return (bind,), False
        return dialable(("eth0", a) for a in (HERE, "10.0.0.5", SIX, OWN_SIX)), False


def net_behind(public: str, *, ipv6: bool) -> NetBehindRouter:
    return NetBehindRouter(SeveralAddresses(MemoryNet(), HERE), lambda: ipv6, public)


def test_reachable_ipv6_addresses_are_told_first_then_that_of_the_router() -> None:
    own = (HERE, "10.0.0.5", OWN_SIX)
    assert net_behind(PUBLIC, ipv6=True).addresses(None) == ((SIX, PUBLIC, *own), False)
    assert net_behind("", ipv6=True).addresses(None) == ((SIX, *own), False)
    assert net_behind(PUBLIC, ipv6=False).addresses(None) == ((PUBLIC, *own, SIX), False)
    assert net_behind(PUBLIC, ipv6=True).addresses(HERE) == ((PUBLIC, HERE), False)


class OneAddress(MemoryHost):
    def addresses(self, bind: str | None) -> tuple[tuple[str, ...], bool]:
        return (self.address,), self.address == LOOPBACK


def test_an_own_public_address_of_ipv4_is_none_of_ipv6() -> None:
    net = NetBehindRouter(OneAddress(MemoryNet(), PUBLIC), lambda: True)
    assert net.public_ipv6(None) == []
    assert net.addresses(None) == ((PUBLIC,), False)


def test_a_machine_is_reached_from_elsewhere_if_its_router_or_itself_has_an_address() -> None:
    for public, is_alone in (("", True), (PUBLIC, False)):
        net = NetBehindRouter(OneAddress(MemoryNet(), LOOPBACK), lambda: True, public)
        assert net.addresses(None)[1] == is_alone
        assert not net_behind(public, ipv6=False).addresses(None)[1]


def test_a_machine_has_its_own_addresses_and_not_that_of_the_router() -> None:
    net = net_behind(PUBLIC, ipv6=False)
    assert net.has_address(HERE)
    assert not net.has_address(PUBLIC)
