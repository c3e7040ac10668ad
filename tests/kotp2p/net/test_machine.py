"""The sockets of this machine."""

import os
import socket
import sys
from functools import partial
from types import SimpleNamespace

import ifaddr
import pytest
import trio

from kotp2p.net import machine
from kotp2p.net.lan import announced_on, dialable, link_local_zones, own_addresses, own_networks
from kotp2p.net.machine import SEGMENT_BYTES, MachineNet, _keep_alive, _open_listeners
from kotp2p.rendezvous.exchange import PLACE_OF_RELAYED, RelayPlace
from kotp2p.wire.addresses import dialable_here


@pytest.mark.skipif(not hasattr(socket, "TCP_KEEPIDLE"), reason="this system has its own names")
async def test_the_system_asks_after_a_quiet_connection_before_a_router_forgets_it() -> None:
    with trio.socket.from_stdlib_socket(socket.socket()) as sock:
        _keep_alive(sock)
        assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        found = [
            sock.getsockopt(socket.IPPROTO_TCP, number)
            for number in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
        ]
    assert found == [15, 5, 3]


@pytest.mark.parametrize(
    ("address", "is_here"),
    [("127.0.0.1", True), ("127.8.8.8", True), ("::ffff:127.8.8.8", True), ("203.0.113.9", False)],
)
def test_every_loopback_address_is_one_of_this_machine(address: str, is_here: bool) -> None:
    """The system lists the first one alone."""
    assert MachineNet().has_address(address) == is_here


@pytest.mark.parametrize(
    ("address", "dialled"),
    [
        ("fe80::1%eth0", ["fe80::1%eth0"]),
        ("fe80::1%2", ["fe80::1%2"]),
        ("fe80::1", ["fe80::1%2", "fe80::1%5"]),
        ("fe80::1%en7", ["fe80::1%2", "fe80::1%5"]),
        ("fd00::1", ["fd00::1"]),
        ("example.test", ["example.test"]),
    ],
)
def test_a_link_local_address_is_dialled_on_the_named_cable_or_on_all(
    address: str, dialled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The zone may be that of the machine from whose screen the address was read."""
    monkeypatch.setattr(socket, "if_nameindex", lambda: [(2, "eth0"), (5, "eth1")])
    monkeypatch.setattr(machine, "link_local_zones", lambda: ("2", "5"))
    assert machine._with_zones(address) == dialled


@pytest.mark.skipif(not hasattr(socket, "TCP_MAXSEG"), reason="this system has no such option")
async def test_who_listens_asks_every_dialler_for_small_segments() -> None:
    """A dialler of another program, that asks for nothing, sends no larger ones either."""
    (listener,) = await _open_listeners("127.0.0.1", 0)
    async with listener:
        stream = await trio.open_tcp_stream(*listener.socket.getsockname())
        async with stream:
            accepted = await listener.accept()
            async with accepted:
                found = [
                    stream.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG),
                    accepted.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG),
                ]
    assert 0 < max(found) <= SEGMENT_BYTES


@pytest.mark.skipif(not hasattr(socket, "TCP_MAXSEG"), reason="this system has no such option")
async def test_who_dials_asks_every_listener_for_small_segments() -> None:
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with listener:
        connection = await MachineNet().dial(*listener.socket.getsockname())
        accepted = await listener.accept()
        async with accepted:
            found = accepted.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG)
        await connection.stream.aclose()
    assert 0 < found <= SEGMENT_BYTES


@pytest.mark.parametrize("on", ["win32", "linux"])
def test_a_port_belongs_to_one_program(on: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", on)
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", -5, raising=False)
    given: list[tuple[int, int, int]] = []
    machine.claim_port(SimpleNamespace(setsockopt=lambda *option: given.append(option)))
    option = -5 if on == "win32" else socket.SO_REUSEADDR
    assert given == [(socket.SOL_SOCKET, option, 1)]


def test_a_system_without_small_segments_links_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_option: int) -> None:
        raise OSError(22, "Invalid argument")

    machine.limit_segments(SimpleNamespace(setsockopt=refuse))
    monkeypatch.delattr(socket, "TCP_MAXSEG")
    machine.limit_segments(SimpleNamespace())


async def test_a_stream_waits_where_the_system_takes_no_more_and_ends_where_it_is_closed() -> None:
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with listener:
        stream = (await MachineNet().dial(*listener.socket.getsockname())).stream
        accepted, data = await listener.accept(), bytes(range(256)) * 2**16

        async def send() -> None:
            await stream.send_all(data)
            await stream.aclose()

        async with accepted, trio.open_nursery() as nursery:
            nursery.start_soon(send)
            assert b"".join([part async for part in accepted]) == data
    for use in (stream.receive_some, partial(stream.send_all, b"x")):
        with pytest.raises(trio.ClosedResourceError):
            await use()


async def test_a_place_at_a_relay_is_asked_there_for_the_other_side() -> None:
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    place = RelayPlace(f"tcp:127.0.0.1:{listener.socket.getsockname()[1]}", bytes(32))

    async def relay() -> None:
        async with await listener.accept() as stream:
            assert (await stream.receive_some()).startswith(b"please relay " + b"00" * 32)
            await stream.send_all(b"ok\n")

    async with listener, trio.open_nursery() as nursery:
        nursery.start_soon(relay)
        met = await MachineNet().dial(str(place), 0)
        await met.stream.aclose()
        assert met.address == PLACE_OF_RELAYED


# -- interfaces ---------------------------------------------------------------------------


@pytest.fixture
def two_interfaces(monkeypatch: pytest.MonkeyPatch) -> None:
    def adapter(
        index: int, name: str, *ips: tuple[str | tuple[str, int, int], int]
    ) -> SimpleNamespace:
        found = [SimpleNamespace(ip=ip, network_prefix=prefix) for ip, prefix in ips]
        return SimpleNamespace(nice_name=name, ips=found, index=index)

    adapters = [
        adapter(1, "lo", ("127.0.0.1", 8), (("::1", 0, 0), 128)),
        adapter(3, "docker0", ("172.17.0.1", 16), (("fe80::9", 0, 3), 64)),
        adapter(2, "eth0", ("192.168.1.5", 24), (("fd00::5", 0, 2), 64), (("fe80::5", 0, 2), 64)),
    ]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)


@pytest.mark.usefixtures("two_interfaces")
def test_all_addresses_of_this_machine_are_found_without_zones() -> None:
    assert own_addresses() == [
        ("lo", "127.0.0.1"), ("lo", "::1"), ("docker0", "172.17.0.1"), ("docker0", "fe80::9"),
        ("eth0", "192.168.1.5"), ("eth0", "fd00::5"), ("eth0", "fe80::5"),
    ]  # fmt: skip


@pytest.mark.usefixtures("two_interfaces")
def test_a_machine_is_on_no_network_by_its_loopback_or_link_local_addresses() -> None:
    assert own_networks() == ("172.17.0.1/16", "192.168.1.5/24", "fd00::5/64")


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "0.0.0.0", "::", "224.0.0.9"])
def test_nobody_is_told_an_address_that_means_another_machine_there(address: str) -> None:
    assert dialable([("eth0", address)]) == ()


def test_private_addresses_come_first_then_public_ones_then_those_of_virtual_interfaces() -> None:
    here = [("docker0", "172.17.0.1"), ("eth0", "8.8.4.4")]
    here += [("eth0", "fd00::5"), ("eth0", "192.168.1.5")]
    assert dialable(here) == ("192.168.1.5", "fd00::5", "8.8.4.4", "172.17.0.1")


def test_two_machines_on_one_cable_find_each_other_by_their_link_local_addresses() -> None:
    cable = ("eth0", "169.254.3.4")
    assert dialable([cable]) == announced_on([cable]) == ("169.254.3.4",)
    assert dialable([cable, ("docker0", "172.17.0.1")])[-1] == "169.254.3.4"
    assert dialable_here(["169.254.3.9"], ["169.254.3.4/16"]) == ("169.254.3.9",)
    assert dialable_here(["169.254.3.9"], ["192.168.1.5/24"]) == ()


def test_link_local_addresses_of_ipv6_count_where_an_interface_has_no_others() -> None:
    cable = ("eth0", "fe80::1")
    assert dialable([cable]) == announced_on([cable]) == ("fe80::1",)
    assert dialable([cable, ("eth0", "169.254.3.4")]) == ("169.254.3.4", "fe80::1")
    assert dialable([cable, ("wlan0", "8.8.4.4"), ("wlan0", "fe80::2")]) == ("8.8.4.4", "fe80::1")
    assert dialable([("veth1", "fe80::1"), ("lo", "::1")]) == ()


def test_a_link_local_address_of_ipv6_is_dialled_on_the_cable_on_which_it_was_heard() -> None:
    assert dialable_here(["fe80::1", "fe80::2%eth0"], []) == ("fe80::2%eth0",)
    assert dialable_here(["10.9.9.9", "fe80::2%eth0"], []) == ("fe80::2%eth0", "10.9.9.9")


@pytest.mark.usefixtures("two_interfaces")
def test_what_may_be_a_machine_on_any_cable_is_looked_for_on_all() -> None:
    assert link_local_zones() == ("2", "3")


def test_what_cannot_be_dialled_hides_no_address_behind_it_and_the_order_is_kept() -> None:
    here = [("lo", "127.0.0.1"), ("eth0", "192.168.1.7"), ("eth0", "192.168.1.5")]
    assert dialable(here) == ("192.168.1.7", "192.168.1.5")


def test_an_address_of_two_interfaces_is_told_once() -> None:
    assert dialable([("eth0", "10.0.0.5"), ("wlan0", "10.0.0.5")]) == ("10.0.0.5",)


def test_a_table_is_announced_on_interfaces_with_a_private_address_alone() -> None:
    here = [("eth0", "8.8.4.4"), ("wlan0", "192.168.1.5"), ("wlan0", "2001:4860::5")]
    assert announced_on(here) == ("192.168.1.5", "2001:4860::5")


def test_a_table_is_announced_on_a_virtual_interface_only_where_there_is_no_other() -> None:
    virtual = ("wg0", "10.8.0.2")
    assert announced_on([virtual]) == ("10.8.0.2",)
    assert announced_on([virtual, ("eth0", "192.168.1.5")]) == ("192.168.1.5",)
    assert announced_on([virtual, ("eth0", "127.0.0.1")]) == ("10.8.0.2",)


def test_a_file_that_was_lent_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    with machine.lend_file(b"secret") as path:
        file = int(path.rpartition("/")[2])
        assert os.fstat(file).st_size == len(b"secret")
    with pytest.raises(OSError):
        os.fstat(file)
    monkeypatch.delattr(os, "memfd_create", raising=False)  # as on other systems
    with machine.lend_file(b"secret") as path:
        assert os.path.getsize(path) == len(b"secret")
    assert not os.path.lexists(path)
