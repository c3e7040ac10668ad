"""Strangers at the real port of a host. Whatever they do, two players then sit down and play."""

import contextlib
import socket
import struct
import sys
from pathlib import Path

import pytest

from tests.support.processes import QUICK, guest, host

HERE = "127.0.0.1"
FEW = 24
"""Descriptors that a host needs and a few more."""


def connect(port: int) -> socket.socket:
    return socket.create_connection((HERE, port), timeout=20)


def reset(stranger: socket.socket) -> None:
    stranger.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    stranger.close()


def is_cut(stranger: socket.socket) -> bool:
    """The host ends the connection, sooner than a handshake may take."""
    stranger.settimeout(8)
    with contextlib.suppress(ConnectionError):
        while stranger.recv(65_536):
            pass
    return True


def resets_before_it_is_accepted(port: int) -> None:
    for _ in range(50):
        reset(connect(port))


def resets_in_the_middle_of_a_frame(port: int) -> None:
    for start in (b"\0", b"\0\0\0\x40", b"\0\0\0\x40\x98\x40", b"\x16\x03\x01\x01\x00\x01"):
        stranger = connect(port)
        stranger.sendall(start)
        reset(stranger)


def ends_in_the_middle_of_a_frame(port: int) -> None:
    for start in (b"\0\0\0\x40\x98\x40", b"\x16\x03\x01\x01\x00\x01"):
        with connect(port) as stranger:
            stranger.sendall(start)
            stranger.shutdown(socket.SHUT_WR)
            assert is_cut(stranger)


def speaks_something_else(port: int) -> None:
    for words in (
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"\xff" * 70_000,
    ):
        with connect(port) as stranger:
            with contextlib.suppress(ConnectionError):
                stranger.sendall(words)
            assert is_cut(stranger)


def crowds(port: int) -> None:
    """All but a few are cut at once."""
    strangers = [connect(port) for _ in range(60)]
    for stranger in strangers[:30]:
        assert is_cut(stranger)
    for stranger in strangers:
        stranger.close()


ATTACKS = (
    resets_before_it_is_accepted,
    resets_in_the_middle_of_a_frame,
    ends_in_the_middle_of_a_frame,
    speaks_something_else,
    crowds,
)


def test_players_sit_down_though_strangers_attack(tmp_path: Path) -> None:
    keeper = host(tmp_path / "ana", 2, "--bind", HERE, "--port", "0", bot=QUICK)
    port = keeper.port()
    for attack in ATTACKS:
        attack(port)
    other = guest(tmp_path / "rex", HERE, port, bot=QUICK)
    assert (keeper.wait(), other.wait()) == (0, 0), keeper.err


LIMITED = f"""
import os, resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, ({FEW}, {FEW}))
os.execv(sys.argv[1], sys.argv[1:])
"""
"""In front of the host alone: the process of the tests may have more open already."""


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such limit")
def test_players_sit_down_after_all_descriptors_were_taken(tmp_path: Path) -> None:
    limited = (sys.executable, "-c", LIMITED)
    keeper = host(tmp_path / "ana", 2, "--bind", HERE, "--port", "0", bot=QUICK, before=limited)
    port = keeper.port()
    # some are accepted until there is no descriptor left, the rest wait to be; no more than the
    # system lets wait, as others would have to knock again after a second, two, four
    strangers = [connect(port) for _ in range(FEW)]
    for stranger in strangers:
        reset(stranger)
    other = guest(tmp_path / "rex", HERE, port, bot=QUICK)
    assert (keeper.wait(), other.wait()) == (0, 0), keeper.err
