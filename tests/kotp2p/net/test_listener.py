"""Where a guest listens: where it reached the host, and at all addresses if it loses that one."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
import trio

from kotp2p.net.connections import Listener
from kotp2p.net.machine import MachineNet
from kotp2p.seams.world import Connection, PortTaken
from tests.support.memory_world import MemoryHost, MemoryNet

HERE, ELSEWHERE = "192.168.1.5", "10.9.0.5"


@dataclass
class Ear:
    net: Machine
    at: str | None
    port: int

    async def serve(self, admit: Callable[[Connection], None]) -> None:
        await trio.sleep_forever()

    async def aclose(self) -> None:
        await trio.lowlevel.checkpoint()
        self.net.open.remove((self.at, self.port))


@dataclass
class Machine(MemoryHost):
    """A machine with these addresses; `taken` are ports of other programs."""

    own: list[str] = field(default_factory=lambda: [HERE])
    taken: set[int] = field(default_factory=set)
    open: list[tuple[str | None, int]] = field(default_factory=list)
    full: bool = False
    """No port is free."""

    async def listen(self, bind: str | None, port: int, tries: int) -> Ear:  # type: ignore[override]
        await trio.lowlevel.checkpoint()
        port = port or 40_000 + len(self.taken)
        if self.full or port in self.taken or (bind is not None and not self.has_address(bind)):
            raise PortTaken(str(port))
        self.open.append((bind, port))
        return Ear(self, bind, port)

    def addresses(self, bind: str | None) -> tuple[tuple[str, ...], bool]:
        return ((bind,) if bind else tuple(self.own)), False

    def has_address(self, address: str) -> bool:
        return address == "127.0.0.1" or address in self.own


def machine() -> Machine:
    return Machine(MemoryNet(), HERE)


async def opened(net: Machine, bind: str = "", near: str = HERE, port: int = 0) -> Listener:
    return await Listener.open(net, bind, near, port, 1)


async def serving(nursery: trio.Nursery, net: Machine, **how: str) -> Listener:
    listener = await opened(net, **how)  # type: ignore[arg-type]  # no port
    nursery.start_soon(listener.serve, lambda _: None)
    await trio.sleep(1)
    return listener


@pytest.mark.parametrize("near", [HERE, "127.0.0.1"])
async def test_it_listens_where_it_reached_the_host_and_tells_no_other_address(near: str) -> None:
    net = machine()
    listener = await opened(net, near=near)
    assert net.open == [(near, 40_000)]
    assert listener.addresses() == (near,)


async def test_it_listens_where_the_player_wants_it() -> None:
    net = machine()
    net.own.append(ELSEWHERE)
    listener = await opened(net, bind=ELSEWHERE, port=5000)
    assert net.open == [(ELSEWHERE, 5000)]
    assert listener.addresses() == (ELSEWHERE,)


@pytest.mark.parametrize("near", ["", "fe80::1", "fe80::1%eth0"])
async def test_where_no_address_can_be_told_it_listens_at_all(near: str) -> None:
    net = machine()
    net.own.append(near)
    listener = await opened(net, near=near)
    assert net.open == [(None, 40_000)]
    assert listener.addresses() == (HERE, near)


@pytest.mark.virtual_time
async def test_it_follows_its_machine_to_another_network_and_back(nursery: trio.Nursery) -> None:
    net = machine()
    listener = await serving(nursery, net)
    net.own = [ELSEWHERE]
    await listener.follow()
    assert (net.open, listener.addresses(), listener.port) == (
        [(None, 40_000)], (ELSEWHERE,), 40_000,
    )  # fmt: skip
    net.own = [ELSEWHERE, HERE]
    await listener.follow()
    assert (net.open, listener.addresses()) == ([(HERE, 40_000)], (HERE,))
    await listener.follow()
    assert net.open == [(HERE, 40_000)]


@pytest.mark.virtual_time
async def test_a_port_that_is_taken_there_is_given_up_for_another(nursery: trio.Nursery) -> None:
    net = machine()
    listener = await serving(nursery, net)
    net.own, net.taken = [ELSEWHERE], {40_000}
    await listener.follow()
    assert net.open == [(None, 40_001)]
    assert listener.port == 40_001


@pytest.mark.virtual_time
async def test_without_a_free_port_it_listens_nowhere_and_ends_in_good_order(
    nursery: trio.Nursery,
) -> None:
    net = machine()
    listener = await serving(nursery, net)
    net.own, net.full = [ELSEWHERE], True
    await listener.follow()
    assert (net.open, listener.port) == ([], 0)
    await listener.aclose()


@pytest.mark.virtual_time
@pytest.mark.parametrize(("how", "address"), [("near", "127.0.0.1"), ("bind", HERE)])
async def test_a_loopback_address_and_one_of_the_player_s_choice_are_kept(
    how: str, address: str, nursery: trio.Nursery
) -> None:
    net = machine()
    listener = await serving(nursery, net, **{how: address})
    net.own = [ELSEWHERE]
    await listener.follow()
    assert net.open == [(address, 40_000)]
    assert listener.addresses() == (address,)


async def test_on_a_real_machine_a_link_over_loopback_says_so() -> None:
    net = MachineNet()
    for own in ("127.0.0.1", "127.0.0.2"):
        acceptor = await net.listen(own, 0, 1)
        connection = await net.dial(own, acceptor.port)
        assert connection.address == ""
        assert connection.local.startswith("127.")
        assert net.has_address(connection.local)
        await trio.aclose_forcefully(connection.stream)
        await acceptor.aclose()
    assert not net.has_address("192.0.2.1")


async def test_on_a_real_machine_a_port_that_is_taken_is_named_with_the_reason() -> None:
    net = MachineNet()
    acceptor = await net.listen("127.0.0.1", 0, 1)
    with pytest.raises(PortTaken) as fault:
        await net.listen("127.0.0.1", acceptor.port, 1)
    next_one = await net.listen("127.0.0.1", acceptor.port, 50)
    assert acceptor.port < next_one.port
    await next_one.aclose()
    await acceptor.aclose()
    reason = os.strerror(errno.EADDRINUSE)
    assert str(fault.value) == f"port {acceptor.port} of 127.0.0.1: {reason}"
