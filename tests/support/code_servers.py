"""The mailbox and the relay of a code, as magic-wormhole runs them, on loopback or in a namespace.

They stand in the extra `relay-tests`. Where it is missing, tests that need them are left out.
"""

import importlib.util
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.support.program import PATIENCE

ARE_INSTALLED = all(
    importlib.util.find_spec(name) for name in ("wormhole_mailbox_server", "wormhole_transit_relay")
)
needs_servers = pytest.mark.skipif(
    not ARE_INSTALLED, reason="the extra relay-tests is not installed"
)


def free_port() -> int:
    """A free port that the system gives to no other test until the server has it."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


@dataclass(slots=True)
class CodeServers:
    folder: Path
    host: str = "127.0.0.1"
    """An address, or a name that the programs of the test know."""
    interface: str = ""
    """The address at which they listen, if it is not `host`."""
    before: tuple[str, ...] = ()
    """What stands in front of a command that runs where the servers are."""
    mailbox_port: int = field(default_factory=free_port)
    relay_port: int = field(default_factory=free_port)
    _running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def settings(self) -> dict[str, str]:
        return {
            "mailbox": f"ws://{self.host}:{self.mailbox_port}/v1",
            "relay": f"tcp:{self.host}:{self.relay_port}",
        }

    def start_mailbox(self) -> None:
        store = ("--channel-db", str(self.folder / "mailbox.sqlite"))
        self._start("wormhole-mailbox", self.mailbox_port, *store)

    def start_relay(self) -> None:
        self._start("transitrelay", self.relay_port)

    def start_all(self) -> None:
        self.start_mailbox()
        self.start_relay()

    def forget(self) -> None:
        """What the mailbox has kept is lost."""
        (self.folder / "mailbox.sqlite").unlink()

    def stop(self, plugin: str) -> None:
        process = self._running.pop(plugin)
        process.kill()
        process.wait()

    def stop_all(self) -> None:
        for plugin in list(self._running):
            self.stop(plugin)

    def _start(self, plugin: str, port: int, *words: str) -> None:
        script = (
            "import sys; from twisted.application.twist._twist import Twist;"
            " sys.argv[0] = 'twist'; Twist.main()"
        )
        interface = (self.interface or self.host).replace(":", r"\:")
        where = f"tcp:{port}:interface={interface}"
        said = self.folder / f"{plugin}.txt"
        with said.open("wb") as output:
            process = subprocess.Popen(
                [*self.before, sys.executable, "-c", script, plugin, "--port", where, *words],
                cwd=self.folder, stdout=output, stderr=subprocess.STDOUT,
            )  # fmt: skip
        self._running[plugin] = process
        until = time.monotonic() + PATIENCE
        while process.poll() is None and time.monotonic() < until:
            if b"Starting reactor" in said.read_bytes():
                return
            time.sleep(0.05)
        raise AssertionError(f"{plugin} has not started")


@contextmanager
def code_servers(
    folder: Path, host: str = "127.0.0.1", before: tuple[str, ...] = (), interface: str = ""
) -> Iterator[CodeServers]:
    folder.mkdir(parents=True, exist_ok=True)
    servers = CodeServers(folder, host, interface, before)
    try:
        servers.start_all()
        yield servers
    finally:
        servers.stop_all()
