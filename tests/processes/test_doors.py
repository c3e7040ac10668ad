"""Doors that do not open: every failed join says which of them it was, and how it ends."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kotp2p.net.machine import lend_file
from kotp2p.net.tls import LEAF_ENTROPY_BYTES, make_contexts, make_leaf
from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.wire.crypto import OPEN_TABLE_SECRET
from kotp2p.wire.frames import Refusal, encode
from kotp2p.wire.genesis import PROTOCOL_VERSION
from tests.support.machines import three_machines
from tests.support.processes import QUICK, guest, host, join
from tests.support.program import Program


@contextmanager
def listener(answer: bytes, secret: bytes | None = None) -> Iterator[int]:
    """A port at which something else answers, once; under TLS of the table with that secret."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            if secret is not None:
                context = make_contexts(
                    secret, make_leaf(secret, os.urandom(LEAF_ENTROPY_BYTES)), lend_file
                )[0]
                connection = context.wrap_socket(connection, server_side=True)
            with connection:
                connection.sendall(answer)
                connection.recv(4096)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
    thread.join()


def test_a_name_that_nobody_has(tmp_path: Path) -> None:
    name = "x" * 64 + ".invalid"  # no name server is asked about such a name
    code, words = join(tmp_path, name, 4242)
    assert code == 2
    assert "is not an address or the name of a machine" in words


@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\xff" * 40, b"\0" * 40])
def test_something_else_that_answers(answer: bytes, tmp_path: Path) -> None:
    with listener(answer) as port:
        code, words = join(tmp_path, "127.0.0.1", port)
    assert code == 3
    assert "kotp2p" in words


def test_another_version_names_both(tmp_path: Path) -> None:
    with listener(encode(Refusal(1, 7, 9, "another version")), OPEN_TABLE_SECRET) as port:
        code, words = join(tmp_path, "127.0.0.1", port)
    assert code == 4
    assert "7.9" in words
    assert f"{PROTOCOL_VERSION}.{RULES_VERSION}" in words


def test_a_full_table_a_closed_one_and_a_started_one(tmp_path: Path) -> None:
    keeper = Program(
        tmp_path / "ana", "host", "--players", "2", "--port", "0", "--bind", "127.0.0.1", stdin=""
    )
    port = keeper.port()
    first = guest(tmp_path / "mia", "127.0.0.1", port)
    first.wait_for("Table phrase")  # without a terminal the table starts when it is full
    code, words = join(tmp_path, "127.0.0.1", port)
    assert code == 4
    assert "begun" in words
    keeper.hang_up()
    assert keeper.wait() == 5
    assert first.wait() == 0  # the last one at the table wins

    closing = Program(
        tmp_path / "bob", "host", "--players", "3", "--port", "0", "--bind", "127.0.0.1", stdin=""
    )
    waiting = guest(tmp_path / "sam", "127.0.0.1", closing.port())
    waiting.wait_for("sam")
    closing.say("leave")
    closing.hang_up()
    assert waiting.wait() == 4
    assert any("closed" in line for line in waiting.lines)
    closing.wait()


def test_a_taken_port_is_not_the_end(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        program = host(tmp_path / "ana", 2, "--bind", "127.0.0.1", "--port", str(port), bot=QUICK)
        assert program.port() > port
        other = guest(tmp_path / "rex", "127.0.0.1", program.port(), bot=QUICK)
        assert (program.wait(), other.wait()) == (0, 0)


@pytest.mark.netns
def test_an_address_at_which_nobody_is(tmp_path: Path) -> None:
    with three_machines() as machines:
        inside = ("ip", "netns", "exec", machines[0])
        program = guest(tmp_path / "rex", "10.77.0.99", 4242, before=inside)
        assert program.wait() == 3
        assert any("Nobody answers at 10.77.0.99 port 4242" in line for line in program.err)
