"""No test asks a server of others: no name is looked up, and no program that one starts has one."""

import socket
from pathlib import Path

import pytest

from kotp2p.cli.system.config import load_config
from kotp2p.rendezvous.servers import PUBLIC_MAILBOX, PUBLIC_RELAY, mailbox_host, relay_host
from tests.support.program import Program


@pytest.mark.parametrize("name", [mailbox_host(PUBLIC_MAILBOX), relay_host(PUBLIC_RELAY), "a.test"])
def test_no_name_is_looked_up(name: str) -> None:
    with pytest.raises(socket.gaierror):
        socket.getaddrinfo(name, 80)


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "localhost", None])
def test_loopback_is_reached(address: str | None) -> None:
    assert socket.getaddrinfo(address, 80)


def test_no_server_is_set_in_a_test() -> None:
    assert (load_config().servers.mailbox, load_config().servers.relay) == ("", "")


def test_no_server_is_set_in_a_program_that_a_test_starts(tmp_path: Path) -> None:
    said = Program(tmp_path / "ana", "config")
    assert said.wait() == 0
    shown = " ".join(said.out)
    assert 'mailbox = ""' in shown and 'relay = ""' in shown
