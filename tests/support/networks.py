"""Networks of a test: machines, routers between them, and an internet, as network namespaces.

Nothing leads out of them, so any address may be used inside. `INTERNET` is a network that is public
for the program and that nobody has: radio amateurs kept it for tests.
"""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

INTERNET = "44.128.0"
"""The first three numbers of the addresses of the internet."""
HAS_NFT = shutil.which("nft") is not None
NO_NFT = "nftables is not installed: a router of a test needs the program nft"
NAMES_OF_NAMESPACES = Path("/etc/netns")
"""Here `ip netns exec` finds the files of a namespace that hide those of /etc."""

LETS_OUT = "iifname in accept"
"""Its machines may dial everybody."""


_RULES = """
table inet filter {
    chain forward {
        type filter hook forward priority 0; policy drop;
        ct state established accept; FORWARDED
    }
    chain postrouting { type nat hook postrouting priority 100; oifname out masquerade; }
}
"""


@dataclass(frozen=True, slots=True)
class Machine:
    namespace: str

    @property
    def inside(self) -> tuple[str, ...]:
        """What stands before a command that runs on this machine."""
        return ("ip", "netns", "exec", self.namespace)

    def run(self, *words: str, stdin: str = "") -> str:
        """What the command says. It must succeed."""
        return subprocess.run(
            [*self.inside, *words], check=True, capture_output=True, text=True, input=stdin
        ).stdout

    def move(self, before: str, after: str) -> None:
        """Loses one address and gets another one."""
        self.run("ip", "address", "del", f"{before}/24", "dev", "out")
        self.run("ip", "address", "add", f"{after}/24", "dev", "out")

    def know_name(self, name: str, address: str) -> None:
        """From now on the name is that of the address, for programs that are started later; the
        second time also for those that run."""
        folder = NAMES_OF_NAMESPACES / self.namespace
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "hosts").write_text(f"127.0.0.1 localhost\n{address} {name}\n")


@dataclass(slots=True)
class Networks:
    """All cables meet in one namespace, where each network is a bridge."""

    tag: str
    _machines: list[Machine] = field(default_factory=list)
    _cables: Iterator[int] = field(default_factory=itertools.count)
    _bridges: set[str] = field(default_factory=set)

    def machine(self, address: str, gateway: str = "", *, prefix: int = 24) -> Machine:
        """A machine with one address. `gateway` leads to all networks but its own."""
        machine = self._namespace()
        self._plug(machine, "out", address, prefix)
        if gateway:
            machine.run("ip", "route", "add", "default", "via", gateway)
        return machine

    def add_address(self, machine: Machine, address: str, prefix: int = 64) -> None:
        """One more address, on a cable of its own, which leads to all networks of its family."""
        self._plug(machine, "more", address, prefix)
        family = "-6" if ":" in address else "-4"
        machine.run("ip", family, "route", "add", "default", "dev", "more")

    def add_interface(self, machine: Machine, interface: str, address: str) -> None:
        """One more cable, to the network of this address. The machine passes nothing on."""
        self._plug(machine, interface, address)

    def router(self, outer: str, inner: str, *forwarded: str) -> Machine:
        """A router with these two addresses, which hides its network. It passes on what `forwarded`
        accepts, the answers to that, and the ports that `asked` opens."""
        router = self.machine(outer)
        self._plug(router, "in", inner)
        router.run("sysctl", "-qw", "net.ipv4.ip_forward=1")
        router.run("nft", "-f", "-", stdin=_RULES.replace("FORWARDED", "; ".join(forwarded)))
        return router

    def _namespace(self) -> Machine:
        machine = Machine(f"{self.tag}{len(self._machines)}")
        self._machines.append(machine)
        _run("ip", "netns", "add", machine.namespace)
        machine.run("ip", "link", "set", "lo", "up")
        return machine

    def _plug(self, machine: Machine, interface: str, address: str, prefix: int = 24) -> None:
        """A cable from the machine to the bridge of the network that the address belongs to."""
        bridge = self._bridge(address.rpartition("." if "." in address else "::")[0])
        cable = f"c{next(self._cables)}"
        machine.run("ip", "link", "add", interface, "type", "veth", "peer", "name", cable,
                    "netns", self.tag)  # fmt: skip
        _run("ip", "-n", self.tag, "link", "set", cable, "master", bridge, "up")
        machine.run("ip", "link", "set", interface, "up")
        words = ("nodad",) if ":" in address else ()
        machine.run("ip", "address", "add", f"{address}/{prefix}", "dev", interface, *words)

    def _bridge(self, network: str) -> str:
        name = "b" + network.replace(".", "x").replace(":", "y")[:14]
        if name not in self._bridges:
            self._bridges.add(name)
            _run("ip", "-n", self.tag, "link", "add", name, "type", "bridge")
            _run("ip", "-n", self.tag, "link", "set", name, "up")
        return name

    def remove(self) -> None:
        for machine in self._machines:
            shutil.rmtree(NAMES_OF_NAMESPACES / machine.namespace, ignore_errors=True)
            _run("ip", "netns", "del", machine.namespace, must=False)
        _run("ip", "netns", "del", self.tag, must=False)


@contextmanager
def networks() -> Iterator[Networks]:
    """Networks that are gone afterwards."""
    made = Networks(f"kotnet{os.getpid()}")
    try:
        _run("ip", "netns", "add", made.tag)
        yield made
    finally:
        made.remove()


def _run(*words: str, must: bool = True) -> None:
    subprocess.run(words, check=must, capture_output=True)
