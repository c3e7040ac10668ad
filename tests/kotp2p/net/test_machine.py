"""The sockets of this machine."""

import socket

import pytest
import trio

from kotp2p.net import machine
from kotp2p.net.machine import MachineNet, _keep_alive, _open_listeners
from kotp2p.store.files import SEGMENT_BYTES


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
