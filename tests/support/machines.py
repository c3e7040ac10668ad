"""Machines of a test, as network namespaces that it makes, where it may.

Nothing leads out of them, so any address may be used inside. 44.128 is public for the program, and
nobody has it: radio amateurs kept it for tests.
"""

import itertools
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache


@dataclass(frozen=True, slots=True)
class Machine:
    namespace: str

    @property
    def inside(self) -> tuple[str, ...]:
        """What stands before a command that runs on this machine."""
        return ("ip", "netns", "exec", self.namespace)

    def run(self, *words: str) -> None:
        _run(*self.inside, *words)


@dataclass(slots=True)
class Networks:
    """All cables meet in one namespace, where each network is a bridge."""

    tag: str
    _machines: list[Machine] = field(default_factory=list)
    _cables: Iterator[int] = field(default_factory=itertools.count)
    _bridges: set[str] = field(default_factory=set)

    def machine(self, address: str, gateway: str = "", *, prefix: int = 24) -> Machine:
        """A machine with one address. `gateway` leads to all networks but its own."""
        machine = Machine(f"{self.tag}{len(self._machines)}")
        self._machines.append(machine)
        _run("ip", "netns", "add", machine.namespace)
        machine.run("ip", "link", "set", "lo", "up")
        self.add_interface(machine, "eth0", address, prefix)
        if gateway:
            machine.run("ip", "route", "add", "default", "via", gateway)
        return machine

    def add_interface(
        self, machine: Machine, interface: str, address: str, prefix: int = 24
    ) -> None:
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
        for name in (*(machine.namespace for machine in self._machines), self.tag):
            _run("ip", "netns", "del", name, must=False)


@contextmanager
def networks() -> Iterator[Networks]:
    """Networks that are gone afterwards."""
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
