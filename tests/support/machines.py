"""Machines of a test, as network namespaces that it makes, where it may.

Nothing leads out of them, so any address may be used inside. 44.128 is public for the program, and
nobody has it: radio amateurs kept it for tests.
"""

import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

MASQUERADE = """
table ip home {
  chain leaving { type nat hook postrouting priority 100; oifname eth0 masquerade; }
  chain passing { type filter hook forward priority 0; iifname eth0 ct state new drop; }
  chain coming { type filter hook input priority 0; iifname eth0 ct state new drop; }
}
"""
"""What the router of most homes does; nothing answers whoever dials its public address."""
INNER = "192.168.1"
"""The network in a home. It is the same in many homes, so its addresses lead elsewhere in each."""

DIAL = "import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), 1).close()"


@dataclass(frozen=True, slots=True)
class Machine:
    namespace: str

    @property
    def inside(self) -> tuple[str, ...]:
        """What stands before a command that runs on this machine."""
        return ("ip", "netns", "exec", self.namespace)

    def knowing(self, hosts: Path) -> tuple[str, ...]:
        """As `inside`, with a file of its own in place of /etc/hosts."""
        return (*self.inside, "sh", "-c", 'mount --bind "$0" /etc/hosts && exec "$@"', str(hosts))

    def run(self, *words: str) -> None:
        _run(*self.inside, *words)

    def can_dial(self, address: str, port: int) -> bool:
        """Whether this machine gets a TCP connection there."""
        words = (sys.executable, "-c", DIAL, address, str(port))
        return subprocess.run([*self.inside, *words], capture_output=True).returncode == 0


@dataclass(slots=True)
class Networks:
    """All cables meet in one namespace, where each network is a bridge."""

    tag: str
    routers: dict[str, Machine] = field(default_factory=dict)
    """Those of homes, by their public addresses."""
    _machines: list[Machine] = field(default_factory=list)
    _cables: Iterator[int] = field(default_factory=itertools.count)
    _bridges: set[str] = field(default_factory=set)

    def machine(
        self, address: str, gateway: str = "", *, prefix: int = 24, network: str = ""
    ) -> Machine:
        """A machine with one address. `gateway` leads to all networks but its own."""
        machine = Machine(f"{self.tag}{len(self._machines)}")
        self._machines.append(machine)
        _run("ip", "netns", "add", machine.namespace)
        machine.run("ip", "link", "set", "lo", "up")
        # A link-local address can be used at once, not only after nobody else has claimed it.
        machine.run("sysctl", "-qw", "net.ipv6.conf.default.accept_dad=0")
        self.add_interface(machine, "eth0", address, prefix, network=network)
        if gateway:
            machine.run("ip", "route", "add", "default", "via", gateway)
        return machine

    def home(self, public: str, machines: int = 1) -> list[Machine]:
        """Machines from `INNER`.2 on, behind a router that masquerades and lets nobody in."""
        router = self.routers[public] = self.machine(public)
        self.add_interface(router, "home", f"{INNER}.1", network=public)
        router.run("sysctl", "-qw", "net.ipv4.ip_forward=1")
        router.run("nft", MASQUERADE)
        return [
            self.machine(f"{INNER}.{n + 2}", f"{INNER}.1", network=public) for n in range(machines)
        ]

    def add_interface(
        self, machine: Machine, interface: str, address: str, prefix: int = 24, network: str = ""
    ) -> None:
        """A cable from the machine to the bridge of its network, or that of the address."""
        bridge = self._bridge(network or address.rpartition("." if "." in address else "::")[0])
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
        for name in (*(machine.namespace for machine in self._machines), self.tag):
            _run("ip", "netns", "del", name, must=False)


@contextmanager
def networks() -> Iterator[Networks]:
    made = Networks(f"kot{os.getpid()}")
    try:
        _run("ip", "netns", "add", made.tag)
        yield made
    finally:
        made.remove()


def _run(*words: str, must: bool = True) -> None:
    subprocess.run(words, check=must, capture_output=True)


@contextmanager
def three_machines() -> Iterator[list[str]]:
    """Three namespaces with an address each, in one network."""
    with networks() as nets:
        yield [nets.machine(f"10.77.0.{n}").namespace for n in (1, 2, 3)]


@cache
def can_make_machines() -> bool:
    if os.name != "posix" or os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    try:
        with three_machines():
            return True
    except subprocess.CalledProcessError:
        return False


@cache
def can_make_homes() -> bool:
    try:
        with networks() as nets:
            nets.home("44.128.0.11")
            return True
    except (subprocess.CalledProcessError, FileNotFoundError):
        return False
