"""The sockets of this machine."""

from __future__ import annotations

import socket

import pytest
import trio

from kotp2p.net.machine import _keep_alive


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
