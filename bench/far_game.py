"""Two homes that have no way to each other but one, and what a table costs on it.

Scope: real processes in network namespaces, with bots of the level `easy`. Every byte between the
homes passes one way, which counts and delays it: to the other home, or to a relay.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from time import perf_counter

from tests.support.code_servers import code_servers, free_port
from tests.support.machines import Machine, networks
from tests.support.paths import ROOT
from tests.support.processes import QUICK, finished
from tests.support.program import Program

SLOW_WAY = str(Path(__file__).with_name("slow_way.py"))
SERVER = "44.128.0.9"
WAY = "44.128.0.10"
SAID = re.compile(r"(\S+ \S+) \S+ (send PLAY to|show Happened)")


@dataclass(slots=True)
class FarTable:
    host: Program
    guest: Program
    seated_after: float
    """Seconds from the start of the host's process to the guest's seat."""
    way: subprocess.Popen[str]

    def carried(self) -> int:
        """Bytes that the way between the homes has carried."""
        assert self.way.stdin is not None and self.way.stdout is not None, "both are pipes"
        self.way.stdin.write("\n")
        self.way.stdin.flush()
        return int(self.way.stdout.readline())

    def finish(self) -> bytes:
        """Play the game to its end; return its log."""
        finished([self.host, self.guest])
        return self.host.logs()[0].read_bytes()

    def own_rolls(self, least: float) -> list[float]:
        """Return how long the rolls of the guest took, from its answer to the dice.

        Those of others, and answers without dice, take less than `least`.
        """
        said = (self.guest.home / "lines").read_text()
        found = [(datetime.fromisoformat(at), what) for at, what in SAID.findall(said)]
        return [
            (later - earlier).total_seconds()
            for (earlier, sent), (later, shown) in pairwise(found)
            if sent.startswith("send") and shown.startswith("show")
            and (later - earlier).total_seconds() > least
        ]  # fmt: skip


@contextmanager
def far_table(
    folder: Path, *, relayed: bool, seconds: float = 0.0, players: int = 2
) -> Iterator[FarTable]:
    """Yield a table with a host and a guest, who is seated, on a way that takes `seconds`."""
    with ExitStack() as stack:
        nets = stack.enter_context(networks())
        server = nets.machine(SERVER)
        server.run("ip", "address", "add", f"{WAY}/24", "dev", "eth0")
        homes = [nets.machine(f"10.{n}.0.2", f"10.{n}.0.1") for n in (1, 2)]
        for n in (1, 2):
            nets.add_interface(server, f"home{n}", f"10.{n}.0.1")
        servers = stack.enter_context(code_servers(folder / "servers", SERVER, server.inside))
        port = free_port()
        target = (SERVER, servers.relay_port) if relayed else ("10.1.0.2", 4242)
        way = stack.enter_context(_way(server, port, target, seconds))
        settings = {**servers.settings, "relay": f"tcp:{WAY}:{port}"} if relayed else {}
        began = perf_counter()
        host = _start(folder / "ana", homes[0], settings, "host", "--players", str(players))
        stack.callback(host.kill)
        place = f"{WAY}:{port}"
        if relayed:
            place = host.wait_for(r"^kotp2p join (\d{4}-[a-z]+-[a-z]+)$")[1]
        else:
            host.wait_for("^kotp2p join")
        guest = _start(folder / "rex", homes[1], settings, "join", place, "--debug", "lines")
        stack.callback(guest.kill)
        host.wait_for("rex, a bot, takes seat 2")
        yield FarTable(host, guest, perf_counter() - began, way)


def _start(home: Path, machine: Machine, settings: dict[str, str], *words: str) -> Program:
    """Start a new interpreter, as a person does."""
    return Program(
        home, *words, "--bot", QUICK, before=(*machine.inside, "env"), settings=settings
    )  # fmt: skip


@contextmanager
def _way(
    server: Machine, port: int, target: tuple[str, int], seconds: float
) -> Iterator[subprocess.Popen[str]]:
    words = (SLOW_WAY, WAY, str(port), target[0], str(target[1]))
    way = subprocess.Popen(
        [*server.inside, sys.executable, *words, str(seconds)],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        yield way
    finally:
        way.communicate()
